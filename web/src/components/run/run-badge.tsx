import { i18n } from '@expresslane/shared/base/language'
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
  read: { Icon: IconBook2, text: /*i18n*/ 'to read' },
  open: { Icon: IconCircle, text: /*i18n*/ 'not run yet' },
  queued: { Icon: IconHourglass, text: /*i18n*/ 'queued' },
  running: { Icon: IconLoader2, text: /*i18n*/ 'running' },
  passed: { Icon: IconCircleCheckFilled, text: /*i18n*/ 'passed' },
  'left-out': { Icon: IconCircleMinus, text: /*i18n*/ 'left out' },
  stale: { Icon: IconRefreshAlert, text: /*i18n*/ 'out of date, run it again' },
  ended: { Icon: IconAlertCircle, text: /*i18n*/ 'ended without passing' },
  failed: { Icon: IconAlertCircle, text: /*i18n*/ 'failed' },
  cancelled: { Icon: IconPlayerStop, text: /*i18n*/ 'cancelled' },
  interrupted: { Icon: IconPlayerStop, text: /*i18n*/ 'interrupted' },
  unpassed: { Icon: IconAlertCircle, text: /*i18n*/ 'check did not pass' },
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
  const { Icon, text: english } = looks[look]
  const text = i18n.t(english)
  return (
    <span className={`${classes.badge} row one-line no-wrap`} data-look={look} title={text}>
      <Icon size={20} stroke={1.8} aria-hidden className={classes.icon} />
      <span className={iconOnly ? 'hidden' : undefined}>{text}</span>
    </span>
  )
}
