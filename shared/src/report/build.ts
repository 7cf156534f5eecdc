/** Builds reports from stored runs. Pure. */
import { publishedLines, publishedWords } from '../compare/published.ts'
import { toolName } from '../features/metrics.ts'
import type { CaseComparison } from '../compare/comparison.ts'
import { opinionsOf } from '../compare/opinion.ts'
import type { LoggedEvent } from '../run/events.ts'
import { lineOf } from '../run/fold.ts'
import { besidesArms, compareSides, sideDifferences } from '../run/compare-sides.ts'
import { fingerprintDifferences } from '../compare/differences.ts'
import type { Lab } from '../labs/lab.ts'
import type { Session } from '../wire/protocol.ts'
import { resultOfRun, resultsOf, type Result } from '../run/result.ts'
import { hasStarted, takenIn, type RunState } from '../run/run-state.ts'
import { pairsOf, sideOf, type Side, type SideName } from '../run/sides.ts'
import { kindOf, propertiesOf } from '../testbed/id.ts'
import { kinds } from '../testbed/kinds.ts'
import { epochMs, familyName } from '../base/units.ts'
import { capitalized } from '../features/words.ts'
import {
  REPORT_VERSION,
  type OutputLine,
  type OutputLines,
  type Report,
  type ReportComparison,
  type ReportRun,
} from './model.ts'

/** A run's state with all of its output, of which the state keeps only the end. */
export interface RunRecord {
  readonly run: RunState
  readonly output: OutputLines
}

export interface ReportOptions {
  readonly labs: readonly Lab[]
  readonly madeBy: string
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Second opinions on the runs. Opinions that have not completed are left out. */
  readonly opinions?: readonly RunState[]
}

/** The lines of the raw output among a run's events. */
export function outputOf(events: readonly LoggedEvent[]): OutputLine[] {
  return events.flatMap((logged): OutputLine[] => {
    const line = lineOf(logged)
    return line === null ? [] : [{ at: logged.at, kind: line.kind, where: line.where, text: line.text }]
  })
}

/** Reports are shared, so they do not name the owner. */
function withoutOwner({ id, labId, testbed, createdAt }: Session): Report['sessions'][number] {
  return { id, labId, testbed, createdAt }
}

function reportRunOf({ run, output }: RunRecord, lab: Lab | null): ReportRun {
  const { id, sessionId, labId, stepId, testbed, incarnation, state, startedAt, endedAt, params } = run
  const { plan, outcome, problem, facts, repeats, profiles, capture, exhibits } = run
  const title = lab?.steps.find((step) => step.id === stepId)?.title ?? stepId
  const head = {
    id,
    sessionId,
    labId,
    stepId,
    title,
    testbed: kindOf(testbed),
    incarnation,
    state,
    startedAt,
    endedAt,
    params,
  }
  const profiled = profiles.length === 0 ? {} : { profiles }
  return { ...head, plan, outcome, problem, facts, repeats, ...profiled, capture, exhibits, output }
}

type OpinionOn = (of: Pick<CaseComparison, 'caseId' | 'arm'>) => Pick<ReportComparison, 'opinion'>

/** Finds the second opinion on a comparison of a run. */
function opinionsOn(run: RunState, { opinions = [] }: ReportOptions): OpinionOn {
  const found = opinions.find(({ params, state }) => params.opinionOf === run.id && state === 'completed')
  const all = found === undefined ? [] : opinionsOf(run.comparisons, found)
  return ({ caseId, arm }) => {
    const one = all.find((each) => each.caseId === caseId && each.arm === arm)
    if (found === undefined || one === undefined) return {}
    const { counted, agreement, sentence, meaning } = one
    return { opinion: { runId: found.id, counted, agreement, sentence, meaning } }
  }
}

/** An experiment's own comparison. */
function caseComparisonIn(
  run: RunState,
  { caseId, arm, against, comparison }: CaseComparison,
  opinionOn: OpinionOn,
): ReportComparison {
  const one = run.plan?.cases.find(({ id }) => id === caseId)
  const first = (id: string) => takenIn(run).find((each) => each.caseId === caseId && each.arm === id) ?? null
  const [was, is] = [first(against)?.fingerprint ?? null, first(arm)?.fingerprint ?? null]
  const what = one === undefined ? (caseId ?? '') : `${one.label} (${toolName(one.benchmark)})`
  const title = `${what}: ${comparison.on.name} vs. ${comparison.off.name}`
  const differences = one === undefined ? [] : besidesArms([run], fingerprintDifferences(was, is, one.family))
  const of = caseId === null ? null : { id: caseId, arm, against }
  return {
    title,
    runId: run.id,
    case: of,
    comparison,
    differences,
    caution: null,
    ...opinionOn({ caseId, arm }),
  }
}

