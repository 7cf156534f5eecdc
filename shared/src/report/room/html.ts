/** The room's results as one HTML file without scripts or external resources. */
import { medianInterval, type MedianInterval } from '../../compare/stats/median-interval.ts'
import { formatMetric, metricOf } from '../../features/metrics.ts'
import { familyName, formatChange } from '../../base/units.ts'
import { paper } from '../../charts/draw/chart.ts'
import { escapeMarkup as text } from '../../charts/draw/svg.ts'
import { roomChart } from '../../charts/room-chart.ts'
import { intervalWords, verdictName } from '../../compare/words.ts'
import { chart, paragraph, table } from '../html/parts.ts'
import { documentHead } from '../html/style.ts'
import { formatInstant } from '../words.ts'
import { comparableResults, type RoomLine, type RoomReport } from './model.ts'

function medianWords(count: number, { median, interval }: MedianInterval): string {
  const results = `${count} ${count === 1 ? 'result' : 'results'}`
  const middle = `The median of ${results} is ×${median.toFixed(2)}`
  if (interval === null) return `${middle}. An interval of the median needs 6 results.`
  const { low, high, coverage } = interval
  return `${middle}. Its interval is ×${low.toFixed(2)} to ×${high.toFixed(2)}: two of the results, chosen by their rank (order statistics). Such an interval contains the true median in at least ${Math.floor(coverage * 1000) / 10} % of cases.`
}

function resultsPart({ lines }: RoomReport): string {
  const compared = comparableResults(lines)
  const [first] = compared
  const named = compared.map(({ name, row: { ratio } }) => ({ name, ratio }))
  const room = medianInterval(named.map(({ ratio }) => ratio))
  if (first === undefined || room === null) return paragraph('Nobody has measured both sides yet.')
  const title = `${metricOf(first.row.metric).name}, ${familyName[first.family]}: ratio of after to before`
  return [
    `<section class="card"><h3>${text(title)}</h3>`,
    paragraph(medianWords(named.length, room)),
    chart(roomChart(named, room, title, paper)),
    paragraph('Each dot is one person. The line is the median, and the band its interval.', 'note'),
    '</section>',
  ].join('')
}

function cellsOf({ name, passedSteps, result, testbed }: RoomLine, steps: number): string[] {
  const head = [name, testbed, `${passedSteps} of ${steps}`]
  const [row] = result?.comparison.rows ?? []
  if (result === null || row === undefined) return [...head, '–', '–', '–', '–', '–', 'no result']
  const values = [formatMetric(row.metric, row.off), formatMetric(row.metric, row.on), formatChange(row.changePercent)]
  return [...head, metricOf(row.metric).name, ...values, intervalWords(row), verdictName[result.comparison.verdict]]
}

export function roomHtml(report: RoomReport): string {
  const { lab, lines, madeAt, madeBy } = report
  const title = `${lab.title}: results of the room`
  const head = ['Name', 'Testbed', 'Steps', 'Metric', 'Before', 'After', 'Change', '95 % interval', 'Verdict']
  const rows = lines.map((line) => ({ cells: cellsOf(line, lab.steps) }))
  return [
    documentHead(title),
    `<header><p>Report of a room</p><h1>${text(title)}</h1>${paragraph(lab.question)}</header>`,
    '<h2>Results</h2>',
    resultsPart(report),
    '<h2>Everybody</h2>',
    table('', head, rows, 'words'),
    `<footer><p>Created by ${text(madeBy)}, ${formatInstant(madeAt)}.</p></footer></main></body></html>\n`,
  ].join('')
}
