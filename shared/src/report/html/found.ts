/** A report's results: an experiment's map or bars first, then every comparison. */
import { formatMetric, mainMetricOf } from '../../features/metrics.ts'
import { caseScale } from '../../compare/case-scale.ts'
import { agreementName } from '../../compare/opinion.ts'
import { familyWords } from '../../compare/control.ts'
import type { ExperimentPlan } from '../../measure/experiment.ts'
import { discardedWords } from '../../run/discarded.ts'
import { takenIn } from '../../run/run-state.ts'
import { formatChange } from '../../base/units.ts'
import { barsChart } from '../../charts/bars-chart.ts'
import { mainBars } from '../../charts/bars.ts'
import { paper, type Chart } from '../../charts/draw/chart.ts'
import { escapeMarkup as text } from '../../charts/draw/svg.ts'
import { heatMap } from '../../charts/heat-map.ts'
import { linesChart } from '../../charts/lines-chart.ts'
import { scaleChart } from '../../charts/scale-chart.ts'
import { intervalWords, verdictName } from '../../compare/words.ts'
import { chart, comparisonPart, paragraph, table } from './parts.ts'
import type { Report, ReportComparison, ReportRun } from '../model.ts'
import { capitalized } from '../../features/words.ts'
import { opinionSummary } from '../words.ts'
import { whyParts } from './why.ts'

/** With more comparisons than this, one chart of all shows more than a chart for each, and the figures are folded away. */
const SHOWN_IN_FULL = 4

/** Charts of a whole experiment: a sweep as a map, several arms side by side. */
function experimentCharts(run: ReportRun, plan: ExperimentPlan, comparisons: readonly ReportComparison[]): Chart[] {
  const over = caseScale(plan)
  if (over !== null) {
    const measured = takenIn(run).filter(({ warmup }) => !warmup)
    const [first] = plan.cases
    const metric = mainMetricOf(first?.benchmark ?? { tool: '' }, measured[0]?.values ?? {})
    return [scaleChart(plan, over, metric, measured, paper) ?? []].flat()
  }
  if (plan.arms.length < 3) return []
  const cases = comparisons.flatMap(({ case: of, comparison }) =>
    of === null ? [] : [{ caseId: of.id, arm: of.arm, against: of.against, comparison }],
  )
  if (plan.cases.length > 2) {
    return [
      heatMap(plan, cases, `${run.title}: ratio by arm and case`, paper),
      linesChart(plan, cases, `${run.title}: ratio by arm, one plot per case`, paper),
    ]
  }
  const taken = takenIn(run).filter(({ warmup }) => !warmup)
  return [barsChart(mainBars(plan, taken, cases), `${run.title}: arms side by side`, paper)]
}

function experimentPart(run: ReportRun, comparisons: readonly ReportComparison[]): string {
  if (run.plan === null) return ''
  const own = comparisons.filter(({ runId }) => runId === run.id)
  const charts = experimentCharts(run, run.plan, own).map(chart).join('')
  const judged = paragraph(familyWords(own.map(({ comparison }) => comparison)) ?? '', 'note')
  const opinions = paragraph(opinionSummary(own))
  const discarded = paragraph(discardedWords(takenIn(run).filter(({ warmup }) => !warmup)) ?? '', 'note')
  const shown = charts + opinions + judged + discarded
  return shown === '' ? '' : `<section class="card"><h3>${text(run.title)}</h3>${shown}</section>`
}

function briefPart(comparisons: readonly ReportComparison[]): string {
  const asked = comparisons.some(({ opinion }) => opinion !== undefined)
  const rows = comparisons.flatMap(({ title, opinion, comparison: { rows: all, verdict } }) => {
    const [row] = all
    if (row === undefined) return []
    const values = [formatMetric(row.metric, row.off), formatMetric(row.metric, row.on)]
    const change = [formatChange(row.changePercent), intervalWords(row)]
    const second = asked ? [opinion === undefined ? '–' : agreementName[opinion.agreement]] : []
    return [{ cells: [title, ...values, ...change, capitalized(verdictName[verdict]), ...second] }]
  })
  const head = [
    'Compared',
    'Baseline',
    'Median',
    'Change',
    '95 % interval',
    'Verdict',
    ...(asked ? ['Second opinion'] : []),
  ]
  return `<section class="card"><h3>Summary</h3>${table('', head, rows, 'brief')}</section>`
}

/** All comparisons, one after the other; empty if there are none. */
export function* foundParts(report: Report): Generator<string> {
  const { runs, comparisons } = report
  if (comparisons.length === 0) return
  const few = comparisons.length <= SHOWN_IN_FULL
  yield '<h2>Results</h2>'
  for (const run of runs) yield experimentPart(run, comparisons)
  if (!few)
    yield `${briefPart(comparisons)}<details><summary>All figures of the ${comparisons.length} comparisons</summary>`
  for (const one of comparisons) {
    const plan = runs.find(({ id }) => id === one.runId)?.plan ?? null
    yield comparisonPart(one, plan, few)
  }
  if (!few) yield '</details>'
  yield* whyParts(report)
}
