/** Performs a session's steps on a testbed: maps each kind of action to its implementation. */
import type { RunEvent } from '@expresslane/shared/run/events'
import type { Action } from '@expresslane/shared/labs/lab'
import { withFeatures } from '../../features/with-features.ts'
import type { Testbed, TestbedFactory } from '../../testbeds/testbed.ts'
import { checkByHand } from '../actions/by-hand.ts'
import { capture } from '../actions/capture.ts'
import { compare } from '../actions/compare.ts'
import { deploy } from '../actions/deploy.ts'
import { experiment } from '../actions/experiment.ts'
import { measure } from '../actions/measure.ts'
import { preflight } from '../actions/preflight.ts'
import { probe } from '../actions/probe.ts'
import { read } from '../actions/read.ts'
import { putBack } from '../actions/restore.ts'
import { switchArm } from '../actions/switch.ts'
import { verify } from '../actions/verify.ts'
import type { Perform, ActionOf, ActionOutcome, StepContext } from './step-context.ts'

/** A step to carry out; a reset if `step` is null. */
export interface StepTask extends Omit<StepContext, 'testbed'> {
  /** Emits events that belong together: they are stored at once. */
  emitAll(events: readonly RunEvent[]): void
}

type Changes = 'kind' | 'roles' | 'settable' | 'setup' | 'set' | 'deploy' | 'switchAndDeploy' | 'remove' | 'exec'

/** A testbed as a session uses it: it is read, and changed by steps alone. A recording is one, too (replay/perform.ts). */
export interface LabTestbed extends Omit<Testbed, Changes> {
  /** The labs that it can carry out; null for any. */
  readonly labs: ReadonlySet<string> | null
  /**
   * Performs a step and emits events, `step.checked` last. The caller emits `run.started` and `run.ended`.
   *
   * @returns how it ended, if without an error: a replayed run can have been cancelled when it was recorded
   * @throws LabError if the step could not be done; `signal.reason` once its signal is aborted
   */
  perform(task: StepTask): Promise<'completed' | 'cancelled'>
}

export type LabTestbedFactory = TestbedFactory<LabTestbed>

const acts: { readonly [Kind in Action['kind']]: Perform<Kind> } = {
  preflight,
  verify,
  deploy,
  read,
  measure,
  switch: switchArm,
  compare,
  experiment,
  capture,
  probe,
  restore: (_action, context) => putBack(context),
}

function act<Kind extends Action['kind']>(action: ActionOf<Kind>, context: StepContext): Promise<ActionOutcome> {
  const kind: Kind = action.kind
  return acts[kind](action, context)
}

/**
 * Performs a step (or, with `step` null, a reset) and emits what happens, `step.checked` last.
 * The caller emits `run.started` and `run.ended`.
 *
 * @throws LabError when the action could not be done; `signal.reason` when cancelled
 */
async function perform(context: StepContext): Promise<void> {
  const { step } = context
  context.signal.throwIfAborted()
  const action = step?.action ?? null
  const byHand = context.params.byHand === true
  const found = await (action === null
    ? putBack(context)
    : byHand
      ? checkByHand(action, context)
      : act(action, context))
  const { passed, sentence, observations, hint, leftOut } = found
  const advice = passed ? null : (hint ?? step?.hint ?? null)
  const outcome = { passed, sentence, observations, hint: advice, ...(leftOut && { leftOut }) }
  context.emit({ type: 'step.checked', outcome })
}

function forLabs(made: Testbed): LabTestbed {
  const testbed = withFeatures(made)
  return {
    ...testbed,
    labs: null,
    async perform(task) {
      await perform({ ...task, testbed })
      return 'completed'
    },
  }
}

/** Testbeds of a kind with the features' settings, which perform steps. */
export function liveFactory({ make, ...places }: TestbedFactory): LabTestbedFactory {
  return { ...places, make: async (context, id) => forLabs(await make(context, id)) }
}
