/** Ratios of your own and of published results below each other, on one axis. */
import { ratioAxis, ratioTick, type RatioAxis } from '@expresslane/shared/charts/draw/axis'
import { Checkbox } from '../components/controls.tsx'
import { useId, useState, type ReactNode } from 'react'
import classes from './ratio-rows.module.css'

interface Interval {
  readonly low: number
  readonly high: number
}

interface PublishedSwitchProps {
  /** The source of the published results, and why only ratios are compared. */
  note: ReactNode
  /** All ratios that are shown. */
  ratios: readonly { readonly ratio: number; readonly interval: Interval | null }[]
  children: (axis: RatioAxis) => ReactNode
}

/** A switch that shows rows, and their common axis below them. */
export function PublishedSwitch({ note, ratios, children }: PublishedSwitchProps) {
  const [shown, setShown] = useState(false)
  const id = useId()
  const axis = ratioAxis(ratios)
  return (
    <div className="stack container">
      <Checkbox
        role="switch"
        label="Show published results from other machines"
        checked={shown}
        aria-checked={shown}
        aria-controls={id}
        onChange={(event) => setShown(event.currentTarget.checked)}
      />
      <div id={id} hidden={!shown}>
        <div className="muted readable">{note}</div>
        {children(axis)}
        <svg className={classes.axis} width="100%" height="28" aria-hidden>
          {axis.ticks.map((tick) => (
            <text key={tick} x={`${axis.place(tick)}%`} y="20" textAnchor="middle">
              {ratioTick(tick)}
            </text>
          ))}
        </svg>
      </div>
    </div>
  )
}

/** The rows of one comparison. */
export function RatioRows({ label, title, children }: { label: string; title: string; children: ReactNode }) {
  return (
    <section aria-label={label} className={classes.rows}>
      <h4 className="strong">{title}</h4>
      <ul role="list">{children}</ul>
    </section>
  )
}

interface RatioRowProps {
  axis: RatioAxis
  ratio: number
  interval: Interval | null
  value: string
  own?: boolean
  children: ReactNode
}

/** A ratio on the common axis: a filled mark for your own result, a hollow mark for a published result. */
export function RatioRow({ axis, ratio, interval, value, own = false, children }: RatioRowProps) {
  const at = (of: number): string => `${axis.place(of)}%`
  return (
    <li className={`${classes.row} ruled`} data-own={own}>
      <p>{children}</p>
      <svg className={classes.plot} width="100%" height="26" aria-hidden>
        <line className={classes.one} x1={at(1)} x2={at(1)} y1="0" y2="26" />
        {interval !== null && (
          <line className={classes.interval} x1={at(interval.low)} x2={at(interval.high)} y1="13" y2="13" />
        )}
        <circle className={classes.ratio} cx={at(ratio)} cy="13" r="6" />
      </svg>
      <p className="right no-wrap numbers">{value}</p>
    </li>
  )
}
