import { maxOf } from '@expresslane/shared/measure/extremes'
import type { Lab } from '@expresslane/shared/labs/lab'
import { stackDots } from '@expresslane/shared/compare/dot-plot'
import { ratioAxis } from '@expresslane/shared/compare/ratio-axis'
import { medianInterval } from '@expresslane/shared/compare/stats/median-interval'
import { metricOf } from '@expresslane/shared/features/metrics'
import { familyName } from '@expresslane/shared/measure/units'
import { capitalized } from '@expresslane/shared/features/words'
import { useElementSize } from '@mantine/hooks'
import { formatRatio } from '../../words/comparison.ts'
import type { Standing } from '../standing.ts'
import classes from './results-plot.module.css'

const RADIUS = 7
/** A dot with the gap to the next one. */
const DOT = 2 * RADIUS + 2
const AXIS = 30
const TOP = 12
/** Stacks higher than this move closer together. */
const TALLEST = 150
/** Before the first measurement of the element. */
const USUAL_WIDTH = 640

type Result = NonNullable<NonNullable<Standing['seat']>['result']>

interface Named {
  readonly name: string
  readonly result: Result
}

/** The results to show on one axis: those of the metric that most people have. */
function comparable(lines: readonly Standing[]): Named[] {
  const all = lines.flatMap(({ person, seat }) => {
    const result = seat?.result ?? null
    return result === null ? [] : [{ name: person.name, result }]
  })
  const groups = Map.groupBy(all, ({ result }) => `${result.metric} ${result.family}`)
  return [...groups.values()].toSorted((a, b) => b.length - a.length)[0] ?? []
}

/** Everybody's result as a dot, with the room's median and its interval. */
export function ResultsPlot({ lab, lines }: { lab: Lab; lines: readonly Standing[] }) {
  const { ref, width: measured } = useElementSize()
  const named = comparable(lines)
  const ratios = named.map(({ result }) => result.ratio)
  const room = medianInterval(ratios)
  const first = named[0]?.result
  if (room === null || first === undefined) {
    return <p className={classes.none}>Results appear here as soon as somebody has measured both sides.</p>
  }
  const width = measured === 0 ? USUAL_WIDTH : measured
  const axis = ratioAxis(ratios.map((ratio) => ({ ratio, interval: null })))
  const at = (ratio: number): number => (axis.place(ratio) / 100) * width
  const dots = stackDots(ratios.map(at), DOT)
  const levels = maxOf(dots.map(({ level }) => level))
  const step = levels === 0 ? DOT : Math.min(DOT, (TALLEST - DOT) / levels)
  const floor = TOP + levels * step + DOT
  const { median, interval } = room
  const people = `${named.length} ${named.length === 1 ? 'result' : 'results'}`
  return (
    <figure className={classes.plot}>
      <figcaption className={classes.caption}>
        <span>
          {metricOf(first.metric).name}, {familyName[first.family]}: {sides(lab)}
        </span>
        <span className={classes.median}>
          Median of {people}: <strong>{formatRatio(median)}</strong>
          {interval !== null && `, ${interval.low.toFixed(2)} to ${interval.high.toFixed(2)}`}
        </span>
      </figcaption>
      <div ref={ref}>
        <svg width="100%" height={floor + AXIS} className={classes.svg} aria-hidden>
          {interval !== null && (
            <rect
              className={classes.band}
              x={at(interval.low)}
              width={Math.max(2, at(interval.high) - at(interval.low))}
              y="0"
              height={floor}
            />
          )}
          {axis.ticks.map((tick) => (
            <g key={tick}>
              <line className={tick === 1 ? classes.one : classes.grid} x1={at(tick)} x2={at(tick)} y1="0" y2={floor} />
              <text x={at(tick)} y={floor + 22} textAnchor="middle" data-one={tick === 1}>
                {`×${Number(tick.toFixed(2))}`}
              </text>
            </g>
          ))}
          <line className={classes.axis} x1="0" x2={width} y1={floor} y2={floor} />
          <line className={classes.middle} x1={at(median)} x2={at(median)} y1="0" y2={floor} />
          {dots.map(({ x, level }, index) => (
            <circle key={`${named[index]?.name} ${index}`} cx={x} cy={floor - RADIUS - 2 - level * step} r={RADIUS}>
              <title>{`${named[index]?.name}: ${formatRatio(ratios[index] ?? 1)}`}</title>
            </circle>
          ))}
        </svg>
      </div>
      <p className={classes.note}>
        {interval === null
          ? 'One dot per participant. The median gets an interval when there are 6 results.'
          : `One dot per participant. The band is the confidence interval of the median: ${Math.floor(interval.coverage * 100)} % or more.`}
      </p>
    </figure>
  )
}

/** `BIG TCP on vs. off`: the last arm over the first. */
function sides({ arms }: Lab): string {
  const [first, last] = [arms[0]?.label ?? 'before', arms.at(-1)?.label ?? 'after']
  return `${capitalized(last)} vs. ${first}`
}
