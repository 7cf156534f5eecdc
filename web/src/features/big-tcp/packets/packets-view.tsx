import { i18n } from '@expresslane/shared/base/language'
import { formatMoment, type Clock } from '@expresslane/shared/measure/clock'
import type { Capture, CapturedPacket } from '@expresslane/shared/measure/capture'
import type { RunState } from '@expresslane/shared/run/run-state'
import { familyName, formatCount } from '@expresslane/shared/base/units'
import { packetId, packetsChart } from '@expresslane/shared/charts/packets-chart'
import { byPointer } from '../../../charts/choices.ts'
import { SavedChart } from '../../../charts/download/download-chart.tsx'
import { LengthHistogram, MessagePieces } from './packet-charts.tsx'
import { armLook } from '../../../theme.ts'
import type { CaptureViewProps } from '../../views.ts'
import { hexLines, packetHeaders } from './packet-fields.ts'
import classes from './packets-view.module.css'
import { Table } from '../../../components/table.tsx'
import tables from '../../../components/tables.module.css'

/** The latest capture of the same messages under the other arm; null if there is none. */
function otherCapture(of: Capture, runs: readonly RunState[]): Capture | null {
  const alike = ({ capture }: RunState): boolean =>
    capture !== null &&
    capture.arm !== of.arm &&
    capture.family === of.family &&
    capture.requestBytes === of.requestBytes &&
    capture.responseBytes === of.responseBytes
  return runs.findLast(alike)?.capture ?? null
}

/** The arm and the index of a chosen packet: `on.3`. */
function placeOf(id: string): { arm: string; index: number } {
  const dot = id.lastIndexOf('.')
  return { arm: id.slice(0, dot), index: Number(id.slice(dot + 1)) }
}

/** The packets of one request and its response, next to the packets of the other arm if they were captured earlier. */
export function PacketsView({
  capture,
  runs,
  arms,
  brief = false,
  chosen: choice = null,
  onChoose = () => {},
}: CaptureViewProps) {
  const other = otherCapture(capture, runs)
  const captures = [capture, ...(other === null ? [] : [other])].toSorted((a, b) => a.arm.localeCompare(b.arm))
  const first = capture.packets.findIndex(({ payload }) => payload > 0)
  const asked = choice === null ? null : placeOf(choice)
  // A link can name a packet that is not here.
  const isHere = captures.some(({ arm, packets }) => arm === asked?.arm && packets[asked.index] !== undefined)
  const chosen = asked !== null && isHere ? asked : { arm: capture.arm, index: first }
  const of = captures.find(({ arm }) => arm === chosen.arm) ?? capture
  const clock = runs.find(({ facts }) => facts !== null)?.facts?.instructionsPerMicrosecond ?? null
  const nameOf = (arm: string): string => arms.find(({ id }) => id === arm)?.label ?? arm
  const titleOf = ({ arm }: Capture): string => i18n.t('{arm}: the packets of one request', { arm: nameOf(arm) })
  return (
    <section aria-labelledby="packets" className="stack apart">
      <h3 id="packets" className="large">
        {i18n.t('One request and its response, {family}', { family: familyName[capture.family] })}
      </h3>
      <div className={classes.captures}>
        {captures.map((one) => {
          const look = armLook(one.arm)
          return (
            <div key={one.arm} className="stack wide" data-hue={look.hue}>
              <h4 className={`${classes.heading} row`}>
                <span className="swatch" aria-hidden />
                {nameOf(one.arm)}
              </h4>
              <MessagePieces capture={one} captures={captures} />
              {!brief && (
                <>
                  <SavedChart
                    name={`packets-${one.arm}`}
                    of={(frame) => packetsChart(one, { title: titleOf(one), captures, clock }, frame)}
                    choices={byPointer(chosen.arm === one.arm ? packetId(chosen.index) : null, (index) =>
                      onChoose(`${one.arm}.${index}`),
                    )}
                  />
                  <LengthHistogram capture={one} captures={captures} />
                </>
              )}
            </div>
          )
        })}
      </div>
      {!brief && (
        <>
          <p className="muted">
            {i18n.t(
              'Captured on {device} of {node}, during the last of several requests on one connection, because a new connection starts with small packets. No measurement was running.',
              { device: capture.device, node: capture.node },
            )}
          </p>
          <p className="strong">{i18n.t('Choose a packet of “{arm}” to see its headers.', { arm: nameOf(of.arm) })}</p>
          <PacketTable
            capture={of}
            name={nameOf(of.arm)}
            clock={clock}
            chosen={chosen.index}
            onChoose={(index) => onChoose(`${of.arm}.${index}`)}
          />
          <PacketHeaders capture={of} name={nameOf(of.arm)} index={chosen.index} />
        </>
      )}
    </section>
  )
}

