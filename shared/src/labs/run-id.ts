/** The id of a run. It is here because the parameters of a step can name a run. */
import { z } from 'zod'

export const runId = z.string().regex(/^r_[0-9a-z]{8,40}$/)
export type RunId = z.infer<typeof runId>
