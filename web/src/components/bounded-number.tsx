import { NumberInput } from '@mantine/core'

interface BoundedNumberProps {
  label: string
  value: number
  min: number
  max: number
  step?: number
  suffix?: string
  /** Fractions are valid, too: all, or the multiples of this. */
  fractions?: boolean | number
  disabled: boolean
  onChange: (value: number) => void
}

/** A number field that reports only values within its bounds. */
export function BoundedNumber({ min, max, fractions = false, onChange, ...field }: BoundedNumberProps) {
  return (
    <NumberInput
      {...field}
      min={min}
      max={max}
      clampBehavior="strict"
      allowDecimal={fractions !== false}
      allowNegative={false}
      onChange={(entered) => {
        if (typeof entered !== 'number' || entered < min || entered > max) return
        const unit = fractions === true ? entered : fractions === false ? 1 : fractions
        if (entered === 0 || Number.isInteger(entered / unit)) onChange(entered)
      }}
    />
  )
}
