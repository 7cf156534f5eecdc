/** A lab as the catalogue lists it: with where it came from. */
import { z } from 'zod'
import { lab } from './lab.ts'

/** `own`: from a folder of `EXPRESSLANE_LABS`. */
export const labOrigin = z.enum(['shipped', 'own'])
export type LabOrigin = z.infer<typeof labOrigin>

export const listedLab = lab.extend({
  origin: labOrigin,
  /** Its folder's name and its own; null for one that is no file. */
  file: z.string().nullable(),
})
export type ListedLab = z.infer<typeof listedLab>
