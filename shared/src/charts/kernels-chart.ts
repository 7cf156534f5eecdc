/** The ratios of a lab over kernels: a small plot for each, and a sentence for each change of its level. */
import { i18n } from '../base/language.ts'
import { changeWords, type KernelSeries } from '../compare/by-kernel.ts'
import { ratioAxis } from './draw/axis.ts'
import { note, type Chart, type Frame } from './draw/chart.ts'
import { moved, text } from './draw/marks.ts'
import { lineChart } from './lines-chart.ts'

const GAP = 24

/** `▼ 7.0.2` of `7.0.2+deb13-cloud-amd64`: the rest is alike, and too long for an axis. */
function labelOf(kernel: string, { changes }: KernelSeries): string {
  const change = changes.find((one) => one.kernel === kernel)
  const sign = change === undefined ? '' : change.after > change.before ? '▲ ' : '▼ '
  return `${sign}${/^[\d.]+/.exec(kernel)?.[0] ?? kernel}`
}

/** The plots below each other, each on an axis of its own. Null without a ratio. @param series of all kinds */
export function kernelsChart(series: readonly KernelSeries[], title: string, frame: Frame): Chart | null {
  const ratios = series.filter(({ against }) => against !== null)
  if (ratios.length === 0) return null
  const { text: size } = frame
  let top = 0
  const plots = ratios.map((one) => {
    const rows = one.points.map(({ kernel, value: ratio, interval }) => ({
      arm: kernel,
      label: labelOf(kernel, one),
      baseline: false,
      row: { ratio, interval, changePercent: (ratio - 1) * 100 },
    }))
    const label = [one.name, one.caseId].filter((part) => part !== null).join(', ')
    const plot = lineChart({ of: { label }, cells: rows }, ratioAxis(rows.map(({ row }) => row)), frame)
    const head = text(0, size, label, { fontSize: size, fontWeight: 600 })
    const marks = moved(0, top, [head, moved(0, size * 1.6, plot.marks)])
    top += plot.height + size * 1.6 + GAP
    return { marks, description: `${label}: ${plot.description}` }
  })
  const changes = ratios.flatMap(changeWords)
  const words = [
    i18n.t(
      'Ratio to the first arm, on logarithmic axes. Brackets are 95 % intervals. A triangle marks a change of the level.',
    ),
    ...(changes.length === 0 ? [i18n.t('No level changes.')] : changes),
  ]
  const foot = note(words.join(' '), top, frame)
  return {
    title,
    description: [...plots.map(({ description }) => description), ...changes].join(' '),
    width: frame.width,
    height: top + foot.height,
    marks: [...plots.map(({ marks }) => marks), ...foot.marks],
  }
}
