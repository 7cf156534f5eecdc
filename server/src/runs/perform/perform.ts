/** The step interpreter: what each kind of action does on a testbed. */
import { assertNever } from '@expresslane/shared/wire/errors'
import type { Action } from '@expresslane/shared/labs/lab'
import { capture } from '../actions/capture.ts'
import { compare } from '../actions/compare.ts'
import { deploy } from '../actions/deploy.ts'
import { experiment } from '../actions/experiment.ts'
import { measure } from '../actions/measure.ts'
import { preflight } from '../actions/preflight.ts'
import { read } from '../actions/read.ts'
import { putBack } from '../actions/restore.ts'
import { switchArm } from '../actions/switch.ts'
import { verify } from '../actions/verify.ts'
import type { Finding, Performance } from './step-context.ts'

function act(action: Action, performance: Performance): Promise<Finding> {
  switch (action.kind) {
    case 'preflight':
      return preflight(action, performance)
    case 'verify':
      return verify(action, performance)
    case 'deploy':
      return deploy(action, performance)
    case 'read':
      return read(action, performance)
    case 'measure':
      return measure(action, performance)
    case 'switch':
      return switchArm(action, performance)
    case 'compare':
      return compare(action, performance)
    case 'experiment':
      return experiment(action, performance)
    case 'capture':
      return capture(action, performance)
    case 'restore':
      return putBack(performance)
    default:
      return assertNever(action)
  }
}

/**
 * Performs a step (or, with `step` null, a reset) and emits what happens, `step.checked` last.
 * The caller emits `run.started` and `run.ended`.
 *
 * @throws LabError when the action could not be done; `signal.reason` when cancelled
 */
export async function perform(performance: Performance): Promise<void> {
  const { step } = performance
  performance.signal.throwIfAborted()
  const action = step?.action ?? null
  const { passed, sentence, observations, hint } =
    action === null ? await putBack(performance) : await act(action, performance)
  const advice = passed ? null : (hint ?? step?.hint ?? null)
  performance.emit({ type: 'step.checked', outcome: { passed, sentence, observations, hint: advice } })
}
