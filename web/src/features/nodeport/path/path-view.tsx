import { hookName } from '@expresslane/shared/features/nodeport/hooks'
import { FORWARDER } from '@expresslane/shared/features/nodeport/roles'
import { hookIn, NODEPORT_HOOK } from '@expresslane/shared/features/nodeport/settings'
import type { Family } from '@expresslane/shared/base/units'
import { podOf, type Placement } from '@expresslane/shared/testbed/placement'
import type { DatapathState } from '@expresslane/shared/testbed/reading'
import { Fragment } from 'react'
import type { PathViewProps } from '../../views.ts'
import shared from '../../places.module.css'
import { stackOf, type HookView, type StackView, type StageView } from './stack.ts'

/** Client, node and backend, and in the node the places where a packet can be handled. */
export function PathView({ path, family }: PathViewProps) {
  const datapath = path?.datapath ?? null
  if (datapath === null) return null
  const { placement } = datapath
  return (
    <div className="stack">
      {placement === null ? (
        <p className="muted">No pods are deployed, so there is no path yet.</p>
      ) : (
        <Way datapath={datapath} placement={placement} family={family} />
      )}
      <Chosen datapath={datapath} />
    </div>
  )
}

/** The hook of the next pods, if it is not the present pods' hook. */
function Chosen({ datapath: { settings, carried, placement } }: { datapath: DatapathState }) {
  const next = hookIn(settings)
  if (next === 'none' || (placement !== null && carried[NODEPORT_HOOK] === next)) return null
  return <p className="medium">Chosen for the next pods: {hookName[next]}</p>
}

interface WayProps {
  datapath: DatapathState
  placement: Placement
  family: Family
}

function Way({ datapath, placement, family }: WayProps) {
  const node = podOf(placement, FORWARDER)?.name ?? null
  const devicesOf = (where: string): string[] =>
    datapath.kernel.filter((one) => one.where === where).map(({ device }) => device)
  const stack = node === null ? null : stackOf(datapath, node, devicesOf(node))
  return (
    <>
      <ol role="list" className={shared.places} aria-label="The way of a packet, from client to backend">
        {placement.pods.map(({ name, addresses }) => (
          <li key={name} className={`${shared.place} surface sunken`} data-node={name === node}>
            <div className="row between baseline tight">
              <h3 className={`${shared.where} strong break-anywhere`}>{name}</h3>
              <span className="mono muted break-anywhere">{addresses[family] ?? 'address unknown'}</span>
            </div>
            {name === node && stack !== null ? (
              <Node devices={devicesOf(name)} stack={stack} />
            ) : (
              <Devices names={devicesOf(name)} />
            )}
          </li>
        ))}
      </ol>
      {stack !== null && (
        <div className={shared.words}>
          <p>{stack.request}</p>
          {stack.reply !== null && <p>{stack.reply}</p>}
        </div>
      )}
    </>
  )
}

function Devices({ names }: { names: readonly string[] }) {
  return <p className="mono muted break-anywhere">{names.length === 0 ? 'devices unknown' : names.join(', ')}</p>
}

/** The stack between the node's two devices. */
function Node({ devices, stack }: { devices: readonly string[]; stack: StackView }) {
  const [near, far] = [devices[0], devices.at(-1)]
  return (
    <>
      <p className="muted break-anywhere">
        <span className="mono">{near ?? 'device unknown'}</span> to the client
      </p>
      <ol role="list" aria-label="Where the node can handle a packet, in the packet’s order">
        {stack.stages.map((stage) => (
          <Stage key={stage.id} stage={stage} />
        ))}
      </ol>
      <p className="muted break-anywhere">
        <span className="mono">{far ?? 'device unknown'}</span> to the backend
      </p>
    </>
  )
}

function Stage({ stage: { name, place, hooks, reached } }: { stage: StageView }) {
  const handles = hooks.some(({ state }) => state === 'handles')
  // A stage with one hook has its name.
  const [only] = hooks.length === 1 ? hooks : []
  return (
    <li className={shared.stage} data-reached={reached ?? 'unknown'} data-handles={handles}>
      <div className="row baseline tight">
        <strong className={reached === false ? 'muted medium' : 'strong'}>{name}</strong>
        {only === undefined ? null : <Mark hook={only} />}
        {reached === false && <span className={`${shared.end} muted`}>not reached</span>}
      </div>
      <p className="muted">{place}</p>
      {hooks.map((hook) => (
        <Fragment key={hook.id}>
          {only === undefined && (
            <div className="row baseline tight">
              <span className="medium">{hook.name}</span>
              <Mark hook={hook} />
            </div>
          )}
          {hook.state === 'handles' && <Found hook={hook} />}
        </Fragment>
      ))}
    </li>
  )
}

function Mark({ hook: { state, has } }: { hook: HookView }) {
  return state === 'handles' ? (
    <span className={`${shared.handles} ${shared.end} strong no-wrap`}>handles it</span>
  ) : (
    <span className={state === 'late' ? 'warn' : 'muted'}>{has}</span>
  )
}

/** The programs or rules of a hook, and their count. */
function Found({ hook: { has, counted } }: { hook: HookView }) {
  return <p className={`${shared.found} numbers`}>{[has, ...(counted === null ? [] : [counted])].join(', ')}</p>
}
