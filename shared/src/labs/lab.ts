/** A lab as data: prose, commands to copy, at most one action a step. */
import { z } from 'zod'
import { featureId } from '../features/feature.ts'
import { benchmarkIssues } from '../features/metrics.ts'
import { findFeature, settingIssues } from '../features/settings.ts'
import {
  armPlan,
  design,
  distinct,
  experimentPlan,
  testCase,
  type ArmPlan,
  type TestCase,
} from '../measure/experiment.ts'
import { armId } from '../measure/measurement.ts'
import { capability, testbedKind } from '../testbed/testbed.ts'
import { placementVariant } from '../testbed/placement.ts'
import { bytes, family } from '../measure/units.ts'
import { assertNever } from '../wire/errors.ts'

/** A number that the learner may change, and its bounds. */
export const tunable = z.strictObject({
  default: z.number().int(),
  min: z.number().int(),
  max: z.number().int(),
})
export type Tunable = z.infer<typeof tunable>

/**
 * What a step's button does. `runs/perform/perform.ts` interprets these; a lab is content and never code. An action names an arm
 * by its id, and concerns the lab's families.
 */
export const action = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('preflight') }),
  /** Every layer says that the nodes are set to the arm. */
  z.strictObject({ kind: z.literal('verify'), arm: armId }),
  /** Fresh pods, which must carry what the arm sets. */
  z.strictObject({ kind: z.literal('deploy'), arm: armId }),
  /** Read every device; nodes and pods must carry what these arms set. */
  z.strictObject({ kind: z.literal('read'), nodes: armId, pods: armId }),
  z.strictObject({
    kind: z.literal('measure'),
    arm: armId,
    case: testCase,
    repeats: tunable,
    /** Seconds a repeat. */
    seconds: tunable,
  }),
  /** Set the nodes to the arm. Running pods keep what they were made with. */
  z.strictObject({ kind: z.literal('switch'), arm: armId }),
  /** Compare what the lab's arms measured, each with the first. */
  z.strictObject({ kind: z.literal('compare') }),
  /** Measures every case under every arm, switching and redeploying by itself, and compares. */
  z.strictObject({
    kind: z.literal('experiment'),
    /** Null where the learner brings the plan: the Bench page. */
    plan: experimentPlan.nullable(),
    repeats: tunable,
    /** Seconds per run. */
    seconds: tunable,
  }),
  /** Looks at the packets of one request on a node's device, the path being in that arm: switches and redeploys by itself. */
  z.strictObject({ kind: z.literal('capture'), arm: armId, family, requestBytes: bytes, responseBytes: bytes }),
  /** Put the testbed's settings back to what they were before it was first changed. */
  z.strictObject({ kind: z.literal('restore') }),
])
export type Action = z.infer<typeof action>

/** A shell command that a person would type for the same effect. */
export const labCommand = z.strictObject({
  /** The testbed that it is typed on. */
  on: testbedKind,
  note: z.string(),
  text: z.string(),
})
export type LabCommand = z.infer<typeof labCommand>

export const step = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9-]*$/),
  title: z.string(),
  /** Markdown, short. */
  prose: z.string(),
  commands: z.array(labCommand),
  /** Null for a step that is only read. */
  action: action.nullable(),
  /** Label of the action's button; null with no action. */
  actionLabel: z.string().nullable(),
  /** Shown when the check fails. */
  hint: z.string().nullable(),
  /** What a presenter says here: Markdown, for the speaker's window only. */
  notes: z.string().nullable().default(null),
  /** How long a talk plans for this step. */
  minutes: z.number().min(0.1).max(120).nullable().default(null),
  /** How long autopilot shows this step before it goes on. */
  pauseSeconds: z.number().min(0).max(600).nullable().default(null),
  /** What followers are asked before the result is shown: faster, slower, or no difference? */
  question: z.string().min(1).max(200).nullable().default(null),
})
export type Step = z.infer<typeof step>

