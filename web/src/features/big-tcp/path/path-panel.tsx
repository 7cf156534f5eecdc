import type { Problem } from '@expresslane/shared/wire/errors'
import type { RunState } from '@expresslane/shared/run/run-state'
import { kindOf, type TestbedId } from '@expresslane/shared/testbed/id'
import { familyName, type Family } from '@expresslane/shared/measure/units'
import { Skeleton } from '@mantine/core'
import { useMemo } from 'react'
import { usePath } from '../../../api/live.tsx'
import { formatPackets } from '../../../words/format.ts'
import { ProblemNotice } from '../../../components/problem-notice.tsx'
import { armLook } from '../../../theme.ts'
import type { FollowedPath } from '../../../api/follow.ts'
import { LayersBlock } from './layers-block.tsx'
import { packetsView } from './packets.ts'
import classes from './path-panel.module.css'
import { OtherNodes, Places } from './place-list.tsx'
import { placesOf } from './places.ts'

/** Without a path, a list with more nodes is collapsed. */
const NODES_OPEN = 3

interface PathPanelProps {
  testbed: TestbedId
  family: Family
  runs: readonly RunState[]
  /** Why the testbed could not be read; null if it could. */
  problem: Problem | null
}

/** All devices between the pods with their current sizes, on every step of a lab. */
export function PathPanel({ testbed, family, runs, problem }: PathPanelProps) {
  const path = usePath(testbed)
  const title = kindOf(testbed) === 'recording' ? 'The path, as recorded' : 'The path, live'
  return (
    <section aria-label={title} className={classes.panel}>
      <div className={classes.head}>
        <h2>{title}</h2>
        <span className={classes.family}>{familyName[family]}</span>
      </div>
      {path !== null && <PathBody path={path} family={family} />}
      {path === null && problem === null && <Skeleton height={360} radius="md" />}
      {path === null && problem !== null && <CantRead problem={problem} />}
      <Packets runs={runs} />
    </section>
  )
}

function CantRead({ problem }: { problem: Problem }) {
  return <ProblemNotice problem={problem} title="The path can’t be read right now" tone="warn" />
}

function PathBody({ path, family }: { path: FollowedPath; family: Family }) {
  const { path: places, others } = useMemo(() => placesOf(path, family), [path, family])
  const { problem, datapath } = path
  const deployed = datapath !== null && datapath.placement !== null
  return (
    <>
      {problem !== null && <CantRead problem={problem} />}
      {problem !== null && datapath !== null && <p className={classes.muted}>The panel shows the last reading.</p>}
      {datapath !== null && !deployed && (
        <p className={classes.muted}>
          {places.length > 0
            ? 'No pods are deployed: the path ends at the nodes.'
            : 'No pods are deployed, so there is no path yet.'}
        </p>
      )}
      {places.length > 0 && <Places places={places} label="Devices from client to server" />}
      {datapath !== null && <LayersBlock state={datapath} family={family} />}
      <OtherNodes
        places={others}
        title={deployed ? 'Off the path' : 'Nodes'}
        folded={deployed || others.length > NODES_OPEN}
      />
    </>
  )
}

function Packets({ runs }: { runs: readonly RunState[] }) {
  const packets = useMemo(() => packetsView(runs), [runs])
  return (
    <div className={classes.packets}>
      <p className={classes.packetsName}>Packets per request</p>
      {packets === null ? (
        <p className={classes.muted}>not measured yet</p>
      ) : (
        <p className={classes.packetsNow} data-hue={armLook(packets.arm).hue}>
          {formatPackets(packets.now)}
          {packets.before !== null && <span className={classes.before}>before: {formatPackets(packets.before)}</span>}
        </p>
      )}
    </div>
  )
}
