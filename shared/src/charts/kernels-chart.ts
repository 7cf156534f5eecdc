/** Each effect of a lab over kernels, as a small plot of its ratios, with a line where its level changes. */
import { scalePoint } from 'd3-scale'
import type { KernelSeries } from '../compare/by-kernel.ts'
import { formatRatio } from '../compare/words.ts'
import { axisTitle } from '../features/metrics.ts'
import { formatChange } from '../base/units.ts'
import { ratioAxis, ratioTick } from './draw/axis.ts'
import { labelsBelow, leftAxis, note, RADIUS, STROKE, valueDot, type Chart, type Frame } from './draw/chart.ts'
import { bracket, group, line as lineThrough, moved, text, upright, type Mark } from './draw/marks.ts'

const GAP = 24

/** `6.12.117` of `6.12.117+deb12-cloud-amd64`: the rest is alike, and too long for an axis. */
function shortOf(release: string): string {
  return /^[\d.]+(?:[~-]?rc\d+)?/.exec(release)?.[0] ?? release
}

function headOf({ caseId, name, metric }: KernelSeries): string {
  return [name, caseId, axisTitle(metric)].filter((part) => part !== null).join(', ')
}

function plot({ points, changes }: KernelSeries, frame: Frame): { readonly marks: Mark[]; readonly height: number } {
  const { width, text: size } = frame
  const [left, right, top] = [size * 3.4, width - size * 1.6, size * 0.6]
  const bottom = top + size * 12
  const axis = ratioAxis(points.map(({ value, interval }) => ({ ratio: value, interval })))
  const y = (ratio: number): number => bottom - (axis.place(ratio) / 100) * (bottom - top)
  const scale = scalePoint(
    points.map(({ kernel }) => kernel),
    [left, right],
  ).padding(0.3)
  const x = (kernel: string): number => scale(kernel) ?? left
  const grid = leftAxis(
    axis.ticks.map((tick) => ({ y: y(tick), words: ratioTick(tick), strong: tick === 1 })),
    [left, width],
    size,
  )
  const changed = changes.map(({ kernel, previous, before, after }) => {
    const at = (x(previous) + x(kernel)) / 2
    const words = `from ${previous} to ${kernel}: ${formatRatio(before)} to ${formatRatio(after)}`
    return group([upright(at, top, bottom, 'bad', { strokeWidth: 2, strokeDasharray: '5 4' })], words)
  })
  const dots = points.map(({ kernel, value, interval }) => {
    const sure = interval === null ? [] : bracket([x(kernel), y(interval.low)], [x(kernel), y(interval.high)])
    return group([...sure, valueDot(x(kernel), y(value), size * RADIUS, 'on')], `${kernel}: ${formatRatio(value)}`)
  })
  const through = points.map(({ kernel, value }) => [x(kernel), y(value)] as const)
  const names = labelsBelow(
    points.map(({ kernel }) => ({ x: x(kernel), words: shortOf(kernel) })),
    bottom + 8,
    frame,
  )
  return {
    marks: [...grid, ...changed, lineThrough(through, 'on', { strokeWidth: size * STROKE }), ...dots, ...names.marks],
    height: bottom + 8 + names.height,
  }
}

/** The ratios below each other, each on an axis of its own. Null without a ratio. @param series of all kinds */
export function kernelsChart(series: readonly KernelSeries[], title: string, frame: Frame): Chart | null {
  const ratios = series.filter(({ against }) => against !== null)
  if (ratios.length === 0) return null
  const { text: size } = frame
  let top = 0
  const marks = ratios.map((one) => {
    const { marks: inner, height } = plot(one, frame)
    const placed = moved(0, top, [
      text(0, size, headOf(one), { fontSize: size, fontWeight: 600 }),
      moved(0, size * 1.6, inner),
    ])
    top += height + size * 1.6 + GAP
    return placed
  })
  const foot = note(
    'Ratio to the first arm, on logarithmic axes. Brackets are 95 % intervals. A dashed line is a change of the level.',
    top,
    frame,
  )
  const described = ratios.map((one) => {
    const changes = one.changes.map(
      ({ previous, kernel, before, after }) =>
        `${formatChange((after / before - 1) * 100)} from ${previous} to ${kernel}`,
    )
    return `${headOf(one)}: ${changes.length === 0 ? 'no change' : changes.join(', ')}.`
  })
  return {
    title,
    description: described.join(' '),
    width: frame.width,
    height: top + foot.height,
    marks: [...marks, ...foot.marks],
  }
}
