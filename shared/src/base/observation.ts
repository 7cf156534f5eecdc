/** Values that a check looks at. */
import { z } from 'zod'

/** One observed value of a step's check against what was expected. */
export const observation = z.strictObject({
  label: z.string(),
  /** Null if nothing specific was expected. */
  expected: z.string().nullable(),
  seen: z.string(),
  ok: z.boolean(),
})
export type Observation = z.infer<typeof observation>
