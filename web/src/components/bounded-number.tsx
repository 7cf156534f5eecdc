import { NumberInput } from '@mantine/core'

interface BoundedNumberProps {
  label: string
  value: number
  min: number
  max: number
  step?: number
  suffix?: string
  /** Fractions are valid, too. */
  fractions?: boolean
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
      allowDecimal={fractions}
      allowNegative={false}
      onChange={(entered) => {
        if (typeof entered !== 'number' || entered < min || entered > max) return
        if (fractions || Number.isInteger(entered)) onChange(entered)
      }}
    />
  )
}
