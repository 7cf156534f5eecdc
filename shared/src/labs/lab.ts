/** A lab as data: prose, commands to copy, and at most one action per step. */
import { z } from 'zod'
import { featureId, probeId } from '../features/feature.ts'
import {
  armPlan,
  caseId,
  design,
  distinct,
  experimentPlan,
  runSeconds,
  testCase,
  type ArmPlan,
} from '../measure/experiment.ts'
import { armId } from '../measure/measurement.ts'
import { settings as settingValues } from '../base/settings.ts'
import { diagram } from './diagram.ts'
import { capability, testbedKind } from '../testbed/testbed.ts'
import { placementVariant } from '../testbed/placement.ts'
import { bytes, family } from '../base/units.ts'
import { trackId } from './tracks.ts'

/** The id of a run. It is here because the parameters of a step can name a run. */
export const runId = z.string().regex(/^r_[0-9a-z]{8,40}$/)
export type RunId = z.infer<typeof runId>

/** A number that the learner can change, with its bounds. */
export const tunable = z.strictObject({
  default: z.number().int(),
  min: z.number().int(),
  max: z.number().int(),
})
export type Tunable = z.infer<typeof tunable>

/** Seconds that the learner can change, with their bounds. */
const tunableSeconds = z.strictObject({ default: runSeconds, min: runSeconds, max: runSeconds })

/**
 * The action of a step's button. `server/src/runs/perform` performs it; a lab contains no code. An action names an arm
 * by its id, and applies to the lab's families.
 */
export const action = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('preflight') }),
  /** Checks in every layer that the nodes are set to the arm. */
  z.strictObject({ kind: z.literal('verify'), arm: armId }),
  /** Creates new pods, which must have the arm's settings. `placement` is that of the first pods, unless the learner chooses. */
  z.strictObject({ kind: z.literal('deploy'), arm: armId, placement: placementVariant.optional() }),
  /** Reads every device. Nodes and pods must have the settings of these arms. */
  z.strictObject({ kind: z.literal('read'), nodes: armId, pods: armId }),
  z.strictObject({
    kind: z.literal('measure'),
    arm: armId,
    case: testCase,
    repeats: tunable,
    /** Seconds per repeat. */
    seconds: tunableSeconds,
  }),
  /** Sets the nodes to the arm. Running pods keep their settings. */
  z.strictObject({ kind: z.literal('switch'), arm: armId }),
  /** Compares the measured arms with the lab's first arm. */
  z.strictObject({ kind: z.literal('compare') }),
  /** Measures every case under every arm and compares them. It switches and deploys when needed. */
  z.strictObject({
    kind: z.literal('experiment'),
    /** Null on the Bench page, where the learner makes the plan. */
    plan: experimentPlan.nullable(),
    repeats: tunable,
    /** Seconds per run. */
    seconds: tunableSeconds,
  }),
  /** Captures the packets of one request on a node's device, under the arm. It switches and deploys when needed. */
  z.strictObject({ kind: z.literal('capture'), arm: armId, family, requestBytes: bytes, responseBytes: bytes }),
  /**
   * Sends packets of the feature's own between the pods, and shows where they went, under the first of these arms that
   * the testbed can set. Pods that have the arm's settings are used; otherwise it switches and deploys.
   */
  z.strictObject({ kind: z.literal('probe'), probe: probeId, arms: z.array(armId).min(1).max(4) }),
  /** Restores the settings from before the first change. */
  z.strictObject({ kind: z.literal('restore') }),
])
export type Action = z.infer<typeof action>

/** A shell command with the same effect, for people to run. */
export const labCommand = z.strictObject({
  /** The kind of testbed that it is for. */
  on: testbedKind,
  note: z.string(),
  text: z.string(),
})
export type LabCommand = z.infer<typeof labCommand>

export const step = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9-]*$/),
  title: z.string(),
  /** Short Markdown. */
  prose: z.string(),
  /** The way of a packet, below the prose. */
  diagram: diagram.nullable().default(null),
  commands: z.array(labCommand),
  /** Null for a step that is only read. */
  action: action.nullable(),
  /** The label of the action's button; null without an action. */
  actionLabel: z.string().nullable(),
  /** Shown if the check fails. */
  hint: z.string().nullable(),
  /** The presenter's notes in Markdown, shown only in the speaker's window. */
  notes: z.string().nullable().default(null),
  /** Planned minutes of a talk for this step. */
  minutes: z.number().min(0.1).max(120).nullable().default(null),
  /** Seconds that autopilot waits on this step before it continues. */
  pauseSeconds: z.number().min(0).max(600).nullable().default(null),
  /** The question to followers before the result is shown: faster, slower, or no difference? */
  question: z.string().min(1).max(200).nullable().default(null),
})
export type Step = z.infer<typeof step>

