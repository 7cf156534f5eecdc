/** The only fold from events to a run's state, for server, page and tests. */
import { i18n } from '../base/language.ts'
import type { CaseComparison } from '../compare/comparison.ts'
import { valuesOf } from '../measure/measurement.ts'
import type { MetricId } from '../measure/metrics.ts'
import { assertNever } from '../base/errors.ts'
import type { LoggedEvent, RunEvent } from './events.ts'
import { LOG_LINES_KEPT, type LogLine, type RepeatState, type RunState } from './run-state.ts'

/**
 * Folds a run's events, one after the other. A state that it gave away never changes: it shares its lists with the fold
 * until the next event that changes them, which copies them once. So an event costs the same in long runs as in short
 * ones, as long as states are taken less often than events arrive.
 */
export interface RunFold {
  /** The `seq` of the last event; 0 before the first. */
  readonly lastSeq: number
  /**
   * Folds the next event. An event at or below {@link RunFold.lastSeq} was folded before and changes nothing, so a
   * replay after a reconnect doubles nothing.
   *
   * @throws Error if the first event is neither `run.queued` nor `run.started`
   */
  add(logged: LoggedEvent): void
  /** Null before the first event. */
  state(): RunState | null
}

export interface FoldOptions {
  /**
   * Whether to keep the output's lines and the live samples, which grow with a run's length. @defaultValue true
   */
  readonly details?: boolean
}

type Event<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>
/** The fields that an event replaces; the lists grow instead. */
type Draft = Omit<RunState, 'log' | 'repeats' | 'checks'>

function queueOf({ event, at }: LoggedEvent): RunState['queue'] {
  return event.type === 'run.queued'
    ? { place: event.place, expectedSeconds: event.expectedSeconds, paused: event.paused, at }
    : null
}

function start(logged: LoggedEvent): RunState {
  const { event } = logged
  if (event.type !== 'run.started' && event.type !== 'run.queued') {
    throw new Error(`run ${logged.runId} begins with neither run.queued nor run.started`)
  }
  const { sessionId: session, labId, stepId, testbed, incarnation, params, solveTo } = event
  return {
    id: logged.runId,
    sessionId: session,
    labId,
    stepId,
    testbed,
    incarnation,
    params,
    solveTo,
    state: event.type === 'run.queued' ? 'queued' : 'running',
    queue: queueOf(logged),
    startedAt: logged.at,
    endedAt: null,
    lastSeq: logged.seq,
    progress: null,
    log: [],
    logDropped: 0,
    facts: null,
    checks: [],
    datapath: null,
    placement: null,
    plan: null,
    leftOut: [],
    repeats: [],
    comparisons: [],
    profiles: [],
    capture: null,
    exhibits: [],
    outcome: null,
    problem: null,
  }
}

/** The line of an event in the output; null for an event without one, such as the end of a command that succeeded. */
export function lineOf({ seq, event }: Pick<LoggedEvent, 'seq' | 'event'>): LogLine | null {
  if (event.type === 'command.started') return { seq, kind: 'command', where: event.where, text: event.typed }
  if (event.type === 'command.output') return { seq, kind: event.stream, where: '', text: event.text }
  if (event.type !== 'command.ended' || event.exitCode === 0) return null
  // Such as a capture that has its packets, or a command that a cancel stops. The end of the run names a fault, if
  // there is any.
  if (event.exitCode === null && event.signal === null) {
    return { seq, kind: 'stopped', where: '', text: i18n.t('ended by Expresslane') }
  }
  const text =
    event.exitCode === null
      ? i18n.t('ended by {signal}', { signal: event.signal })
      : i18n.t('exit {code}', { code: event.exitCode })
  return { seq, kind: 'exit', where: '', text }
}

/** The last lines, in a list that is cut only now and then. */
function createLines(from: readonly LogLine[], droppedBefore: number) {
  let lines = [...from]
  let dropped = droppedBefore
  let taken: LogLine[] | null = null
  return {
    add(line: LogLine): void {
      lines.push(line)
      taken = null
      if (lines.length < 2 * LOG_LINES_KEPT) return
      dropped += lines.length - LOG_LINES_KEPT
      lines = lines.slice(-LOG_LINES_KEPT)
    },
    take(): Pick<RunState, 'log' | 'logDropped'> {
      taken ??= lines.slice(-LOG_LINES_KEPT)
      return { log: taken, logDropped: dropped + lines.length - taken.length }
    },
  }
}

/** The values of a metric in each arm's and case's runs, in the order taken. */
function valuesIn(repeats: readonly RepeatState[]): (arm: string, caseId: string | null, metric: MetricId) => number[] {
  const key = (arm: string, caseId: string | null): string => JSON.stringify([arm, caseId])
  const counted = repeats.flatMap(({ measurement }) => (measurement === null || measurement.warmup ? [] : measurement))
  const groups = Map.groupBy(counted, ({ arm, caseId }) => key(arm, caseId))
  return (arm, caseId, metric) => valuesOf(groups.get(key(arm, caseId)) ?? [], metric)
}

