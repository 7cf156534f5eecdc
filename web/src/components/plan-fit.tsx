import { i18n } from '@expresslane/shared/base/language'
import { fits, type Fit } from '@expresslane/shared/labs/planned'
import { formatClockTime, type Clock } from '@expresslane/shared/measure/clock'

interface PlanFitProps {
  fit: Fit
  /** The clock of the testbed. */
  clock: Clock
  /** The most repeats that fit, with everything else as it is; null where repeats do not decide. */
  repeats: number | null
}

/** How long a participant's run measures, and how long it can; nothing for people whose runs have no limit. */
export function PlanFit({ fit, clock, repeats }: PlanFitProps) {
  const planned = formatClockTime(fit.planned, clock)
  const allowed = formatClockTime(fit.allowed, clock)
  if (fits(fit)) {
    return (
      <p role="status" className="muted numbers">
        {i18n.t('Measures {planned} of at most {allowed}.', { planned, allowed })}
      </p>
    )
  }
  return (
    <p role="status" className="bad numbers">
      {i18n.t('Too long: it measures {planned}, and your runs can measure {allowed}, because others wait meanwhile.', {
        planned,
        allowed,
      })}{' '}
      {repeats !== null && repeats > 0
        ? i18n.t('With {count, plural, one {# repeat} other {# repeats}} it fits.', { count: repeats })
        : i18n.t('Choose less to measure, or ask the instructor to run it.')}
    </p>
  )
}
