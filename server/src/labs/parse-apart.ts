/** Parses an instructor's own lab files: outside the event loop, and within limits. */
import { glossary } from '@expresslane/shared/labs/glossary'
import { lab } from '@expresslane/shared/labs/lab'
import { labProblem } from '@expresslane/shared/labs/problem'
import { z } from 'zod'
import type { ParsedLabs } from './parse/parse.ts'

/** A file's text, and the parts of its name that {@link parseLab} needs. */
export const labText = z.strictObject({ id: z.string(), text: z.string(), name: z.string() })
export type LabText = z.infer<typeof labText>

const parsed = z.strictObject({
  labs: z.array(z.strictObject({ lab, order: z.number().nullable() })),
  terms: glossary.optional(),
  problems: z.array(labProblem),
})

/** How a task in a worker thread ended; see `workers/task-worker.ts`. */
type TaskEnd =
  | { readonly end: 'answered'; readonly answer: unknown }
  | { readonly end: 'out-of-memory' | 'out-of-time' }

/** Parses a file. It never throws: errors are returned as problems. */
export type ParseApart = (file: LabText) => Promise<ParsedLabs>

export const parseWorker = new URL('./parse-worker.ts', import.meta.url)
/** The hardest text within the bounds takes about two seconds. */
export const PARSE_LIMITS = { megabytes: 256, ms: 10_000 }

/** @param run runs {@link parseWorker} with a task */
export function parseWith(run: (task: LabText) => Promise<TaskEnd>): ParseApart {
  return async (file) => {
    const ended = await run(file)
    if (ended.end === 'answered') return parsed.parse(ended.answer)
    const what = ended.end === 'out-of-memory' ? 'memory' : 'time'
    const message = `this file can't be parsed: it takes too much ${what}`
    return { labs: [], problems: [{ file: file.name, line: 1, column: 1, message }] }
  }
}
