/** Plays a recording instead of performing steps on a testbed. It runs no commands and changes no settings. */
import { LabError } from '@expresslane/shared/base/errors'
import { RESET_STEP, type RunEvent } from '@expresslane/shared/run/events'
import type { DatapathState } from '@expresslane/shared/testbed/reading'
import { everyPrimitive } from '@expresslane/shared/testbed/primitive'
import type { LabTestbed, StepTask } from '../runs/perform/perform.ts'
import { notOfThisLab } from '../runs/coordination/plan.ts'
import { eventsIn, type RecordedFile } from '@expresslane/shared/recordings/file/events'
import type { ByteRange } from '@expresslane/shared/recordings/file/outline'
import { playRun, type Timer } from './play.ts'

type Wanted<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>

/** The events of one type in a range of the file. */
function eventsAt<Type extends RunEvent['type']>(file: RecordedFile, range: ByteRange, type: Type): Wanted<Type>[] {
  const isWanted = (event: RunEvent): event is Wanted<Type> => event.type === type
  return eventsIn(file, range)
    .map(({ event }) => event)
    .filter(isWanted)
}

/** The first recorded reading of the path, from before any change. */
function firstReading(file: RecordedFile): DatapathState | null {
  const { reading } = file.outline
  return reading === null ? null : (eventsAt(file, reading, 'datapath.read')[0]?.datapath ?? null)
}

/**
 * @param id the recording's id. It is part of the incarnation, so that a restarted server continues the same recording
 */
export function createReplay(id: string, file: RecordedFile, timer: Timer): LabTestbed {
  const of = file.outline
  const incarnation = `recording-${id}`
  /** The path after everything that was played so far. */
  let present = firstReading(file)

  /** Resets the replay. Nothing recorded is needed for it. */
  function beginAgain({ emit }: StepTask): void {
    present = firstReading(file)
    const sentence = 'The recording starts from the beginning again. No settings were changed.'
    emit({ type: 'step.checked', outcome: { passed: true, sentence, observations: [], hint: null } })
  }

  return {
    // Everything that was recorded can be played.
    primitives: everyPrimitive,
    choices: new Map(),
    labs: new Set([of.lab]),
    resources: async () => ({ measuring: [], changing: [] }),
    placements: new Set(),
    changes: null,
    rest: null,
    incarnation: () => Promise.resolve(incarnation),
    facts: () => Promise.resolve({ ...of.facts, kind: 'recording', incarnation }),
    async *preflight() {
      // The checks that failed on the recorded machine do not block anything here.
      for (const range of of.checks) {
        for (const { check } of eventsAt(file, range, 'preflight.checked')) yield { ...check, blocks: [] }
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
      const emitAll = (events: readonly RunEvent[]): void => {
        present = events.findLast((event) => event.type === 'datapath.read')?.datapath ?? present
        task.emitAll(events)
      }
      return playRun(file, run, params.speed ?? 1, timer, { signal, emitAll })
    },
    close: () => Promise.resolve(),
  }
}
