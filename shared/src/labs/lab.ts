/** A lab as data: prose, commands to copy, at most one action a step. */
import { z } from 'zod'
import { design, experimentPlan } from '../measure/experiment.ts'
import { arm } from '../measure/measurement.ts'
import { capability, testbedKind } from '../testbed/testbed.ts'
import { placementVariant } from '../testbed/placement.ts'
import { bytes, family } from '../measure/units.ts'

const limit = z.enum(['off', 'on'])

/** A number that the learner may change, and its bounds. */
export const tunable = z.strictObject({
  default: z.number().int(),
  min: z.number().int(),
  max: z.number().int(),
})
export type Tunable = z.infer<typeof tunable>

/**
 * What a step's button does. `runs/perform.ts` interprets these; a lab is content and
 * never code.
 */
export const action = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('preflight') }),
  /** All three layers say that BIG TCP is off for the family. */
  z.strictObject({ kind: z.literal('verify-off'), family }),
  /** Fresh pods; afterwards both pods must carry the family's `expect` size. */
  z.strictObject({ kind: z.literal('deploy'), family, expect: limit }),
  /** Read every device and hold nodes and pods against what they should carry. */
  z.strictObject({ kind: z.literal('read'), family, nodes: limit, pods: limit }),
  z.strictObject({
    kind: z.literal('measure'),
    family,
    arm,
    requestBytes: bytes,
    responseBytes: bytes,
    repeats: tunable,
    /** Seconds a repeat. */
    seconds: tunable,
  }),
  z.strictObject({ kind: z.literal('enable'), family }),
  z.strictObject({ kind: z.literal('compare'), family }),
  /** Measures every case under every arm, switching and redeploying by itself, and compares. */
  z.strictObject({
    kind: z.literal('experiment'),
    /** Null where the learner brings the plan: the Bench page. */
    plan: experimentPlan.nullable(),
    repeats: tunable,
    /** Seconds a run. */
    seconds: tunable,
  }),
  /** Looks at the packets of one request on a node's device, the path being in that arm: switches and redeploys by itself. */
  z.strictObject({ kind: z.literal('capture'), family, arm, requestBytes: bytes, responseBytes: bytes }),
  /** Put the testbed's settings back to what they were before it was first changed. */
  z.strictObject({ kind: z.literal('restore'), family }),
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
})
export type Step = z.infer<typeof step>

export const lab = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9-]*$/),
  title: z.string(),
  /** The one question that the lab answers. */
  question: z.string(),
  summary: z.string(),
  /** The families that it is about; the first is shown first. */
  families: z.array(family).min(1),
  /** False for what is no lesson: the Bench page has a lab of its own. */
  listed: z.boolean(),
  minutes: z.number().int().positive(),
  needs: z.array(capability),
  steps: z.array(step).min(1),
})
export type Lab = z.infer<typeof lab>

/** What a learner may set when running a step; closed, all optional. */
export const stepParams = z.strictObject({
  repeats: z.number().int().min(1).max(50).optional(),
  seconds: z.number().int().min(1).max(120).optional(),
  /** With `verify-off`: switch BIG TCP off where it is found on, remembering it for Restore. */
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
