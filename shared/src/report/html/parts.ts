/** The parts of the HTML report: functions from data to markup. */
import type { Outcome } from '../../run/events.ts'
import type { ExperimentPlan } from '../../measure/experiment.ts'
import { nodesWords } from '../../compare/differences.ts'
import { formatCell, formatNamed, benchmarkKind, headOf, metricOf } from '../../features/metrics.ts'
import { cpuWords } from '../../features/cpu-placement.ts'
import { capitalized } from '../../features/words.ts'
import { settingRows } from '../../features/settings.ts'
import type { Fingerprint } from '../../measure/fingerprint.ts'
import { valueOf, type Measurement } from '../../measure/measurement.ts'
import { formatChange, formatCount, formatEffectSize } from '../../base/units.ts'
import { comparisonChart } from '../../charts/bars-chart.ts'
import type { SideHues } from '../../charts/bars.ts'
import { paper, type Chart } from '../../charts/draw/chart.ts'
import { armHue } from '../../charts/draw/palette.ts'
import { escapeMarkup as text, inlineSvg } from '../../charts/draw/svg.ts'
import { intervalWords, verdictName } from '../../compare/words.ts'
import type { OutputLine, OutputLines, ReportComparison } from '../model.ts'
import { countsOf, judgedWords, opinionWords, rowVerdict } from '../words.ts'

export function paragraph(words: string, className = ''): string {
  if (words === '') return ''
  return className === '' ? `<p>${text(words)}</p>` : `<p class="${className}">${text(words)}</p>`
}

interface TableRow {
  readonly cells: readonly string[]
  readonly warmup?: boolean
}

type TableKind = 'figures' | 'words' | 'runs' | 'brief' | 'found'

/** A table row by row. The first cell of a row is its heading. */
function* tableParts(
  caption: string,
  head: readonly string[],
  rows: Iterable<TableRow>,
  kind: TableKind,
): Generator<string> {
  const heads = head.map((name) => `<th scope="col">${text(name)}</th>`).join('')
  const title = caption === '' ? '' : `<caption>${text(caption)}</caption>`
  yield `<div class="scroll"><table class="${kind}">${title}<thead><tr>${heads}</tr></thead><tbody>`
  for (const { cells, warmup = false } of rows) {
    const [first = '', ...others] = cells
    const values = others.map((cell) => `<td>${text(cell)}</td>`).join('')
    yield `<tr${warmup ? ' data-warmup' : ''}><th scope="row">${text(first)}</th>${values}</tr>`
  }
  yield '</tbody></table></div>'
}

/** The first cell of a row is its heading. */
export function table(
  caption: string,
  head: readonly string[],
  rows: readonly TableRow[],
  kind: TableKind = 'figures',
): string {
  return [...tableParts(caption, head, rows, kind)].join('')
}

export function chart(drawn: Chart): string {
  return `<div class="chart">${inlineSvg(drawn)}</div>`
}

export function definitions(of: readonly (readonly [string, string])[]): string {
  return `<dl>${of.map(([name, value]) => `<dt>${text(name)}</dt><dd>${text(value)}</dd>`).join('')}</dl>`
}

function unlikeNotice({ differences, caution }: ReportComparison): string {
  if (differences.length === 0 && caution === null) return ''
  const items = [
    ...(caution === null ? [] : [caution]),
    ...differences.map(({ label, was, is }) => `${label}: ${was} → ${is}`),
  ]
  const lines = items.map((one) => `<li>${text(one)}</li>`)
  return `<div class="notice"><strong>Measured under different conditions</strong><ul>${lines.join('')}</ul></div>`
}

function driftWords({ comparison: { off, on } }: ReportComparison): string {
  return [off, on]
    .flatMap(({ name, drift }) =>
      drift === null ? [] : [`Drift ${name}: ${formatChange(drift.percent)} from the first repeat to the last.`],
    )
    .join(' ')
}

function pWords(p: number | null): string {
  if (p === null) return 'unknown'
  // A line ends before `adjusted` and nowhere else.
  return p < 0.001 ? '<\u{a0}0.001' : p.toFixed(3)
}

/** The hues of a comparison's arms in the experiment's other charts. */
function huesIn(plan: ExperimentPlan | null, { case: of }: ReportComparison): SideHues | undefined {
  if (plan === null || of === null) return undefined
  const hue = (arm: string) =>
    armHue(
      arm,
      plan.arms.findIndex(({ id }) => id === arm),
    )
  return { off: hue(of.against), on: hue(of.arm) }
}

/**
 * Verdict, both sentences, different conditions, the chart and all figures.
 *
 * @param plan the experiment that it is of; null for none
 */
