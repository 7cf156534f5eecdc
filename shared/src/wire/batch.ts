/** The files of a batch (`npm run lab -- LAB --kernels ... --to FOLDER`): its plan, a file for each cell, and the result. */
import { z } from 'zod'
import { stepParams } from '../labs/lab.ts'
import { caseId } from '../measure/experiment.ts'
import { labResult } from './headless.ts'

export const batchEngine = z.enum(['local', 'kubernetes'])
export type BatchEngine = z.infer<typeof batchEngine>

/** A kernel's release, as `uname -r` prints it. */
export const kernelRelease = z
  .string()
  .regex(/^\d[\w.+~-]{0,99}$/, { error: 'expected a release as `npm run kernel` lists them' })

/** One run of the lab, on a counted machine of its own. */
export const batchCell = z.strictObject({
  /** Null for the machine's default. */
  kernel: kernelRelease.nullable(),
  /** The only case of the experiment that it measures; null for all of them, and for a lab without cases. */
  case: caseId.nullable(),
})
export type BatchCell = z.infer<typeof batchCell>

/** The plan of a batch. A folder takes only results of the same plan. */
export const batchPlan = z.strictObject({
  lab: z.string(),
  /** The digest of the lab's contents. */
  digest: z.string(),
  engine: batchEngine,
  params: stepParams,
  /** A bisection has its two ends here. */
  cells: z.array(batchCell).min(1).max(3_200),
})
export type BatchPlan = z.infer<typeof batchPlan>

/** The plan in its folder. */
export const storedBatch = batchPlan.extend({
  /** Random: tells the folders of equal batches apart. */
  id: z.string().regex(/^[0-9a-f]{24}$/),
})
export type StoredBatch = z.infer<typeof storedBatch>

/** A cell that was measured. */
export const cellResult = batchCell.extend({
  /** Where it ran: `this machine`, or a pod and its node. */
  where: z.string(),
  result: labResult,
})
export type CellResult = z.infer<typeof cellResult>

export const batchResult = storedBatch.extend({
  /** For people: that each cell ran on a machine of its own. */
  note: z.string(),
  /** By kernel, the oldest first, then in the order of the lab's cases. */
  cells: z.array(cellResult),
  missing: z.array(batchCell),
})
export type BatchResult = z.infer<typeof batchResult>
