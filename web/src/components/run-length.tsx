import { i18n } from '@expresslane/shared/base/language'
import type { Clock } from '@expresslane/shared/measure/clock'
import { BoundedNumber } from './bounded-number.tsx'

interface RunLengthProps {
  seconds: number
  min: number
  max: number
  /** The clock of the testbed. */
  clock: Clock
  disabled: boolean
  onChange: (seconds: number) => void
}

/** How long one run measures: seconds, or millions of instructions where the testbed's clock counts them. */
export function RunLength({ seconds, min, max, clock, disabled, onChange }: RunLengthProps) {
  // Half seconds, where the least is half a second.
  const least = min === 0.5 ? 0.5 : 1
  const shown = clock ?? 1
  return (
    <BoundedNumber
      label={clock === null ? i18n.t('Seconds each') : i18n.t('Instructions each')}
      value={seconds * shown}
      min={min * shown}
      max={max * shown}
      suffix={clock === null ? ' s' : ' M'}
      {...(least * shown === 1 ? {} : { fractions: least * shown, step: least * shown })}
      disabled={disabled}
      onChange={(entered) => onChange(entered / shown)}
    />
  )
}
