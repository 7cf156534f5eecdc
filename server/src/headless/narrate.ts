/** Progress lines for the terminal. */
import { formatClockTime, type Clock } from '@expresslane/shared/measure/clock'
import type { RunEvent } from '@expresslane/shared/run/events'
import { publishedLines } from '@expresslane/shared/compare/published'
import type { Comparison } from '@expresslane/shared/compare/comparison'
import { familyWords } from '@expresslane/shared/compare/control'
import { tallySentence } from '@expresslane/shared/compare/opinion'
import type { LabResult } from '@expresslane/shared/wire/headless'
import { familyName, formatCount } from '@expresslane/shared/base/units'
import type { Lab } from '@expresslane/shared/labs/lab'
import { formatMetric, benchmarkKind, metricOf } from '@expresslane/shared/features/metrics'
import { queueWords } from '@expresslane/shared/run/queue-words'
import { exhibitLines } from './exhibit-lines.ts'

const marks = { passed: 'ok', warning: 'warning', failed: 'FAILED' } as const

/**
 * @param clock of the testbed, null before its facts are read
 * @returns the lines for one event; none for events that the terminal does not show
 */
export function narrate(lab: Lab, event: RunEvent, clock: Clock): string[] {
  if (event.type === 'run.started') {
    const number = lab.steps.findIndex((step) => step.id === event.stepId)
    const title = lab.steps[number]?.title ?? 'Reset'
    return ['', number < 0 ? title : `${number + 1}. ${title}`]
  }
  if (event.type === 'run.queued') return [`   waiting: ${queueWords(event)}`]
  if (event.type === 'preflight.checked') {
    const { check } = event
    const remedy = check.status === 'passed' || check.remedy === null ? [] : [`      ${check.remedy}`]
    const command = remedy.length === 0 || check.remedyCommand === null ? [] : [`      ${check.remedyCommand}`]
    return [`   ${marks[check.status]}: ${check.title}: ${check.seen}`, ...remedy, ...command]
  }
  if (event.type === 'experiment.planned') {
    return (event.leftOut ?? []).map(({ label, reason }) => `   left out here: ${label}: ${reason}`)
  }
  if (event.type === 'command.started') return [`   $ ${event.typed}`]
  if (event.type === 'repeat.started') {
    const { repeat, repeats, seconds, caseId, arm, warmup } = event
    const of = caseId === null ? '' : `${arm}, ${caseId}${warmup ? ' (warm-up, excluded)' : ''}, `
    return [`   repeat ${repeat} of ${repeats}, ${of}${formatClockTime(seconds, clock)}`]
  }
  if (event.type === 'progress') return [`   ${event.subject === null ? '' : `${event.subject}: `}${event.message}`]
  if (event.type === 'sample.taken') {
    const { atSeconds, omitted, values } = event.sample
    const [live] = Object.entries(values)
    if (live === undefined) return []
    return [`      ${formatClockTime(atSeconds, clock, 1)}  ${formatMetric(...live)}${omitted ? ' (excluded)' : ''}`]
  }
  if (event.type === 'measurement.taken') {
    const { benchmark, values } = event.measurement
    const figures = benchmarkKind(benchmark, values).columns.flatMap((metric) => {
      const value = values[metric] ?? null
      return value === null ? [] : [metricOf(metric).say(value)]
    })
    return [`   ${figures.join(', ')}`]
  }
  if (event.type === 'exhibit.found') return exhibitLines(event.exhibit)
  if (event.type === 'step.checked') {
    const { passed, sentence, observations, hint, leftOut } = event.outcome
    const wrong = observations.filter((one) => !one.ok)
    return [
      `   ${leftOut ? 'left out' : passed ? 'ok' : 'NOT OK'}: ${sentence}`,
      ...wrong.map(({ label, expected, seen }) => {
        const wanted = expected === null ? 'not as expected' : `expected ${expected}`
        return `      ${label}: ${wanted}, found ${seen}`
      }),
      ...(hint === null ? [] : [`      ${hint}`]),
    ]
  }
  if (event.type === 'run.ended' && event.problem !== null) {
    const { code, message, remedy, remedyCommand, detail } = event.problem
    return [
      `   ${event.state}: ${message} (${code})`,
      `      ${remedy}`,
      ...(remedyCommand === null ? [] : [`      ${remedyCommand}`]),
      ...(detail === null ? [] : [`      ${detail}`]),
    ]
  }
  return []
}

/** Metrics that explain a result and are not goals: `Packets per request: 2.00 without it, 1.00 with it.` */
function explain({ off, on, rows }: Comparison): string[] {
  return rows
    .filter(({ better }) => better === 'neither')
    .map((row) => {
      const { name, format } = metricOf(row.metric)
      return `${name}: ${format(row.off)} ${off.name}, ${format(row.on)} ${on.name}.`
    })
}

/** `   on, rr: 9 % faster here (4 to 15); 11.8 % fewer instructions (11.2 to 12.4)`, and the possible reasons. */
function opinionLines({ state, problem, leftOut, comparisons }: NonNullable<LabResult['opinions']>[number]): string[] {
  const head = ['', 'Second opinion, of the counted machine:']
  if (state !== 'completed') {
    const why = problem === null ? [] : [`   ${problem.message}`, `   ${problem.remedy}`]
    const command = problem?.remedyCommand ?? null
    return [...head, `   none: its run is ${state}.`, ...why, ...(command === null ? [] : [`   ${command}`])]
  }
  return [
    ...head,
    ...leftOut.map(({ label, reason }) => `   left out there: ${label}: ${reason}`),
    ...comparisons.flatMap(({ caseId, arm, sentence, meaning }) => [
      `   ${arm}${caseId === null ? '' : `, ${caseId}`}: ${sentence}`,
      `      ${meaning}`,
    ]),
    ...(comparisons.length < 2 ? [] : [`   ${tallySentence(comparisons)}`]),
  ]
}

/** The same changes as others published them. */
function publishedIn(feature: string, { plans, comparisons }: LabResult): string[] {
  const lines = plans.flatMap(({ steps, plan }) =>
    publishedLines(feature, { plan, comparisons: comparisons.filter(({ step }) => steps.includes(step)) }),
  )
  return lines.length === 0 ? [] : ['Published by others:', ...lines.map((line) => `   ${line}`)]
}

/**
 * The last lines that a completed lab prints.
 *
 * @param feature the lab's
 */
export function summarise(feature: string, result: LabResult): string[] {
  const { comparisons, captures, opinions = [] } = result
  const [only] = comparisons
  const alone = comparisons.length === 1 && only !== undefined ? explain(only.comparison) : []
  const payloads = captures.map(({ arm, family, packets }) => {
    const sizes = packets.flatMap(({ direction, payload }) =>
      direction === 'request' && payload > 0 ? [formatCount(payload)] : [],
    )
    const count = sizes.length === 1 ? '1 packet' : `${sizes.length} packets`
    return `${familyName[family]}, ${arm}: the request took ${count}: ${sizes.join(' + ')} bytes`
  })
  // Each result's comparisons are judged together.
  const judged = [...Map.groupBy(comparisons, ({ step }) => step).values()].flatMap(
    (all) => familyWords(all.map(({ comparison }) => comparison)) ?? [],
  )
  const found = comparisons.map(({ comparison }) => comparison.sentence)
  return [
    '',
    ...found,
    ...judged,
    ...alone,
    ...payloads,
    ...opinions.flatMap(opinionLines),
    ...publishedIn(feature, result),
  ]
}
