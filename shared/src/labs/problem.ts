/** A mistake in a lab's file and its place, for the catalogue, an editor and CI. */
import { z } from 'zod'

export const labProblem = z.strictObject({
  /** As it was named, or the folder's name and the file's. */
  file: z.string(),
  /** From 1. */
  line: z.number().int().positive(),
  /** From 1, in UTF-16 code units, as editors count. */
  column: z.number().int().positive(),
  /** The mistake, the expected text, and the nearest word to a misspelt word. */
  message: z.string(),
})
export type LabProblem = z.infer<typeof labProblem>

/** `file:line:column: message`, the form that editors and CI systems turn into links. */
export function formatLabProblem({ file, line, column, message }: LabProblem): string {
  return `${file}:${line}:${column}: ${message}`
}
