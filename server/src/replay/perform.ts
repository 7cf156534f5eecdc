/** Replays a recording instead of carrying out steps on a testbed. It runs no commands and changes no settings. */
import { LabError } from '@expresslane/shared/wire/errors'
import { RESET_STEP, type RunEvent } from '@expresslane/shared/run/events'
import type { DatapathState } from '@expresslane/shared/testbed/reading'
import type { Recording } from '@expresslane/shared/recordings/recording'
import { knownCapabilities } from '@expresslane/shared/features/capabilities'
import type { Performer, Task } from '../runs/perform/performer.ts'
import { notOfThisLab } from '../runs/coordination/plan.ts'
import { playRun, type Timer } from './play.ts'

function eventsOf<Type extends RunEvent['type']>({ runs }: Pick<Recording, 'runs'>, type: Type) {
  type Wanted = Extract<RunEvent, { type: Type }>
  return runs.flatMap(({ events }) =>
    events.map(({ event }) => event).filter((event): event is Wanted => event.type === type),
  )
}

/** The path's first reading that was recorded: what it was before anything was done. */
function firstReading(of: Recording): DatapathState | null {
  return eventsOf(of, 'datapath.read')[0]?.datapath ?? null
}

/** @param id the recording's, which its incarnation carries: a server that starts again plays back the same one */
export function createReplay(id: string, of: Recording, timer: Timer): Performer {
  const incarnation = `recording-${id}`
  /** The path as what was played so far left it. */
  let present = firstReading(of)

  /** Beginning again needs nothing of what was recorded. */
  function beginAgain({ emit }: Task): void {
    present = firstReading(of)
    const sentence = 'The recording starts from the beginning again. No settings were changed.'
    emit({ type: 'step.checked', outcome: { passed: true, sentence, observations: [], hint: null } })
  }

  return {
    // Whatever was done then can be played back now.
    capabilities: new Set(knownCapabilities),
    lacks: new Map(),
    labs: new Set([of.lab]),
    resources: async () => ({ measuring: [], changing: [] }),
    placements: new Set(),
    changes: null,
    incarnation: () => Promise.resolve(incarnation),
    facts: () => Promise.resolve({ ...of.facts, kind: 'recording', incarnation }),
    async *preflight() {
      const checked = of.runs.findLast((run) => eventsOf({ runs: [run] }, 'preflight.checked').length > 0)
      // What that machine lacked is in nobody's way here.
      for (const { check } of checked === undefined ? [] : eventsOf({ runs: [checked] }, 'preflight.checked')) {
        yield { ...check, blocks: [] }
      }
    },
    read() {
      if (present !== null) return Promise.resolve(present)
      const remedy = 'No action is needed. The recording still plays.'
      return Promise.reject(new LabError('testbed_unavailable', 'This recording has no reading of the path.', remedy))
    },
    async perform(task) {
      const { lab, step, params, signal } = task
      signal.throwIfAborted()
      if (lab.id !== of.lab) throw notOfThisLab(lab)
      const stepId = step?.id ?? RESET_STEP
      if (stepId === RESET_STEP) {
        beginAgain(task)
        return 'completed'
      }
      const run = of.runs.findLast((one) => one.stepId === stepId)
      if (run === undefined) {
        const steps = [...new Set(of.runs.map((one) => one.stepId))].join(', ')
        throw new LabError(
          'step_not_ready',
          'This step was not recorded.',
          'Continue with a recorded step, or run this step on a live testbed.',
          { detail: `recorded: ${steps}` },
        )
      }
      const emit = (event: RunEvent): void => {
        if (event.type === 'datapath.read') present = event.datapath
        task.emit(event)
      }
      return playRun(run, params.speed ?? 1, timer, { signal, emit })
    },
    close: () => Promise.resolve(),
  }
}
