import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconInfoCircle, IconPlayerStop } from '../icons.tsx'
import type { ReactNode } from 'react'
import classes from './notice.module.css'

export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'stopped'

const icons = {
  good: IconCircleCheck,
  warn: IconAlertTriangle,
  bad: IconCircleX,
  info: IconInfoCircle,
  stopped: IconPlayerStop,
}

interface NoticeProps {
  tone: Tone
  title: string
  children?: ReactNode
  /** `alert` interrupts a screen reader: only for a fault that just happened. */
  role?: 'alert' | 'status'
}

/** Shows a state with an icon, a title and text; never by its colour alone. */
export function Notice({ tone, title, children, role }: NoticeProps) {
  const Icon = icons[tone]
  return (
    <div className={classes.notice} data-tone={tone} role={role}>
      <Icon size={22} stroke={1.8} aria-hidden className={classes.icon} />
      <div className={`${classes.body} grow break-anywhere`}>
        <p className="strong pretty">{title}</p>
        {children}
      </div>
    </div>
  )
}
