import type { Action, StepParams } from '@expresslane/shared/labs/lab'
import { BoundedNumber } from '../../components/bounded-number.tsx'
import classes from './step-action.module.css'

interface MeasureParamsProps {
  action: Extract<Action, { kind: 'measure' }>
  params: StepParams
  onChange: (params: StepParams) => void
  disabled: boolean
}

/** The number of repeats and their duration, within the lab's bounds. */
export function MeasureParams({ action, params, onChange, disabled }: MeasureParamsProps) {
  const repeats = params.repeats ?? action.repeats.default
  const seconds = params.seconds ?? action.seconds.default
  const fields = [
    { key: 'repeats', label: 'Repeats', suffix: '', value: repeats, bounds: action.repeats },
    { key: 'seconds', label: 'Seconds each', suffix: ' s', value: seconds, bounds: action.seconds },
  ] as const
  return (
    <div className={classes.params} role="group" aria-label="How to measure">
      {fields.map(({ key, label, suffix, value, bounds }) => (
        <BoundedNumber
          key={key}
          label={label}
          value={value}
          min={bounds.min}
          max={bounds.max}
          suffix={suffix}
          disabled={disabled}
          onChange={(entered) => onChange({ ...params, [key]: entered })}
        />
      ))}
      <p className={classes.total}>
        {repeats} × {seconds} s = {repeats * seconds} s
      </p>
    </div>
  )
}
