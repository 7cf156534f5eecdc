/** Second opinions: when an experiment on netns has completed, the counted machine measures the same plan, as another run. */
import { opinionPlan } from '@expresslane/shared/labs/on-testbed'
import type { ExperimentPlan } from '@expresslane/shared/measure/experiment'
import type { RunId } from '@expresslane/shared/run/events'
import { opinionOn } from '@expresslane/shared/testbed/id'
import { LabError } from '@expresslane/shared/base/errors'
import type { RunAccepted } from '@expresslane/shared/wire/protocol'
import type { RunRow } from '../../store/runs.ts'
import { placeIn, type Scheduler } from './scheduler.ts'
import { findOrOpenSession, type SessionParts } from './sessions.ts'

export interface SecondOpinions {
  /** The latest second opinion on a run, of the same person; null if there is none. */
  on(run: RunRow): RunRow | null
  /**
   * Starts or queues the second opinion on an experiment of netns that has completed. One that waits, runs or has completed
   * is returned instead.
   *
   * @param mostSeconds the seconds that it can plan, without it any number
   * @throws LabError `not_found`; `step_not_ready` if the run has nothing to measure again; the errors of {@link Scheduler.start}
   */
  ask(id: RunId, mostSeconds?: number | null): Promise<RunAccepted>
  /** Starts no more by itself. */
  close(): void
}

export interface SecondOpinionsParts extends SessionParts {
  readonly scheduler: Pick<Scheduler, 'start'>
  /** Called when a second opinion could not be started. The page offers to ask for it again. */
  readonly onError: (error: unknown) => void
}

/** Whether it need not be started again. */
function stands({ state }: RunRow): boolean {
  return state === 'queued' || state === 'running' || state === 'completed'
}

/** Listens to the log for experiments of this process that asked for one. */
export function createOpinions(parts: SecondOpinionsParts): SecondOpinions {
  const { store, log, scheduler, onError } = parts
  const underWay = new Map<RunId, Promise<RunAccepted>>()

  /** The plan of an experiment that can have a second opinion; null for any other run. */
  function planOf({ id, testbed, state }: RunRow): ExperimentPlan | null {
    return opinionOn(testbed) !== null && state === 'completed' ? (log.state(id)?.plan ?? null) : null
  }

  /** The session's owner: an instructor can have started the run. */
  const ownerOf = ({ sessionId, person }: RunRow): string => store.sessions.find(sessionId)?.owner ?? person

  const on = (run: RunRow): RunRow | null => {
    const { id, labId, testbed } = run
    const beside = opinionOn(testbed)
    return beside === null ? null : store.runs.opinionOn(id, { labId, testbed: beside, person: ownerOf(run) })
  }

  async function start(run: RunRow, mostSeconds: number | null): Promise<RunAccepted> {
    const before = on(run)
    if (before !== null && stands(before)) {
      return { runId: before.id, stepId: before.stepId, queue: placeIn(log.state(before.id)) }
    }
    const [plan, beside] = [planOf(run), opinionOn(run.testbed)]
    if (plan === null || beside === null) {
      throw new LabError(
        'step_not_ready',
        'Only an experiment that completed on this machine can have a second opinion.',
        'Run the experiment on netns first.',
      )
    }
    const { labId, stepId } = run
    const session = await findOrOpenSession(parts, { labId, testbed: beside, owner: ownerOf(run) })
    const params = { plan: opinionPlan(plan), opinionOf: run.id }
    return await scheduler.start(session, { stepId, params, solve: false, mostSeconds })
  }

  /** Asked for twice at the same time, it starts once. */
  function ask(id: RunId, mostSeconds: number | null = null): Promise<RunAccepted> {
    const present = underWay.get(id)
    if (present !== undefined) return present
    const run = store.runs.find(id)
    if (run === null) {
      return Promise.reject(new LabError('not_found', 'This run does not exist.', 'Find the run in the history.'))
    }
    const asked = start(run, mostSeconds).finally(() => underWay.delete(id))
    underWay.set(id, asked)
    return asked
  }

  /** The runs of a solve up to its last one, newest first; only this one if it was started by hand. */
  function solveOf(last: RunRow): RunRow[] {
    if (last.solveTo === null) return [last]
    const all = store.runs.ofSession(last.sessionId).toReversed()
    const before = all.findIndex(({ solveTo, params }) => solveTo !== last.solveTo || params.opinion !== true)
    return before < 0 ? all : all.slice(0, before)
  }

  const unsubscribe = log.subscribe(({ runId, event }) => {
    if (event.type !== 'run.ended') return
    const last = store.runs.find(runId)
    // A run of another process on the same data is the other process's to ask for.
    if (last === null || last.params.opinion !== true || last.owner !== store.owner) return
    // A second opinion uses a CPU, so it waits until the solve has measured everything.
    if (event.state === 'completed' && last.result?.passed === true && last.remaining.length > 0) return
    // The start of the experiment decided whether its second opinion fits.
    for (const run of solveOf(last)) if (planOf(run) !== null && on(run) === null) ask(run.id).catch(onError)
  })

  return { on, ask, close: unsubscribe }
}
