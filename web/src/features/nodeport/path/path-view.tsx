import { i18n } from '@expresslane/shared/base/language'
import { hookName } from '@expresslane/shared/features/nodeport/hooks'
import { FORWARDER } from '@expresslane/shared/features/nodeport/roles'
import { hookIn, NODEPORT_HOOK } from '@expresslane/shared/features/nodeport/settings'
import type { Family } from '@expresslane/shared/base/units'
import { podOf, type Placement } from '@expresslane/shared/testbed/placement'
import type { DatapathState } from '@expresslane/shared/testbed/reading'
import { Fragment } from 'react'
import type { PathViewProps } from '../../views.ts'
import { AtEnd, Found, Handles, Place, PlacedPath, Stage, Way } from '../../way.tsx'
import { stackOf, type HookView, type StackView, type StageView } from './stack.ts'

/** Client, node and backend, and in the node the places where a packet can be handled. */
export function PathView({ path, family }: PathViewProps) {
  const datapath = path?.datapath ?? null
  if (datapath === null) return null
  const { placement } = datapath
  return (
    <PlacedPath datapath={datapath} chosen={chosenWords(datapath)}>
      {placement !== null && <Pods datapath={datapath} placement={placement} family={family} />}
    </PlacedPath>
  )
}

/** The hook of the next pods, if it is not the present pods' hook. */
function chosenWords({ settings, carried, placement }: DatapathState): string | null {
  const next = hookIn(settings)
  if (next === 'none' || (placement !== null && carried[NODEPORT_HOOK] === next)) return null
  return i18n.t('Chosen for the next pods: {choice}', { choice: hookName[next] })
}

interface PodsProps {
  datapath: DatapathState
  placement: Placement
  family: Family
}

function Pods({ datapath, placement, family }: PodsProps) {
  const node = podOf(placement, FORWARDER)?.name ?? null
  const devicesOf = (where: string): string[] =>
    datapath.kernel.filter((one) => one.where === where).map(({ device }) => device)
  const stack = node === null ? null : stackOf(datapath, node, devicesOf(node))
  const words = stack === null ? [] : [stack.request, ...(stack.reply === null ? [] : [stack.reply])]
  return (
    <Way words={words} end="backend">
      {placement.pods.map(({ name, addresses }) => (
        <Place key={name} name={name} address={addresses[family] ?? i18n.t('address unknown')} isNode={name === node}>
          {name === node && stack !== null ? (
            <Node devices={devicesOf(name)} stack={stack} />
          ) : (
            <Devices names={devicesOf(name)} />
          )}
        </Place>
      ))}
    </Way>
  )
}

function Devices({ names }: { names: readonly string[] }) {
  return (
    <p className="mono muted break-anywhere">{names.length === 0 ? i18n.t('devices unknown') : names.join(', ')}</p>
  )
}

/** The stack between the node's two devices. */
function Node({ devices, stack }: { devices: readonly string[]; stack: StackView }) {
  const [near, far] = [devices[0], devices.at(-1)]
  return (
    <>
      <p className="muted break-anywhere">
        <span className="mono">{near ?? i18n.t('device unknown')}</span> {i18n.t('to the client')}
      </p>
      <ol role="list" aria-label={i18n.t('Where the node can handle a packet, in the packet’s order')}>
        {stack.stages.map((stage) => (
          <HookStage key={stage.id} stage={stage} />
        ))}
      </ol>
      <p className="muted break-anywhere">
        <span className="mono">{far ?? i18n.t('device unknown')}</span> {i18n.t('to the backend')}
      </p>
    </>
  )
}

function HookStage({ stage: { name, place, hooks, reached } }: { stage: StageView }) {
  // A stage with one hook has its name.
  const [only] = hooks.length === 1 ? hooks : []
  return (
    <Stage
      name={name}
      does={place}
      reached={reached}
      handles={hooks.some(({ state }) => state === 'handles')}
      mark={
        <>
          {only !== undefined && <Mark hook={only} />}
          {reached === false && <AtEnd>{i18n.t('not reached')}</AtEnd>}
        </>
      }
    >
      {hooks.map((hook) => (
        <Fragment key={hook.id}>
          {only === undefined && (
            <div className="row baseline tight">
              <span className="medium">{hook.name}</span>
              <Mark hook={hook} />
            </div>
          )}
          {hook.state === 'handles' && (
            <Found>{[hook.has, ...(hook.counted === null ? [] : [hook.counted])].join(', ')}</Found>
          )}
        </Fragment>
      ))}
    </Stage>
  )
}

function Mark({ hook: { state, has } }: { hook: HookView }) {
  return state === 'handles' ? (
    <Handles>{i18n.t('handles it')}</Handles>
  ) : (
    <span className={state === 'late' ? 'warn' : 'muted'}>{has}</span>
  )
}
