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

function cellsOf({ step, figures, here, left }: Line, named: boolean): string[] {
  const { reached, passed, seconds, failures, hints, solves, hands } = figures
  const quartiles = [seconds.low, seconds.high].map((one) => (one === null ? '–' : secondsWords(one))).join(' to ')
  const counts = [failures, hints, solves, hands, figures.left, figures.here].map(String)
  return [
    `${step.number}. ${step.title}`,
    ...[reached, passed].map(String),
    medianWords(figures) ?? '–',
    quartiles,
    factorWords(figures),
    ...counts,
    ...(named ? [here, left] : []),
  ]
}

const METHOD =
  'Times are the learners’ own: the time in which their runs waited or ran does not count. Learners who have not passed yet count with their time so far (Kaplan-Meier). “Expected” compares a step with the other steps, each measured by the time that its text takes to read.'

export function stepsHtml(report: StepsReport): string {
  const { lab, figures, named, madeBy, moment } = report
  const title = `${lab.title}: where the room got stuck`
  const names = named ? ['Names here', 'Names of people who left'] : []
  const times = ['Median time', 'Quartiles', 'Of expected']
  const head = [
    'Step',
    'Learners',
    'Passed',
    ...times,
    'Failed',
    'Hints',
    'Solves',
    'Hands up',
    'Left',
    'Here',
    ...names,
  ]
  const nameOf = (stepId: string): string => {
    const step = lab.steps.find(({ id }) => id === stepId)
    return step === undefined ? stepId : `step ${step.number}, “${step.title}”`
  }
  const rows = linesOf(report).map((line) => ({ cells: cellsOf(line, named) }))
  return [
    documentHead(title),
    `<header><p>Report of a room</p><h1>${text(title)}</h1>${paragraph(lab.question)}</header>`,
    `<section class="card">${stuckWords(figures, nameOf)
      .map((words) => paragraph(words))
      .join('')}`,
    paragraph(`${figures.learners} learners began, ${figures.finished} finished.`),
    '</section><h2>By step</h2>',
    table('', head, rows, 'words'),
    paragraph(METHOD, 'note'),
    `<footer><p>Created by ${text(madeBy)}, ${formatInstant(moment.now)}.</p></footer></main></body></html>\n`,
  ].join('')
}