/** The form of a lab. Whether its settings, tools and arms exist is checked where it is read: `labs/checked.ts`. */
export const lab = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9-]*$/),
  title: z.string(),
  /** The one question that the lab answers. */
  question: z.string(),
  summary: z.string(),
  /** The feature that it switches. */
  feature: featureId,
  /** The first family is shown first. */
  families: z.array(family).min(1),
  /** The arms that its actions set, by id. All are compared with the first. */
  arms: z.array(armPlan).max(12).refine(distinct, 'two arms have the same id'),
  /** False for a lab that is not a lesson, such as the Bench page's. */
  listed: z.boolean(),
  minutes: z.number().int().positive(),
  /** Null for a lab of an author who names none. */
  track: trackId.nullable().default(null),
  needs: z.array(capability),
  /** Experiments leave out arms that need a capability of these where a testbed lacks it, as long as two arms remain. */
  optional: z.array(capability).default([]),
  steps: z.array(step).min(1),
})
export type Lab = z.infer<typeof lab>

/** The lab's arm with this id. @throws Error if there is none; the schema checks this */
export function armOf({ id, arms }: Pick<Lab, 'id' | 'arms'>, named: string): ArmPlan {
  const arm = arms.find((one) => one.id === named)
  if (arm === undefined) throw new Error(`the lab ${id} has no arm ${named}`)
  return arm
}

/** The lab that follows in the catalogue; null after the last. @param labs in the catalogue's order */
export function nextLab<Known extends Pick<Lab, 'id' | 'listed'>>(
  labs: readonly Known[],
  { id }: Pick<Lab, 'id'>,
): Known | null {
  const listed = labs.filter((one) => one.listed)
  const place = listed.findIndex((one) => one.id === id)
  return place < 0 ? null : (listed[place + 1] ?? null)
}

/** The learner's choices for a step, all optional. */
export const stepParams = z.strictObject({
  repeats: z.number().int().min(1).max(50).optional(),
  seconds: runSeconds.optional(),
  /** For `verify`: if the path has other settings, store them for Restore and set the arm. */
  switchOff: z.boolean().optional(),
  /** The person has done the step by hand: only its check runs, and the datapath decides. */
  byHand: z.boolean().optional(),
  /** For `deploy`: how to place the pods; without it, as the existing pods are placed. */
  placement: placementVariant.optional(),
  /** For `experiment`, instead of the plan's own. */
  order: design.shape.order.optional(),
  warmups: design.shape.warmups.optional(),
  budget: design.shape.budget.optional(),
  /** For `experiment`: only these cases of its plan. */
  cases: z.array(caseId).min(1).max(16).optional(),
  /** For `experiment`: settings of all arms that do not have them. */
  settings: settingValues.optional(),
  /** For an `experiment` without a plan, and for a second opinion. */
  plan: experimentPlan.optional(),
  /** For an `experiment` on netns: when it has completed, the counted machine measures the same plan, too. */
  opinion: z.boolean().optional(),
  /** The run that a second opinion is about. Only the server sets it. */
  opinionOf: runId.optional(),
  /** For a step that measures: profile each arm after its repeats, where the testbed can. */
  profile: z.boolean().optional(),
  /** For a recording: the multiple of the recorded speed. */
  speed: z.number().min(1).max(20).optional(),
})
export type StepParams = z.infer<typeof stepParams>

/** `own`: from a folder of `EXPRESSLANE_LABS`. */
export const labOrigin = z.enum(['shipped', 'own'])
export type LabOrigin = z.infer<typeof labOrigin>

/** A lab as the catalogue lists it: with where it came from. */
export const listedLab = lab.extend({
  origin: labOrigin,
  /** Its folder's name and its own; null for a lab that is no file. */
  file: z.string().nullable(),
})
export type ListedLab = z.infer<typeof listedLab>