/** A comparison of earlier steps that each measured one arm. */
function stepComparisonIn(
  run: RunState,
  { arm, against, comparison }: CaseComparison,
  earlier: readonly RunState[],
): ReportComparison {
  function latest(id: string): Side | null {
    for (const one of earlier.toReversed()) {
      const side = sideOf(one, { arm: id, caseId: null })
      if (side !== null) return side
    }
    return null
  }
  const [before, after] = [latest(against), latest(arm)]
  const over = before?.taken[0] === undefined ? '' : ` over ${familyName[before.taken[0].family]}`
  const title = `${capitalized(comparison.on.name)} vs. ${comparison.off.name}${over}`
  const differences = before === null || after === null ? [] : sideDifferences(before, after)
  return { title, runId: run.id, case: null, comparison, differences, caution: null }
}

/** The comparisons that a run made. */
function comparisonsIn(run: RunState, earlier: readonly RunState[], options: ReportOptions): ReportComparison[] {
  const opinionOn = opinionsOn(run, options)
  return run.comparisons.map((one) =>
    one.caseId === null ? stepComparisonIn(run, one, earlier) : caseComparisonIn(run, one, opinionOn),
  )
}

function labOf(labs: readonly Lab[], id: string): Lab | null {
  return labs.find((lab) => lab.id === id) ?? null
}

function publishedIn({ feature }: Lab, results: readonly (Result | null)[]): string[] {
  return results.flatMap((result) => (result === null ? [] : publishedLines(feature, result)))
}

function reportHead(lab: Lab | null, { madeBy, now }: ReportOptions) {
  const labHead = lab === null ? null : { id: lab.id, title: lab.title, question: lab.question }
  return {
    format: 'expresslane-report',
    version: REPORT_VERSION,
    madeBy,
    madeAt: epochMs.parse(now),
    lab: labHead,
  } as const
}

/**
 * A learner's whole session.
 *
 * @param all the session's runs, oldest first; at least one. Runs that never started are left out
 */
export function sessionReport(session: Session, all: readonly RunRecord[], options: ReportOptions): Report {
  const started = all.filter(({ run }) => hasStarted(run))
  const lab = labOf(options.labs, session.labId)
  return {
    ...reportHead(lab, options),
    about: 'session',
    title: lab?.title ?? session.labId,
    recording: propertiesOf(session.testbed).isRecorded,
    sessions: [withoutOwner(session)],
    runs: started.map((one) => reportRunOf(one, lab)),
    comparisons: started.flatMap(({ run }, place) =>
      comparisonsIn(
        run,
        started.slice(0, place).map((one) => one.run),
        options,
      ),
    ),
    published:
      lab === null
        ? []
        : publishedIn(
            lab,
            resultsOf(
              lab,
              started.map(({ run }) => run),
            ),
          ),
  }
}

/** @param earlier the session's earlier runs, oldest first: a comparing step needs them */
export function runReport(
  session: Session,
  record: RunRecord,
  earlier: readonly RunState[],
  options: ReportOptions,
): Report {
  const lab = labOf(options.labs, record.run.labId)
  const run = reportRunOf(record, lab)
  return {
    ...reportHead(lab, options),
    about: 'run',
    title: `${lab?.title ?? record.run.labId}: ${run.title}`,
    recording: kinds[run.testbed].isRecorded,
    sessions: [withoutOwner(session)],
    runs: [run],
    comparisons: comparisonsIn(record.run, earlier, options),
    published: lab === null ? [] : publishedIn(lab, [resultOfRun(record.run, earlier, lab.arms)]),
  }
}

export interface NamedRun {
  readonly name: SideName
  readonly record: RunRecord
}

/** Compares any two sides, the first as "before", as the compare page does. */
export function comparisonReport(
  sessions: readonly Session[],
  before: NamedRun,
  after: NamedRun,
  options: ReportOptions,
): Report {
  const distinct = before.record.run.id === after.record.run.id ? [before] : [before, after]
  const runs = distinct.map(({ record }) => reportRunOf(record, labOf(options.labs, record.run.labId)))
  const pairs = pairsOf(before.record.run, before.name, after.record.run, after.name)
  const compared = pairs.map((pair) => ({ pair, ...compareSides(pair.before, pair.after, pairs.length) }))
  const comparisons = compared.flatMap(({ pair, comparison, differences, sameArm }): ReportComparison[] => {
    if (comparison === null) return []
    const of = pair.after.measuredCase === null ? '' : `${pair.after.measuredCase.label}: `
    const title = `${of}${of === '' ? capitalized(comparison.on.name) : comparison.on.name} vs. ${comparison.off.name}`
    return [{ title, runId: null, case: null, comparison, differences: [...differences], caution: sameArm }]
  })
  const alike = before.record.run.labId === after.record.run.labId
  return {
    ...reportHead(alike ? labOf(options.labs, before.record.run.labId) : null, options),
    about: 'comparison',
    title: `Before and after: ${runs.map(({ title }) => title).join(' / ')}`,
    recording: runs.some(({ testbed }) => kinds[testbed].isRecorded),
    sessions: sessions.map(withoutOwner),
    runs,
    comparisons,
    published: compared.flatMap(({ published }) => published.map(publishedWords)),
  }
}