const directionName = { request: /*i18n*/ 'request', response: /*i18n*/ 'response' } as const

function packetWords({ payload, direction, again }: CapturedPacket, number: number): string {
  const kind = payload === 0 ? i18n.t('acknowledgement') : i18n.t(directionName[direction])
  return `${number}. ${again ? `${kind}, ${i18n.t('retransmitted')}` : kind}`
}

interface PacketTableProps {
  capture: Capture
  /** The arm's. */
  name: string
  clock: Clock
  chosen: number
  onChoose: (index: number) => void
}

function PacketTable({ capture, name, clock, chosen, onChoose }: PacketTableProps) {
  const field = capture.family === 'ipv4' ? i18n.t('Total length field') : i18n.t('Payload length field')
  return (
    <Table
      label={i18n.t('Packets, {arm}', { arm: name })}
      caption={<caption className="hidden">{i18n.t('Packets, {arm}', { arm: name })}</caption>}
      className={classes.packets}
      columns={[
        i18n.t('Packet'),
        { name: i18n.t('At'), number: true },
        { name: i18n.t('Flags'), look: 'mono' },
        { name: i18n.t('Length'), number: true },
        { name: i18n.t('Payload'), number: true },
        { name: field, number: true },
      ]}
      lines={capture.packets.map((packet, index) => ({
        // A packet has no id other than its index.
        key: `${index}:${packet.at}`,
        data: { 'data-chosen': index === chosen },
        cells: [
          <button
            key="choose"
            type="button"
            className={tables.choose}
            aria-pressed={index === chosen}
            onClick={() => onChoose(index)}
          >
            {packetWords(packet, index + 1)}
          </button>,
          formatMoment(packet.at, clock),
          packet.flags,
          formatCount(packet.length),
          formatCount(packet.payload),
          formatCount(packet.lengthField),
        ],
      }))}
    />
  )
}

function PacketHeaders({ capture, name, index }: { capture: Capture; name: string; index: number }) {
  const packet = capture.packets[index]
  if (packet === undefined) return null
  const headers = packetHeaders(packet)
  const { hue } = armLook(capture.arm)
  return (
    <section aria-labelledby="headers" className="stack" data-hue={hue} aria-live="polite">
      <h4 id="headers" className={`${classes.heading} row`}>
        <span className="swatch" aria-hidden />
        {i18n.t('Headers of packet {number}, “{arm}”: {bytes} bytes', {
          number: index + 1,
          arm: name,
          bytes: formatCount(packet.length),
        })}
      </h4>
      {headers.length === 0 && <p className="muted">{i18n.t('The bytes of this packet could not be decoded.')}</p>}
      <div className={classes.captures}>
        {headers.map(({ title, fields }) => (
          <div key={title} className={`${classes.part} surface`}>
            <h5 className={classes.heading}>{title}</h5>
            <dl>
              {fields.map(({ name: label, value, words, notable }) => (
                <div key={label} className={classes.field} data-notable={notable}>
                  <dt>{label}</dt>
                  <dd>
                    <strong className="strong break-anywhere">{value}</strong>
                    {words !== null && <span className="all-columns">{words}</span>}
                  </dd>
                </div>
              ))}
            </dl>
          </div>
        ))}
      </div>
      <details>
        <summary>{i18n.t('The first bytes, starting with the IP header')}</summary>
        <div role="region" aria-label={i18n.t('The first bytes')} tabIndex={0} className={classes.hex}>
          <pre>{hexLines(packet.head).join('\n')}</pre>
        </div>
      </details>
    </section>
  )
}