export function comparisonPart(one: ReportComparison, plan: ExperimentPlan | null, withChart: boolean): string {
  const { title, comparison } = one
  const { off, on, rows, verdict, sentence, technical, order, seed, resamples } = comparison
  const figures = table(
    '',
    ['Median', off.name, on.name, 'Change', '95 % interval', 'p', 'Effect size', 'Verdict'],
    rows.map((row) => ({
      cells: [
        metricOf(row.metric).name,
        formatNamed(row.metric, row.off),
        formatNamed(row.metric, row.on),
        formatChange(row.changePercent),
        intervalWords(row),
        row.adjustedP === null ? pWords(row.p) : `${pWords(row.p)}, adjusted\u{a0}${pWords(row.adjustedP)}`,
        row.effectSize === null ? 'unknown' : formatEffectSize(row.effectSize),
        rowVerdict(row),
      ],
    })),
  )
  const how = `${capitalized(off.name)}: ${countsOf(off)}. ${capitalized(on.name)}: ${countsOf(on)}. Order: ${order}. Bootstrap: ${formatCount(resamples)} resamples, seed ${seed}.`
  return [
    `<section class="card"><h3>${text(title)}</h3>`,
    `<p class="verdict" data-verdict="${verdict}">${text(capitalized(verdictName[verdict]))}</p>`,
    paragraph(sentence),
    paragraph(opinionWords(one)),
    paragraph(technical, 'technical'),
    paragraph(driftWords(one), 'technical'),
    unlikeNotice(one),
    withChart ? chart(comparisonChart(comparison, title, paper, huesIn(plan, one))) : '',
    figures,
    paragraph(judgedWords(comparison), 'note'),
    paragraph(how, 'note'),
    '</section>',
  ].join('')
}

function unknownOr(value: string | null): string {
  return value ?? 'unknown'
}

/** A measurement's environment, complete. */
export function environmentPart(of: Fingerprint): string {
  const { cpu, placement } = of
  return definitions([
    ['Testbed', `${of.testbed}, ${of.name}`],
    ['Kernel', of.kernel],
    ['Operating system', of.os],
    ['CPU', `${cpu.count} × ${cpu.model}, governor ${unknownOr(cpu.governor)}`],
    ['Load at the start', unknownOr(of.load?.toFixed(2) ?? null)],
    ...settingRows(of.settings),
    ['CPU placement', cpuWords(of.cpus)],
    ['MTU of the pods', unknownOr(of.mtu === null ? null : `${formatCount(of.mtu)} bytes`)],
    ['Pods', placement === null ? 'unknown' : `${placement.variant}, ${nodesWords(placement.nodes)}`],
    ...Object.entries(of.versions).map(([key, version]): [string, string] => [`Version of ${key}`, version]),
    ...Object.entries(of.images).map(([key, digest]): [string, string] => [`Image of ${key}`, digest]),
    ['Incarnation', of.incarnation],
  ])
}

function* each<From, To>(of: Iterable<From>, change: (one: From) => To): Generator<To> {
  for (const one of of) yield change(one)
}

/** The runs of one tool, in the order taken; warm-ups are marked. */
function* toolParts(taken: readonly Measurement[], plan: ExperimentPlan | null): Generator<string> {
  const [first] = taken
  if (first === undefined) return
  const { columns } = benchmarkKind(first.benchmark, first.values)
  const arm = ({ arm: id }: Measurement): string => plan?.arms.find((one) => one.id === id)?.label ?? id
  const benchmark = ({ caseId: id }: Measurement): string[] =>
    id === null ? [] : [plan?.cases.find((one) => one.id === id)?.label ?? id]
  const row = (one: Measurement): TableRow => ({
    warmup: one.warmup,
    cells: [
      `${one.repeat}${one.warmup ? ' (warm-up, excluded)' : ''}`,
      [arm(one), ...benchmark(one)].join(': '),
      ...columns.map((metric) => formatCell(metric, valueOf(one, metric))),
    ],
  })
  yield* tableParts('', ['Repeat', 'Arm', ...columns.map(headOf)], each(taken, row), 'runs')
}

/** All benchmark runs row by row, one table per tool. */
export function* measurementParts(taken: readonly Measurement[], plan: ExperimentPlan | null): Generator<string> {
  for (const [, of] of Map.groupBy(taken, ({ benchmark, values }) => benchmarkKind(benchmark, values).columns)) {
    yield* toolParts(of, plan)
  }
}

function outputLine({ kind, where, text: words }: OutputLine): string {
  if (kind === 'command') return `<b>${text(where === '' ? `$ ${words}` : `${where} $ ${words}`)}</b>`
  return kind === 'stdout' || kind === 'stopped' ? text(words) : `<i>${text(words)}</i>`
}

/** Folded away, complete, line by line. */
export function* outputParts(output: OutputLines): Generator<string> {
  if (output.length === 0) return
  yield `<details><summary>Raw output, ${formatCount(output.length)} lines</summary><pre>`
  let before = ''
  for (const line of output) {
    yield before + outputLine(line)
    before = '\n'
  }
  yield '</pre></details>'
}

/** A longer list is folded away if all its values are as expected. */
const CHECKS_SHOWN = 12

/** Each observed value next to the expected one. */
export function checkedPart(observations: Outcome['observations']): string {
  if (observations.length === 0) return ''
  const rows = observations.map(({ label, expected, seen, ok }) => ({
    cells: [label, expected ?? '–', seen, ok ? 'as expected' : 'not as expected'],
  }))
  const head = ['Value', 'Expected', 'Found', '']
  if (observations.length <= CHECKS_SHOWN || observations.some(({ ok }) => !ok)) {
    return table('Checked', head, rows, 'words')
  }
  const summary = `Checked: ${observations.length} values, all as expected`
  return `<details><summary>${summary}</summary>${table('', head, rows, 'words')}</details>`
}
