import { useId } from 'react'
import classes from './controls.module.css'

interface SelectFieldProps {
  label: string
  value: string
  /** Value and text of each choice, and whether it can't be chosen. */
  options: readonly (readonly [string, string, boolean?])[]
  onChange: (value: string) => void
  disabled?: boolean
  /** The id of an element with a description. */
  describedBy?: string
}

/** A native select, which works best on phones and with keyboards. */
export function SelectField({ label, value, options, onChange, disabled = false, describedBy }: SelectFieldProps) {
  const id = useId()
  return (
    <div className={`${classes.field} stack`}>
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={value}
        disabled={disabled}
        aria-describedby={describedBy}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        {options.map(([option, text, impossible = false]) => (
          <option key={option} value={option} disabled={impossible}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}
