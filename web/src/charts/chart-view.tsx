import type { Chart, Frame } from '@expresslane/shared/charts/draw/chart'
import type { Mark } from '@expresslane/shared/charts/draw/marks'
import { themed } from '@expresslane/shared/charts/draw/palette'
import {
  createElement,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react'
import classes from './chart-view.module.css'

/** Marks that a person can choose. */
interface Choices {
  /** The id of the chosen mark; null for none. */
  readonly chosen: string | null
  readonly onChoose: (id: string) => void
  /** Whether each mark is a button. Otherwise the pointer alone chooses, and a table beside the chart has the buttons. */
  readonly buttons: boolean
}

export interface ChartViewProps {
  /** Lays the chart out for its room; null for nothing to draw. */
  of: (frame: Frame) => Chart | null
  /** Whether it takes the height of its container, as on a slide. */
  fills?: boolean
  /** Whether its rows are flat, because many charts share one slide. */
  dense?: boolean
  choices?: Choices
}

/** Before the first measurement of the element, and where nothing is laid out. */
const USUAL = { width: 640, height: 320, text: 16 }

/** The room of an element, and the size of its text. */
function useRoom(): [RefObject<HTMLDivElement | null>, typeof USUAL] {
  const ref = useRef<HTMLDivElement>(null)
  const [room, setRoom] = useState(USUAL)
  useLayoutEffect(() => {
    const element = ref.current
    if (element === null) return undefined
    const measure = (): void => {
      const width = element.clientWidth || USUAL.width
      const height = element.clientHeight || USUAL.height
      const text = Number.parseFloat(getComputedStyle(element).fontSize) || USUAL.text
      setRoom((last) =>
        last.width === width && last.height === height && last.text === text ? last : { width, height, text },
      )
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, room]
}

/** A chart of `shared/src/charts` on the page: the same marks as in reports and files, at the width that it gets. */
export function ChartView({ of, fills = false, dense = false, choices }: ChartViewProps) {
  const [ref, { width, height, text }] = useRoom()
  const chart = of({ width, height: fills ? height : null, text, dense })
  return (
    <div ref={ref} className={classes.chart} data-fills={fills}>
      {chart !== null && (
        <svg
          width={chart.width}
          height={chart.height}
          className={classes.svg}
          role={choices?.buttons === true ? 'group' : 'img'}
          aria-label={choices?.buttons === true ? chart.title : `${chart.title}. ${chart.description}`}
        >
          {drawn(chart.marks, choices)}
        </svg>
      )}
    </div>
  )
}

function drawn(marks: readonly Mark[], choices: Choices | undefined): ReactNode[] {
  return marks.map(({ tag, attributes, fill, stroke, text, hint, choice, marks: inner = [] }, index) =>
    createElement(
      tag,
      {
        // A mark has no id other than its place.
        key: index,
        ...attributes,
        ...(fill === undefined ? {} : { fill: themed(fill) }),
        ...(stroke === undefined ? {} : { stroke: themed(stroke) }),
        ...(choice === undefined || choices === undefined ? {} : chosenBy(choice, hint, choices)),
      },
      hint === undefined ? null : <title>{hint}</title>,
      text,
      ...drawn(inner, choices),
    ),
  )
}

const moves: Record<string, readonly [number, number]> = {
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
}

/** The attributes of a mark that can be chosen. Arrow keys move between buttons; Enter and the space bar choose. */
function chosenBy({ id, row, column }: NonNullable<Mark['choice']>, name: string | undefined, choices: Choices) {
  const { chosen, onChoose, buttons } = choices
  const pointer = { className: classes.choice, 'data-chosen': id === chosen, onClick: () => onChoose(id) }
  if (!buttons) return pointer
  const onKeyDown = (event: KeyboardEvent<SVGElement>): void => {
    const by = moves[event.key]
    if (by === undefined && event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    if (by === undefined) return onChoose(id)
    const next = `[data-at="${row + by[0]} ${column + by[1]}"]`
    event.currentTarget.ownerSVGElement?.querySelector<SVGElement>(next)?.focus()
  }
  const at = { 'data-at': `${row} ${column}`, tabIndex: 0, onKeyDown }
  return { ...pointer, ...at, role: 'button', 'aria-label': name, 'aria-pressed': id === chosen }
}
