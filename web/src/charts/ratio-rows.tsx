/** Ratios below each other, on one axis. */
import { i18n } from '@expresslane/shared/base/language'
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
  /** Shown from the beginning. */
  open: boolean
  children: (axis: RatioAxis) => ReactNode
}

/** A switch that shows rows, and their common axis below them. */
export function PublishedSwitch({ note, ratios, open, children }: PublishedSwitchProps) {
  const [shown, setShown] = useState(open)
  const id = useId()
  const axis = ratioAxis(ratios)
  return (
    <div className="stack container">
      <Checkbox
        role="switch"
        label={i18n.t('Show published results from other machines')}
        checked={shown}
        aria-checked={shown}
        aria-controls={id}
        onChange={(event) => setShown(event.currentTarget.checked)}
      />
      <div id={id} className={classes.published} hidden={!shown}>
        <div className="muted readable">{note}</div>
        {children(axis)}
        {ratios.length > 0 && <RatioTicks axis={axis} />}
      </div>
    </div>
  )
}

/** The axis below its rows. */
export function RatioTicks({ axis }: { axis: RatioAxis }) {
  return (
    <div className={classes.row} aria-hidden>
      <svg className={classes.axis} width="100%" height="28">
        {axis.ticks.map((tick) => (
          <text key={tick} x={`${axis.place(tick)}%`} y="20" textAnchor="middle" data-one={tick === 1}>
            {ratioTick(tick)}
          </text>
        ))}
      </svg>
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
  value: ReactNode
  /** Whether the result is your own: a filled mark, in place of a hollow mark for a published result. */
  own?: boolean
  /** A class with the colour of the mark. */
  look?: string
  children: ReactNode
}

/** A ratio and its interval on the common axis, with a line at no change. */
export function RatioRow({
  axis,
  ratio,
  interval,
  value,
  own = false,
  look = own ? '' : 'muted',
  children,
}: RatioRowProps) {
  const at = (of: number): string => `${axis.place(of)}%`
  return (
    <li className={`${classes.row} ruled`} data-own={own}>
      <p className={classes.name}>{children}</p>
      <p className={`${classes.value} right no-wrap numbers`}>{value}</p>
      <div className={`${classes.plot} ${look}`}>
        <svg width="100%" height="100%" aria-hidden>
          {axis.ticks.map((tick) => (
            <line
              key={tick}
              className={tick === 1 ? classes.one : classes.grid}
              x1={at(tick)}
              x2={at(tick)}
              y1="0"
              y2="100%"
            />
          ))}
          <svg y="50%" overflow="visible">
            {interval !== null && <Whisker from={at(interval.low)} to={at(interval.high)} />}
            <circle className={classes.ratio} cx={at(ratio)} cy="0" r="6" />
          </svg>
        </svg>
      </div>
    </li>
  )
}

function Whisker({ from, to }: { from: string; to: string }) {
  return (
    <>
      <line className={classes.interval} x1={from} x2={to} y1="0" y2="0" />
      <line className={classes.interval} x1={from} x2={from} y1="-6" y2="6" />
      <line className={classes.interval} x1={to} x2={to} y1="-6" y2="6" />
    </>
  )
}