/** The present comparisons with an estimate of some of them, in the order of the plan. */
function estimated(
  { comparisons, plan }: Pick<RunState, 'comparisons' | 'plan'>,
  estimate: readonly CaseComparison[],
  repeats: readonly RepeatState[],
): CaseComparison[] {
  const values = valuesIn(repeats)
  const whole = estimate.map((one): CaseComparison => {
    const { caseId, arm, against, comparison } = one
    const rows = comparison.rows.map((row) => ({
      ...row,
      offValues: values(against, caseId, row.metric),
      onValues: values(arm, caseId, row.metric),
    }))
    return { ...one, comparison: { ...comparison, rows } }
  })
  const isNew = (was: CaseComparison): boolean =>
    !whole.some(({ caseId, arm }) => caseId === was.caseId && arm === was.arm)
  const place = ({ caseId, arm }: CaseComparison): number => {
    const [cases, arms] = [plan?.cases ?? [], plan?.arms ?? []]
    return cases.findIndex(({ id }) => id === caseId) * (arms.length + 1) + arms.findIndex(({ id }) => id === arm)
  }
  return [...comparisons.filter(isNew), ...whole].toSorted((a, b) => place(a) - place(b))
}

/** The repeats by their number. Repeats in a state that was handed out are copied before they change. */
function createRepeats(from: readonly RepeatState[]) {
  let repeats = [...from]
  /** Whether a state has the list. */
  let shared = false
  /** Repeats whose samples no state has. */
  let own = new Set<RepeatState>()
  const places = new Map(repeats.map(({ repeat }, place) => [repeat, place]))

  function ownList(): RepeatState[] {
    if (shared) repeats = [...repeats]
    shared = false
    return repeats
  }

  /** A repeat that may change. */
  function change(repeat: number): RepeatState | null {
    const place = places.get(repeat)
    const known = place === undefined ? undefined : repeats[place]
    if (place === undefined || known === undefined) return null
    if (own.has(known)) return known
    const copy = { ...known, samples: [...known.samples] }
    ownList()[place] = copy
    own.add(copy)
    return copy
  }

  return {
    add(one: RepeatState): void {
      const list = ownList()
      places.set(one.repeat, list.length)
      list.push(one)
      own.add(one)
    },
    sample({ repeat, sample }: Event<'sample.taken'>): void {
      change(repeat)?.samples.push(sample)
    },
    measured({ measurement: taken, fingerprintOf }: Event<'measurement.taken'>): void {
      const one = change(taken.repeat)
      const place = fingerprintOf === undefined ? undefined : places.get(fingerprintOf)
      const same = place === undefined ? null : (repeats[place]?.measurement?.fingerprint ?? null)
      const measurement = same === null ? taken : { ...taken, fingerprint: same }
      if (one !== null) Object.assign(one, { benchmark: taken.benchmark, measurement })
    },
    all: (): readonly RepeatState[] => repeats,
    take(): RepeatState[] {
      shared = true
      own = new Set()
      return repeats
    },
  }
}

/** @param from a state to continue; null before the run's first event */
export function createFold(from: RunState | null = null, { details = true }: FoldOptions = {}): RunFold {
  let draft: Draft | null = from === null ? null : { ...from }
  let taken = from
  const lines = createLines(from?.log ?? [], from?.logDropped ?? 0)
  const repeats = createRepeats(from?.repeats ?? [])
  let checks = from?.checks ?? []

  function fold(of: Draft, logged: LoggedEvent): Partial<Draft> {
    const { event, at } = logged
    switch (event.type) {
      case 'run.queued':
        return { stepId: event.stepId, queue: queueOf(logged) }
      case 'run.started': {
        if (of.queue === null) return {}
        const { stepId, incarnation } = event
        return { state: 'running', queue: null, startedAt: at, stepId, incarnation }
      }
      case 'command.started':
      case 'command.output':
      case 'command.ended': {
        const line = details ? lineOf(logged) : null
        if (line !== null) lines.add(line)
        return {}
      }
      case 'progress':
        return { progress: { message: event.message, done: event.done, total: event.total } }
      case 'facts.read':
        return { facts: event.facts }
      case 'preflight.checked':
        checks = [...checks, event.check]
        return {}
      case 'datapath.read':
        return { datapath: event.datapath }
      case 'placement.made':
        return { placement: event.placement }
      case 'repeat.started': {
        const { arm, caseId, warmup, family, repeat, repeats: total, seconds } = event
        const planned = of.plan?.cases.find(({ id }) => id === caseId)?.benchmark ?? null
        const instructionsPerMicrosecond = of.facts?.instructionsPerMicrosecond ?? null
        const head = { arm, caseId, warmup, family, repeat, repeats: total, seconds, instructionsPerMicrosecond }
        repeats.add({ ...head, benchmark: event.benchmark ?? planned, samples: [], measurement: null })
        return {}
      }
      case 'sample.taken':
        if (details) repeats.sample(event)
        return {}
      case 'experiment.planned':
        return { plan: event.plan, leftOut: event.leftOut ?? [] }
      case 'measurement.taken':
        repeats.measured(event)
        return {}
      case 'cases.compared':
        if (event.estimate !== true) return { comparisons: event.comparisons }
        return { comparisons: estimated(of, event.comparisons, repeats.all()) }
      case 'profile.made': {
        const { type: _, ...made } = event
        return { profiles: [...of.profiles, made] }
      }
      case 'packets.captured':
        return { capture: event.capture }
      case 'exhibit.found':
        return { exhibits: [...of.exhibits, event.exhibit] }
      case 'step.checked':
        return { outcome: event.outcome }
      case 'run.ended':
        return { state: event.state, endedAt: at, problem: event.problem, progress: null }
      default:
        return assertNever(event)
    }
  }

  return {
    get lastSeq() {
      return draft?.lastSeq ?? 0
    },
    add(logged) {
      if (draft === null) draft = start(logged)
      else if (logged.seq > draft.lastSeq) Object.assign(draft, fold(draft, logged), { lastSeq: logged.seq })
      else return
      taken = null
    },
    state() {
      if (draft === null) return null
      taken ??= { ...draft, ...lines.take(), checks, repeats: repeats.take() }
      return taken
    },
  }
}
