import { i18n } from '@expresslane/shared/base/language'
import { familyName, formatCount, type Family } from '@expresslane/shared/base/units'
import type { RunState } from '@expresslane/shared/run/run-state'
import { type TestbedId, propertiesOf } from '@expresslane/shared/testbed/id'
import { deviceKey, type DatapathState } from '@expresslane/shared/testbed/reading'
import type { Problem } from '@expresslane/shared/base/errors'
import { useMemo } from 'react'
import { followPath } from '../api/follow.ts'
import { usePath } from '../api/live.tsx'
import { ProblemNotice } from '../components/problem-notice.tsx'
import { settingWords } from '../words/settings.ts'
import classes from './path-panel.module.css'
import { pathViews } from './registry.ts'
import type { PathViewProps } from './views.ts'
import { OnDemand } from '../components/on-demand.tsx'

interface PathPanelProps {
  /** The lab's feature: it decides how the panel shows each device. */
  feature: string
  testbed: TestbedId
  family: Family
  runs: readonly RunState[]
  /** Why the testbed could not be read; null if it could. */
  problem: Problem | null
  /** For a projector: from left to right, across the whole width. */
  wide?: boolean
  /** The path as a run read it earlier, to show instead of the current path. */
  read?: DatapathState | null
}

/** All devices between the pods, on every step of a lab. */
export function PathPanel({ feature, testbed, family, runs, problem, wide = false, read = null }: PathPanelProps) {
  const live = usePath(testbed)
  const path = useMemo(
    () => (read === null ? live : followPath(null, { incarnation: null, datapath: read, problem: null })),
    [read, live],
  )
  const now = propertiesOf(testbed).isRecorded ? i18n.t('The path, as recorded') : i18n.t('The path, live')
  const title = read === null ? now : i18n.t('The path, as read by this step')
  const View = pathViews[feature] ?? Devices
  const waits = path === null && problem === null
  return (
    <section aria-label={title} className={`${classes.panel} surface stack`} data-wide={wide}>
      <div className="row between baseline">
        <h2 className="large">{title}</h2>
        <span className="muted">{familyName[family]}</span>
      </div>
      {path !== null && path.problem !== null && <CantRead problem={path.problem} />}
      {path !== null && path.problem !== null && path.datapath !== null && (
        <p className="muted">{i18n.t('The panel shows the last reading.')}</p>
      )}
      {path !== null && path.problem === null && path.datapath === null && (
        <p className="muted">{i18n.t('The testbed does not run now. The next step that you run starts it.')}</p>
      )}
      {waits && <div className={`${classes.waiting} sunken`} aria-hidden />}
      {path === null && problem !== null && <CantRead problem={problem} />}
      <OnDemand fallback={waits ? null : <div className={`${classes.waiting} sunken`} aria-hidden />}>
        <View path={path} family={family} runs={read === null ? runs : []} wide={wide} />
      </OnDemand>
    </section>
  )
}

function CantRead({ problem }: { problem: Problem }) {
  return <ProblemNotice problem={problem} title={i18n.t('The path can’t be read right now')} tone="warn" />
}

/** The devices and settings of any feature's path. */
function Devices({ path }: PathViewProps) {
  const datapath = path?.datapath ?? null
  if (datapath === null) return null
  const { kernel, settings, placement, carried } = datapath
  const words = settingWords({ ...settings, ...carried })
  return (
    <>
      {placement === null && <p className="muted">{i18n.t('No pods are deployed.')}</p>}
      <ol role="list" className="stack" aria-label={i18n.t('Devices from client to server')}>
        {kernel.map((device) => (
          <li key={deviceKey(device)} className="row baseline tight">
            <strong>{device.where}</strong>
            <span className="grow mono muted break-anywhere">{device.device}</span>
            <span className="muted">MTU {formatCount(device.mtu)}</span>
          </li>
        ))}
      </ol>
      {words !== '' && <p>{words}</p>}
    </>
  )
}
