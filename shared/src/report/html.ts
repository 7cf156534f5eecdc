/** A report as one HTML file: no script, nothing fetched; opens from a disk and prints. */
import { formatCount } from '../units.ts'
import { armsChart } from './arms-chart.ts'
import { heatMap } from './heat-map.ts'
import { linesChart } from './lines-chart.ts'
import {
  chart,
  comparisonPart,
  definitions,
  environmentPart,
  measurementsPart,
  outputPart,
  paragraph,
  table,
} from './html-parts.ts'
import { reportStyle } from './html-style.ts'
import type { Report, ReportComparison, ReportRun } from './model.ts'
import { packetsChart } from './packets-chart.ts'
import { documentPalette } from './palette.ts'
import { escapeMarkup as text } from './svg.ts'
import { timeChart } from './time-chart.ts'
import { takenIn } from '../run-state.ts'
import { formatInstant, testbedWords } from './words.ts'

/** With more comparisons than these a chart for each says less than the one of all. */
const CHARTS_EACH = 4

/** Charts of an experiment as a whole: a sweep as a map, several arms beside each other. */
function experimentCharts(run: ReportRun, comparisons: readonly ReportComparison[]): string {
  const { plan } = run
  if (plan === null || plan.arms.length < 3) return ''
  const cases = comparisons.flatMap(({ runId, case: of, comparison }) =>
    runId === run.id && of !== null ? [{ caseId: of.id, arm: of.arm, against: of.against, comparison }] : [],
  )
  if (plan.cases.length > 2) {
    return (
      chart(heatMap(plan, cases, `${run.title}: change by arm and case`, documentPalette)) +
      chart(linesChart(plan, cases, `${run.title}: change by arm, a plot a case`, documentPalette))
    )
  }
  const taken = takenIn(run).filter(({ warmup }) => !warmup)
  return chart(armsChart(plan, taken, `${run.title}: arms beside each other`, documentPalette))
}

function capturePart({ capture, title }: ReportRun): string {
  if (capture === null) return ''
  const rows = capture.packets
    .filter(({ payload }) => payload > 0)
    .map(({ at, direction, again, length, payload, flags, lengthField, jumbo }, place) => ({
      cells: [
        String(place + 1),
        `${at.toFixed(0)} µs`,
        again ? `${direction}, again` : direction,
        formatCount(length),
        formatCount(payload),
        flags,
        formatCount(lengthField),
        jumbo === null ? 'none' : formatCount(jumbo),
      ],
    }))
  const head = ['Data packet', 'At', 'Direction', 'Bytes', 'Payload', 'Flags', 'Length field', 'Jumbo header']
  return (
    paragraph(`As seen on ${capture.device} of ${capture.node}.`) +
    chart(packetsChart(capture, `${title}: packets of one request`, documentPalette)) +
    table('', head, rows)
  )
}

function runPart(run: ReportRun, comparisons: readonly ReportComparison[]): string {
  const { title, state, startedAt, testbed, outcome, problem, repeats, plan, id } = run
  const arms = plan?.arms.map((arm) => arm.id) ?? []
  const taken = takenIn(run)
  const [first] = taken.flatMap(({ fingerprint }) => fingerprint ?? [])
  const observed = (outcome?.observations ?? []).map(({ label, expected, seen, ok }) => ({
    cells: [label, expected ?? '–', seen, ok ? 'as expected' : 'not as expected'],
  }))
  return [
    `<section class="card"><h3>${text(title)}</h3>`,
    paragraph(`${formatInstant(startedAt)}, ${testbedWords[testbed]}, ${state}. Run ${id}.`, 'note'),
    problem === null ? '' : paragraph(`${problem.message} ${problem.detail ?? ''}`),
    outcome === null ? '' : paragraph(outcome.sentence),
    experimentCharts(run, comparisons),
    chart(timeChart(repeats, arms, `${title}: over time`, documentPalette)),
    capturePart(run),
    taken.length === 0 ? '' : measurementsPart(taken),
    observed.length === 0 ? '' : table('Checked', ['What', 'Expected', 'Seen', ''], observed, 'words'),
    first === undefined
      ? ''
      : `<details><summary>Environment of its first measurement</summary>${environmentPart(first)}</details>`,
    outputPart(run.output),
    '</section>',
  ].join('')
}

function factsPart({ runs }: Report): string {
  const facts = runs.findLast((run) => run.facts !== null)?.facts ?? null
  if (facts === null) return ''
  return definitions([
    ['Measured on', facts.kind === 'netns' ? testbedWords.netns : `${facts.name}, ${testbedWords[facts.kind]}`],
    ['Kernel', facts.kernel],
    ['Operating system', facts.os],
    ['CPU', `${facts.cpu.count} × ${facts.cpu.model}`],
    [
      'Versions',
      Object.entries(facts.versions)
        .map(([key, version]) => `${key} ${version}`)
        .join(', '),
    ],
  ])
}

const ABOUT: Readonly<Record<Report['about'], string>> = {
  session: 'Report of a session',
  run: 'Report of a run',
  comparison: 'Report of two runs side by side',
}

const RECORDING =
  '<div class="notice"><strong>This is a recording</strong><p>A real run, played back. Nothing was measured when this was made.</p></div>'

export function htmlReport(report: Report): string {
  const { title, about, recording, lab, runs, comparisons, madeAt, madeBy } = report
  const charts = comparisons.length <= CHARTS_EACH
  const found = comparisons.map((one) => comparisonPart(one, charts)).join('')
  return [
    '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    // From a disk there is no server to forbid what a report never needs.
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    `<title>${text(title)}</title><style>${reportStyle}</style></head><body><main>`,
    `<header><p>${ABOUT[about]}</p><h1>${text(title)}</h1>`,
    lab === null ? '' : paragraph(lab.question),
    recording ? RECORDING : '',
    '</header>',
    factsPart(report),
    comparisons.length === 0 ? '' : `<h2>What was found</h2>${found}`,
    '<h2>What was run</h2>',
    runs.map((run) => runPart(run, comparisons)).join(''),
    `<footer><p>Made by ${text(madeBy)}, ${formatInstant(madeAt)}.</p></footer></main></body></html>\n`,
  ].join('')
}
