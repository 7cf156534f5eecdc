/** Where a room got stuck, by step: as CSV (RFC 4180), and as one HTML file without scripts or external resources. */
import { escapeMarkup as text } from '../../../charts/draw/svg.ts'
import type { StepFigures } from '../../../wire/board.ts'
import { csvCell } from '../../csv.ts'
import { paragraph, table } from '../../html/parts.ts'
import { documentHead } from '../../html/style.ts'
import { formatInstant } from '../../words.ts'
import { peopleAt } from './figures.ts'
import type { Learner } from './learner.ts'
import type { StepsReport } from './model.ts'
import { factorWords, medianWords, secondsWords, stuckWords } from './words.ts'

type ReportStep = StepsReport['lab']['steps'][number]

interface Line {
  readonly step: ReportStep
  readonly figures: StepFigures
  readonly here: string
  readonly left: string
}

const namesOf = (people: readonly Learner[]): string => people.map(({ name }) => name).join('; ')

function linesOf({ lab, figures, learners, moment }: StepsReport): Line[] {
  return figures.steps.flatMap((one) => {
    const step = lab.steps.find(({ id }) => id === one.stepId)
    const { here, left } = peopleAt(one.stepId, learners, moment)
    return step === undefined ? [] : [{ step, figures: one, here: namesOf(here), left: namesOf(left) }]
  })
}

const columns: readonly (readonly [string, (line: Line) => Parameters<typeof csvCell>[0]])[] = [
  ['step', ({ step }) => step.number],
  ['step_id', ({ step }) => step.id],
  ['title', ({ step }) => step.title],
  ['learners', ({ figures }) => figures.reached],
  ['passed', ({ figures }) => figures.passed],
  ['median_s', ({ figures }) => figures.seconds.median],
  ['lower_quartile_s', ({ figures }) => figures.seconds.low],
  ['upper_quartile_s', ({ figures }) => figures.seconds.high],
  ['longest_s', ({ figures }) => figures.seconds.longest],
  ['factor', ({ figures }) => figures.factor],
  ['failures', ({ figures }) => figures.failures],
  ['hints', ({ figures }) => figures.hints],
  ['solves', ({ figures }) => figures.solves],
  ['hands_up', ({ figures }) => figures.hands],
  ['left', ({ figures }) => figures.left],
  ['here', ({ figures }) => figures.here],
  ['stands_out', ({ figures }) => figures.standsOut.join(' ')],
]
const nameColumns: typeof columns = [
  ['names_here', ({ here }) => here],
  ['names_left', ({ left }) => left],
]

/** Ends with a line break, as every record does. */
export function stepsCsv(report: StepsReport): string {
  const used = report.named ? [...columns, ...nameColumns] : columns
  const head = used.map(([name]) => csvCell(name))
  const lines = linesOf(report).map((line) => used.map(([, value]) => csvCell(value(line))))
  return [head, ...lines].map((cells) => `${cells.join(',')}\r\n`).join('')
}

const nameOf = ({ number, title }: ReportStep): string => `${number}. ${title}`

function quartileWords({ low, high }: StepFigures['seconds']): string {
  if (low === null) return '–'
  return high === null ? `from ${secondsWords(low)}` : `${secondsWords(low)} to ${secondsWords(high)}`
}

function cellsOf({ step, figures }: Line): string[] {
  const { reached, passed, seconds, failures, hints, solves, hands, left, here } = figures
  const counts = [`${failures} (${hints})`, ...[solves, hands, left, here].map(String)]
  const times = [medianWords(figures) ?? '–', quartileWords(seconds), factorWords(figures) ?? '–']
  return [nameOf(step), `${passed} of ${reached}`, ...times, ...counts]
}

function peoplePart(lines: readonly Line[]): string {
  const rows = lines.flatMap(({ step, here, left }) =>
    here === '' && left === '' ? [] : [{ cells: [nameOf(step), here, left] }],
  )
  return `<h2>People</h2>${table('', ['Step', 'At it now', 'Left at it'], rows, 'found')}`
}

const METHOD =
  'Times are the learners’ own: the time in which their runs waited or ran does not count. Learners who have not passed yet count with their time so far (Kaplan-Meier). The expected time follows from the time that the text takes to read, at the pace of the room at the other steps.'

export function stepsHtml(report: StepsReport): string {
  const { lab, figures, named, madeBy, moment } = report
  const title = `${lab.title}: where the room got stuck`
  const times = ['Median time', 'Quartiles', 'Times expected']
  const head = ['Step', 'Passed', ...times, 'Failed (hints)', 'Solves', 'Hands up', 'Left', 'Here']
  const lines = linesOf(report)
  const titleOf = (stepId: string): string => {
    const step = lab.steps.find(({ id }) => id === stepId)
    return step === undefined ? stepId : `step ${step.number}, “${step.title}”`
  }
  return [
    documentHead(title),
    `<header><p>Report of a room</p><h1>${text(title)}</h1>${paragraph(lab.question)}</header>`,
    `<section class="card">${stuckWords(figures, titleOf)
      .map((words) => paragraph(words))
      .join('')}`,
    paragraph(`${figures.learners} learners began, ${figures.finished} finished.`),
    '</section><h2>By step</h2>',
    table(
      '',
      head,
      lines.map((line) => ({ cells: cellsOf(line) })),
      'brief',
    ),
    paragraph(METHOD, 'note'),
    named ? peoplePart(lines) : '',
    `<footer><p>Created by ${text(madeBy)}, ${formatInstant(moment.now)}.</p></footer></main></body></html>\n`,
  ].join('')
}
