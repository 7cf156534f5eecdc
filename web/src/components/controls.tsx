/** Buttons, fields and placeholders, which every page shares: the browser's own elements in the page's style. */
import { useId, type ComponentProps, type ElementType, type ReactNode } from 'react'
import classes from './controls.module.css'

interface ButtonLook<T extends ElementType> {
  /** The element or component that it is: a button, or a link that looks like a button. */
  component?: T
  variant?: 'filled' | 'default' | 'subtle' | 'danger'
  size?: 'compact-md' | 'md' | 'lg'
  /** Disabled, and a spinner shows that something is on its way. */
  loading?: boolean
  leftSection?: ReactNode
  rightSection?: ReactNode
}

type ButtonProps<T extends ElementType> = ButtonLook<T> & Omit<ComponentProps<T>, keyof ButtonLook<T>>

/** A button with a text, and icons beside it. */
export function Button<T extends ElementType = 'button'>({
  component,
  variant = 'filled',
  size = 'md',
  loading = false,
  leftSection,
  rightSection,
  className = '',
  disabled = false,
  children,
  ...rest
}: ButtonProps<T>) {
  const Tag: ElementType = component ?? 'button'
  const own = Tag === 'button' ? { type: 'button', disabled: disabled || loading } : {}
  return (
    <Tag
      {...own}
      className={`${classes.button} ${className}`}
      data-variant={variant}
      data-size={size}
      data-loading={loading || undefined}
      {...rest}
    >
      {leftSection}
      {children}
      {rightSection}
    </Tag>
  )
}

/** A button with an icon alone: `aria-label` names it. */
export function IconButton({ 'aria-label': label, ...rest }: ComponentProps<'button'> & { 'aria-label': string }) {
  return <button type="button" className={`${classes.button} ${classes.icon}`} aria-label={label} {...rest} />
}

interface TextInputProps extends ComponentProps<'input'> {
  /** Without it, `aria-label` names the field. */
  label?: string
  /** The reason why the value is invalid: shown below the field, and read out with it. */
  error?: string | null | undefined
  /** A text within the field, before the value. */
  prefix?: string
  /** Shown at the end of the field. */
  rightSection?: ReactNode
}

/** A field with one line of text. */
export function TextInput({ label, error, prefix, rightSection, ...input }: TextInputProps) {
  const id = useId()
  const isWrong = error !== undefined && error !== null && error !== ''
  return (
    <div className={`${classes.field} stack`}>
      {label !== undefined && (
        <label htmlFor={id}>
          {label}
          {input.required === true && <span aria-hidden> *</span>}
        </label>
      )}
      <div className={classes.frame}>
        {prefix !== undefined && <span className={classes.prefix}>{prefix}</span>}
        <input
          id={id}
          aria-invalid={isWrong || undefined}
          aria-describedby={isWrong ? `${id}-error` : undefined}
          {...input}
        />
        {rightSection}
      </div>
      {isWrong && (
        <p id={`${id}-error`} className="bad">
          {error}
        </p>
      )}
    </div>
  )
}

/** A box to tick; the role can be `switch`, too. */
export function Checkbox({ label, ...input }: ComponentProps<'input'> & { label: string }) {
  return (
    <label className={`${classes.check} row one-line top`}>
      <input type="checkbox" {...input} />
      {label}
    </label>
  )
}

interface SkeletonProps {
  component?: 'div' | 'li'
  /** In pixels. */
  height?: number
  width?: string
  className?: string | undefined
}

/** The place of content that loads. */
export function Skeleton({ component: Tag = 'div', height, width, className = '' }: SkeletonProps) {
  return <Tag className={`${classes.skeleton} ${className}`} style={{ height, width }} />
}
