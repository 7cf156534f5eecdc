/** Plays a recording instead of performing steps on a testbed. It runs no commands and changes no settings. */
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

/** The first recorded reading of the path, from before any change. */
function firstReading(of: Recording): DatapathState | null {
  return eventsOf(of, 'datapath.read')[0]?.datapath ?? null
}

/**
 * @param id the recording's id. It is part of the incarnation, so that a restarted server continues the same recording
 */
export function createReplay(id: string, of: Recording, timer: Timer): Performer {
  const incarnation = `recording-${id}`
  /** The path after everything that was played so far. */
  let present = firstReading(of)

  /** Resets the replay. Nothing recorded is needed for it. */
  function beginAgain({ emit }: Task): void {
    present = firstReading(of)
    const sentence = 'The recording starts from the beginning again. No settings were changed.'
    emit({ type: 'step.checked', outcome: { passed: true, sentence, observations: [], hint: null } })
  }

  return {
    // Everything that was recorded can be played.
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
      // What the recorded machine lacked does not block anything here.
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
