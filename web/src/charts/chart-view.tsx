import type { Chart, Frame } from '@expresslane/shared/charts/draw/chart'
import type { Mark } from '@expresslane/shared/charts/draw/marks'
import { themed } from '@expresslane/shared/charts/draw/palette'
import { createElement, useLayoutEffect, useRef, useState, type ReactNode, type RefObject, type SVGProps } from 'react'
import classes from './chart-view.module.css'

/** How marks are chosen: `choices.ts` has the ways. Charts without a choice, as a follower's, do not load them. */
export interface Choices {
  /** Whether each mark is a button; otherwise the chart is an image. */
  readonly buttons: boolean
  /** The attributes of a mark. @param name the mark's meaning in words */
  readonly attributesOf: (choice: NonNullable<Mark['choice']>, name: string) => SVGProps<SVGElement>
}

export interface ChartViewProps {
  /** Lays the chart out for its space; null for nothing to draw. */
  of: (frame: Frame) => Chart | null
  /** Whether it takes the height of its container, as on a slide. */
  fills?: boolean
  /** Whether its rows are flat, because many charts share one slide. */
  dense?: boolean
  choices?: Choices
}

/** Before the first measurement of the element, and where nothing is laid out. */
const USUAL = { width: 640, height: 320, text: 16 }

/** The space of an element, and the size of its text. */
function useRoom(): [RefObject<HTMLDivElement | null>, typeof USUAL] {
  const ref = useRef<HTMLDivElement>(null)
  const [space, setSpace] = useState(USUAL)
  useLayoutEffect(() => {
    const element = ref.current
    if (element === null) return undefined
    const measure = (): void => {
      const width = element.clientWidth || USUAL.width
      const height = element.clientHeight || USUAL.height
      const text = Number.parseFloat(getComputedStyle(element).fontSize) || USUAL.text
      setSpace((last) =>
        last.width === width && last.height === height && last.text === text ? last : { width, height, text },
      )
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, space]
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
        ...(choice === undefined ? {} : choices?.attributesOf(choice, hint ?? '')),
      },
      hint === undefined ? null : <title>{hint}</title>,
      text,
      ...drawn(inner, choices),
    ),
  )
}
