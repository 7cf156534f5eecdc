import { IconChevronDown, IconChevronUp } from '../icons.tsx'
import { useState } from 'react'
import { TextInput } from './controls.tsx'
import classes from './controls.module.css'

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

/** A number field that reports only values within its bounds. The arrow keys add and take a step. */
export function BoundedNumber({
  label,
  value,
  min,
  max,
  step = 1,
  suffix = '',
  fractions = false,
  disabled,
  onChange,
}: BoundedNumberProps) {
  /** The text in the field while a person types; null after they leave it. */
  const [typed, setTyped] = useState<string | null>(null)
  const report = (entered: number) => {
    const unit = fractions === true ? entered : fractions === false ? 1 : fractions
    const isValid = entered >= min && entered <= max && (entered === 0 || Number.isInteger(entered / unit))
    if (isValid) onChange(entered)
  }
  const move = (by: number) => {
    setTyped(null)
    report(Math.min(max, Math.max(min, value + by * step)))
  }
  return (
    <TextInput
      label={label}
      value={typed ?? `${value}${suffix}`}
      disabled={disabled}
      inputMode={fractions === false ? 'numeric' : 'decimal'}
      autoComplete="off"
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value)
        const number = currentTarget.value.replace(suffix, '').trim()
        if (/^\d*\.?\d+$/.test(number)) report(Number(number))
      }}
      onBlur={() => setTyped(null)}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
        event.preventDefault()
        move(event.key === 'ArrowUp' ? 1 : -1)
      }}
      rightSection={
        <span className={`${classes.arrows} stack`} aria-hidden>
          {[1, -1].map((by) => (
            <button
              key={by}
              type="button"
              tabIndex={-1}
              disabled={disabled || value === (by === 1 ? max : min)}
              onClick={() => move(by)}
            >
              {by === 1 ? <IconChevronUp size={16} /> : <IconChevronDown size={16} />}
            </button>
          ))}
        </span>
      }
    />
  )
}
