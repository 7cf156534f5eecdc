import { BIG_TCP_CAP } from '@expresslane/shared/reading'
import type { RunState } from '@expresslane/shared/run-state'
import type { TestbedKind } from '@expresslane/shared/testbed'
import { familyName, type Family } from '@expresslane/shared/units'
import { Skeleton } from '@mantine/core'
import { useMemo } from 'react'
import { usePath } from '../api/live.tsx'
import { formatPackets } from '../components/format.ts'
import { ProblemNotice } from '../components/problem-notice.tsx'
import type { FollowedPath } from './follow.ts'
import { packetsView } from './packets.ts'
import { isBig, layersView, placesOf, type DeviceView } from './path-model.ts'
import classes from './path-panel.module.css'

interface PathPanelProps {
  testbed: TestbedKind
  family: Family
  runs: readonly RunState[]
}

/** Every device between the pods with its sizes as they are now, whatever step the page shows. */
export function PathPanel({ testbed, family, runs }: PathPanelProps) {
  const path = usePath(testbed)
  return (
    <section aria-label="The path, live" className={classes.panel}>
      <div className={classes.head}>
        <h2>The path, live</h2>
        <span className={classes.family}>{familyName[family]}</span>
      </div>
      {path === null ? <Skeleton height={360} radius="md" /> : <PathBody path={path} family={family} />}
      <Packets runs={runs} />
    </section>
  )
}

function PathBody({ path, family }: { path: FollowedPath; family: Family }) {
  const places = useMemo(() => placesOf(path, family), [path, family])
  const layers = path.datapath === null ? null : layersView(path.datapath, family)
  return (
    <>
      {path.problem !== null && <ProblemNotice problem={path.problem} title="The path can't be read now" tone="warn" />}
      {path.problem !== null && path.datapath !== null && <p className={classes.muted}>Below is what was read last.</p>}
      {path.datapath !== null && path.datapath.placement === null && (
        <p className={classes.muted}>No pods are deployed: the path ends at the nodes.</p>
      )}
      <ol role="list" className={classes.places} aria-label="Devices from client to server">
        {places.map(({ where, role, devices }) => (
          <li key={where} className={classes.place} data-role={role}>
            <h3 className={classes.where}>{where}</h3>
            <ul role="list">
              {devices.map((device) => (
                <Device key={device.key} where={where} view={device} />
              ))}
            </ul>
          </li>
        ))}
      </ol>
      {layers !== null && (
        <div className={classes.layers} data-tone={layers.tone}>
          <p className={classes.layersTitle}>{layers.title}</p>
          <p>{layers.text}</p>
        </div>
      )}
    </>
  )
}

function share(view: DeviceView): number {
  return view.gso.bytes === null ? 0 : Math.min(1, view.gso.bytes / BIG_TCP_CAP)
}

function Device({ where, view }: { where: string; view: DeviceView }) {
  const { device, gso, gro, was } = view
  const size = gso.bytes === null ? 'unknown' : isBig(gso.bytes) ? 'big' : 'legacy'
  return (
    <li className={classes.device} data-size={size} data-changed={was !== null}>
      <span className="hidden">{where} </span>
      <span className={classes.name}>{device} </span>
      {was !== null && <span className={classes.was}>was {was.gso} </span>}
      <span className={classes.size} title={`GSO ${gso.exact}`}>
        {gso.text}
      </span>
      <svg className={classes.bar} aria-hidden width="100%" height="5" preserveAspectRatio="none" viewBox="0 0 100 5">
        <rect className={classes.track} width="100" height="5" />
        <rect className={classes.fill} width={100 * share(view)} height="5" />
      </svg>
      <span className="hidden">, exactly {gso.exact}</span>
      {gro.text !== gso.text && (
        <span className={classes.note} title={`GRO ${gro.exact}`}>
          receives up to {gro.text} (GRO)
        </span>
      )}
    </li>
  )
}

function Packets({ runs }: { runs: readonly RunState[] }) {
  const packets = useMemo(() => packetsView(runs), [runs])
  return (
    <div className={classes.packets}>
      <p className={classes.packetsName}>Packets a request</p>
      {packets === null ? (
        <p className={classes.muted}>not measured yet</p>
      ) : (
        <p className={classes.packetsNow} data-arm={packets.arm}>
          {formatPackets(packets.now)}
          {packets.before !== null && <span className={classes.before}>before: {formatPackets(packets.before)}</span>}
        </p>
      )}
    </div>
  )
}