/** The ids of the arms that an action names. */
export function armsNamed(of: Action): string[] {
  switch (of.kind) {
    case 'verify':
    case 'deploy':
    case 'measure':
    case 'switch':
    case 'capture':
      return [of.arm]
    case 'read':
      return [of.nodes, of.pods]
    case 'preflight':
    case 'compare':
    case 'experiment':
    case 'restore':
      return []
    default:
      return assertNever(of)
  }
}

export const lab = z
  .strictObject({
    id: z.string().regex(/^[a-z][a-z0-9-]*$/),
    title: z.string(),
    /** The one question that the lab answers. */
    question: z.string(),
    summary: z.string(),
    /** What it switches. */
    feature: featureId,
    /** The families that it is about; the first is shown first. */
    families: z.array(family).min(1),
    /** What its actions set the path to, by id; the first is what the others are compared with. */
    arms: z.array(armPlan).max(8).refine(distinct, 'two arms have the same id'),
    /** False for what is no lesson: the Bench page has a lab of its own. */
    listed: z.boolean(),
    minutes: z.number().int().positive(),
    needs: z.array(capability),
    steps: z.array(step).min(1),
  })
  .superRefine(({ feature: id, arms, steps }, context) => {
    const wrong = (path: (string | number)[], message: string): void =>
      context.addIssue({ code: 'custom', path, message })
    const feature = findFeature(id)
    if (feature === undefined) return wrong(['feature'], `there is no feature “${id}”`)
    const check = (of: readonly ArmPlan[], path: (string | number)[]): void => {
      for (const [index, { settings }] of of.entries()) {
        for (const issue of settingIssues(settings, feature)) {
          wrong([...path, index, 'settings', issue.id], issue.message)
        }
      }
    }
    const checkCases = (of: readonly TestCase[], path: (string | number)[]): void => {
      for (const [index, { benchmark }] of of.entries()) {
        for (const issue of benchmarkIssues(benchmark)) {
          wrong([...path, index, 'benchmark', ...issue.path.map(String)], issue.message)
        }
      }
    }
    check(arms, ['arms'])
    for (const [index, { action: does }] of steps.entries()) {
      if (does === null) continue
      for (const named of armsNamed(does)) {
        if (arms.some((arm) => arm.id === named)) continue
        const known = arms.map((arm) => arm.id).join(', ')
        wrong(['steps', index, 'action'], `the lab has no arm “${named}”; its arms are ${known}`)
      }
      if (does.kind === 'measure') checkCases([does.case], ['steps', index, 'action', 'case'])
      if (does.kind === 'experiment' && does.plan !== null) {
        check(does.plan.arms, ['steps', index, 'action', 'plan', 'arms'])
        checkCases(does.plan.cases, ['steps', index, 'action', 'plan', 'cases'])
      }
    }
  })
export type Lab = z.infer<typeof lab>

/** The lab's arm of that id. @throws Error where it has none: the lab's schema checks that */
export function armOf({ id, arms }: Pick<Lab, 'id' | 'arms'>, named: string): ArmPlan {
  const arm = arms.find((one) => one.id === named)
  if (arm === undefined) throw new Error(`the lab ${id} has no arm ${named}`)
  return arm
}

/** What a learner may set when running a step; closed, all optional. */
export const stepParams = z.strictObject({
  repeats: z.number().int().min(1).max(50).optional(),
  seconds: z.number().int().min(1).max(120).optional(),
  /** With `verify`: set the path to the arm where it is found otherwise, remembering what it was for Restore. */
  switchOff: z.boolean().optional(),
  /** With `deploy`: how the pods lie to each other; without it as the pods that are there do. */
  placement: placementVariant.optional(),
  /** With `experiment`, in place of the plan's own. */
  order: design.shape.order.optional(),
  warmups: design.shape.warmups.optional(),
  budget: design.shape.budget.optional(),
  /** With an `experiment` that has no plan of its own. */
  plan: experimentPlan.optional(),
  /** On a recording: how many times as fast as it was. */
  speed: z.number().min(1).max(20).optional(),
})
export type StepParams = z.infer<typeof stepParams>
