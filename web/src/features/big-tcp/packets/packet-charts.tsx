import { i18n } from '@expresslane/shared/base/language'
import { LARGEST_LEGACY } from '@expresslane/shared/charts/packets-chart'
import { messagePackets, type Capture } from '@expresslane/shared/measure/capture'
import classes from './packets-view.module.css'
import { directions, lengthBins, payloadSum, pieces, widestMessage, type Direction } from './packet-series.ts'

interface PacketChartProps {
  capture: Capture
  /** All captures on the page, including this capture: they share their axes. */
  captures: readonly Capture[]
}

const countWords: Record<Direction, string> = {
  request: /*i18n*/ 'Request: {count, plural, one {# packet} other {# packets}}',
  response: /*i18n*/ 'Response: {count, plural, one {# packet} other {# packets}}',
}

/** Each message as the packets that carried it. */
export function MessagePieces({ capture, captures }: PacketChartProps) {
  const widest = widestMessage(captures)
  return (
    <div className="stack">
      {directions.map((direction) => {
        const count = messagePackets(capture, direction).length
        return (
          <figure key={direction}>
            <figcaption className="medium muted">{i18n.t(countWords[direction], { count })}</figcaption>
            <p className="key-figure">{payloadSum(capture, direction) || i18n.t('not seen')}</p>
            <svg className={classes.bar} aria-hidden>
              {pieces(capture, direction, widest).map(({ from, width }) => (
                <rect
                  key={from}
                  x={`${from}%`}
                  width={`${width}%`}
                  y={1}
                  height={26}
                  rx={4}
                  className={classes.piece}
                />
              ))}
            </svg>
          </figure>
        )
      })}
    </div>
  )
}

/** The number of packets by length, including headers. */
export function LengthHistogram({ capture, captures }: PacketChartProps) {
  const rows = lengthBins(capture, captures)
  const beyond = capture.packets.filter(({ length }) => length > LARGEST_LEGACY).length
  return (
    <figure>
      <figcaption className="medium muted">
        {i18n.t('Lengths in bytes, {beyond, plural, =0 {none above 64K} other {# above 64K}}', { beyond })}
      </figcaption>
      <table className={classes.histogram}>
        <thead className="hidden">
          <tr>
            <th scope="col">{i18n.t('Length')}</th>
            <th scope="col">{i18n.t('Relative to the most frequent')}</th>
            <th scope="col">{i18n.t('Packets')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, count, width, beyond: large }) => (
            <tr key={label}>
              <th scope="row">{i18n.t(label)}</th>
              <td className={classes.count}>
                <span className="hidden">{Math.round(width)} %</span>
                <svg className="block" width="100%" height="18" aria-hidden>
                  <rect width={`${width}%`} height={18} rx={3} className={large ? classes.data : classes.small} />
                </svg>
              </td>
              <td className="right strong">{count}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  )
}
