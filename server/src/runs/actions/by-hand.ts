/** Checks a step that a person has done by hand. Only the state of the datapath decides. */
import { LabError } from '@expresslane/shared/base/errors'
import type { Observation } from '@expresslane/shared/base/observation'
import type { Settings } from '@expresslane/shared/base/settings'
import { family } from '@expresslane/shared/base/units'
import { resolveSettings } from '@expresslane/shared/features/settings'
import { armOf, type Action } from '@expresslane/shared/labs/lab'
import type { DatapathState } from '@expresslane/shared/testbed/reading'
import { hintFor, observe, sentencesOf } from '../../features/observe.ts'
import type { Expected } from '../../features/feature.ts'
import {
  judge,
  readPath,
  type ActionOf,
  type ActionOutcome,
  type Perform,
  type StepContext,
} from '../perform/step-context.ts'
import { observePlacement } from './deploy.ts'
import { noPods } from './read.ts'
import { putBack, settingsBefore } from './restore.ts'

/** Checks the path, and says what is missing from the values that were seen. */
function judgePath(
  expected: Expected,
  seen: DatapathState,
  { lab }: StepContext,
  good: string,
  others: readonly Observation[] = [],
): ActionOutcome {
  const observations = [...others, ...observe(seen, expected)]
  const outcome = judge(
    observations,
    good,
    (wrong) => `Not done yet: ${wrong} of ${observations.length} values differ.`,
  )
  const hint = outcome.passed ? null : hintFor(lab.feature, seen, expected)
  return hint === null ? outcome : { ...outcome, hint }
}

/**
 * The settings of this session's first reading, or of its latest Restore: on a cluster a person changes the settings that the
 * testbed reports, and a later reading may have seen that.
 */
function firstSeen({ earlier, lab }: StepContext): Settings | undefined {
  const restores = new Set(lab.steps.flatMap(({ id, action }) => (action?.kind === 'restore' ? [id] : [])))
  const runs = earlier()
  const last = runs.findLastIndex(({ stepId, outcome }) => restores.has(stepId) && outcome?.passed === true)
  return runs.slice(Math.max(last, 0)).find(({ datapath }) => datapath !== null)?.datapath?.settings
}

const switched: Perform<'switch'> = async (action, context) => {
  const { testbed, lab, snapshot } = context
  const { families } = lab
  const arm = armOf(lab, action.arm)
  const settings = resolveSettings(arm, families, lab)
  const seen = await readPath(context)
  const good = `Done by hand. ${sentencesOf(lab.feature).switched(arm, families, seen)}`
  const outcome = judgePath({ families, nodes: settings }, seen, context, good)
  if (!outcome.passed) return outcome
  await snapshot.keep(firstSeen(context) ?? seen.settings)
  // From now on the testbed makes new pods with these settings.
  if (observe(seen, { families, intent: settings }).some(({ ok }) => !ok)) await testbed.set(settings, context)
  return outcome
}

const deployed: Perform<'deploy'> = async (action, context) => {
  const { lab } = context
  const seen = await readPath(context)
  if (seen.placement === null) throw noPods()
  context.emit({ type: 'placement.made', placement: seen.placement })
  const { families } = lab
  const pods = resolveSettings(armOf(lab, action.arm), families, lab)
  const places = observePlacement(seen.placement, families)
  return judgePath({ families, pods }, seen, context, 'Done by hand. The pods have the expected settings.', places)
}

/** The pods and everything else that a person changed then go as with the button. */
async function restored(context: StepContext): Promise<ActionOutcome> {
  const seen = await readPath(context)
  const nodes = await settingsBefore(seen, context)
  const outcome = judgePath({ families: family.options, nodes }, seen, context, '')
  return outcome.passed ? putBack(context) : outcome
}

const checks: Partial<{ readonly [Kind in Action['kind']]: Perform<Kind> }> = {
  switch: switched,
  deploy: deployed,
  restore: (_action, context) => restored(context),
}

/** @throws LabError `bad_request` for an action whose effect is not on the datapath; the errors of the reading */
export function checkByHand<Kind extends Action['kind']>(
  action: ActionOf<Kind>,
  context: StepContext,
): Promise<ActionOutcome> {
  const check: Perform<Kind> | undefined = checks[action.kind]
  if (check !== undefined) return check(action, context)
  throw new LabError(
    'bad_request',
    'This step can’t be checked without its button: the datapath does not show whether somebody has done it.',
    'Press the button of the step.',
  )
}
