import { i18n } from '@expresslane/shared/base/language'
import type { OneArm } from '@expresslane/shared/labs/actions'
import type { StepParams } from '@expresslane/shared/labs/lab'
import { clockOf, formatClockTime } from '@expresslane/shared/measure/clock'
import type { TestbedId } from '@expresslane/shared/testbed/id'
import { useTestbed } from '../../api/queries.ts'
import { BoundedNumber } from '../../components/bounded-number.tsx'
import { RunLength } from '../../components/run-length.tsx'
import { ProfileChoice } from '../../experiment/index.ts'
import classes from './step-action.module.css'

interface MeasureParamsProps {
  action: OneArm
  testbed: TestbedId
  params: StepParams
  onChange: (params: StepParams) => void
  disabled: boolean
}

/** The number of repeats and their duration, within the lab's bounds. */
export function MeasureParams({ action, testbed, params, onChange, disabled }: MeasureParamsProps) {
  const repeats = params.repeats ?? action.repeats.default
  const seconds = params.seconds ?? action.seconds.default
  const clock = clockOf(useTestbed(testbed).data ?? null)
  return (
    <>
      <div
        className={`${classes.inline} ${classes.params} row bottom`}
        role="group"
        aria-label={i18n.t('How to measure')}
      >
        <BoundedNumber
          label={i18n.t('Repeats')}
          value={repeats}
          min={action.repeats.min}
          max={action.repeats.max}
          disabled={disabled}
          onChange={(entered) => onChange({ ...params, repeats: entered })}
        />
        <RunLength
          seconds={seconds}
          min={action.seconds.min}
          max={action.seconds.max}
          clock={clock}
          disabled={disabled}
          onChange={(entered) => onChange({ ...params, seconds: entered })}
        />
        <p className={`${classes.total} muted numbers`}>
          {repeats} × {formatClockTime(seconds, clock)} = {formatClockTime(repeats * seconds, clock)}
        </p>
      </div>
      <ProfileChoice
        testbed={testbed}
        checked={params.profile === true}
        onChange={(checked) => onChange({ ...params, profile: checked })}
        disabled={disabled}
      />
    </>
  )
}
