import type { RunSummary } from '@expresslane/shared/wire/protocol'
import type { StepStatus } from '@expresslane/shared/run/progress'
import {
  IconAlertCircle,
  IconBook2,
  IconCircle,
  IconCircleCheckFilled,
  IconCircleMinus,
  IconHourglass,
  IconLoader2,
  IconPlayerStop,
  IconRefreshAlert,
} from '../../icons.tsx'
import classes from './run-badge.module.css'

const looks = {
  read: { Icon: IconBook2, text: 'to read' },
  open: { Icon: IconCircle, text: 'not run yet' },
  queued: { Icon: IconHourglass, text: 'queued' },
  running: { Icon: IconLoader2, text: 'running' },
  passed: { Icon: IconCircleCheckFilled, text: 'passed' },
  'left-out': { Icon: IconCircleMinus, text: 'left out' },
  stale: { Icon: IconRefreshAlert, text: 'out of date, run it again' },
  ended: { Icon: IconAlertCircle, text: 'ended without passing' },
  failed: { Icon: IconAlertCircle, text: 'failed' },
  cancelled: { Icon: IconPlayerStop, text: 'cancelled' },
  interrupted: { Icon: IconPlayerStop, text: 'interrupted' },
  unpassed: { Icon: IconAlertCircle, text: 'check did not pass' },
}

export type RunLook = keyof typeof looks

/** The look of the badge for a run. */
export function lookOf({ state, passed, leftOut }: Pick<RunSummary, 'state' | 'passed' | 'leftOut'>): RunLook {
  if (state !== 'completed') return state
  if (leftOut === true) return 'left-out'
  return passed === true ? 'passed' : 'unpassed'
}

/** A status as an icon with text; with `iconOnly` the text is for screen readers only. */
export function RunBadge({ look, iconOnly = false }: { look: RunLook | StepStatus; iconOnly?: boolean }) {
  const { Icon, text } = looks[look]
  return (
    <span className={`${classes.badge} row one-line no-wrap`} data-look={look} title={text}>
      <Icon size={20} stroke={1.8} aria-hidden className={classes.icon} />
      <span className={iconOnly ? 'hidden' : undefined}>{text}</span>
    </span>
  )
}
