/** What carries out a session's steps: live on a testbed, or a replay of a recording (replay/perform.ts). */
import { withFeatures } from '../../features/with-features.ts'
import type { TestbedFactory, Testbed } from '../../testbeds/testbed.ts'
import { perform } from './perform.ts'
import type { StepContext } from './step-context.ts'

/** The operations on a testbed that do not change it. */
export type Readings = Omit<
  Testbed,
  'kind' | 'roles' | 'settable' | 'setup' | 'set' | 'deploy' | 'switchAndDeploy' | 'remove' | 'exec'
>

/** A step to carry out; a reset if `step` is null. */
export type Task = Omit<StepContext, 'testbed'>

export interface Performer extends Readings {
  /** The labs that it can carry out; null for any. */
  readonly labs: ReadonlySet<string> | null
  /**
   * Performs a step and emits events, `step.checked` last. The caller emits `run.started` and `run.ended`.
   *
   * @returns how it ended, if without an error: a replayed run can have been cancelled when it was recorded
   * @throws LabError if the step could not be done; `signal.reason` once its signal is aborted
   */
  perform(task: Task): Promise<'completed' | 'cancelled'>
}

/** Makes the performers of one kind of testbed. */
export interface PerformerFactory extends Omit<TestbedFactory, 'make'> {
  /** @param context null if there are no contexts, or if none was chosen */
  make(context: string | null): Performer | Promise<Performer>
}

/** Carries steps out on a testbed. */
function performLive(testbed: Testbed): Performer {
  const { primitives, choices, placements, incarnation, facts, resources, preflight, read, changes, rest, close } =
    testbed
  return {
    primitives,
    choices,
    placements,
    incarnation,
    facts,
    resources,
    preflight,
    read,
    changes,
    rest,
    close,
    labs: null,
    async perform(task) {
      await perform({ ...task, testbed })
      return 'completed'
    },
  }
}

/** Testbeds of a kind, each with what carries steps out on it. */
export function liveFactory({ make, ...places }: TestbedFactory): PerformerFactory {
  return { ...places, make: async (context) => performLive(withFeatures(await make(context))) }
}
