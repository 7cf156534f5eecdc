import type { Action, StepParams, Tunable } from '@expresslane/shared/labs/lab'
import { NumberInput } from '@mantine/core'
import classes from './step-action.module.css'

interface MeasureParamsProps {
  action: Extract<Action, { kind: 'measure' }>
  params: StepParams
  onChange: (params: StepParams) => void
  disabled: boolean
}

function within(value: string | number, { min, max }: Tunable): number | null {
  const number = typeof value === 'number' ? value : Number.NaN
  return Number.isInteger(number) && number >= min && number <= max ? number : null
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
        <NumberInput
          key={key}
          label={label}
          value={value}
          min={bounds.min}
          max={bounds.max}
          suffix={suffix}
          clampBehavior="strict"
          allowDecimal={false}
          allowNegative={false}
          disabled={disabled}
          onChange={(entered) => {
            const valid = within(entered, bounds)
            if (valid !== null) onChange({ ...params, [key]: valid })
          }}
        />
      ))}
      <p className={classes.total}>
        {repeats} × {seconds} s = {repeats * seconds} s
      </p>
    </div>
  )
}
