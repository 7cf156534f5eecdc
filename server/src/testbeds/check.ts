/** Builds preflight checks: passed, warning or failed, with a remedy for each that did not pass. */
import { toLabError, type LabError } from '@expresslane/shared/base/errors'
import type { Blocks, Check } from '@expresslane/shared/testbed/testbed'

interface Fix {
  readonly remedy: string
  readonly remedyCommand?: string | null
  readonly coming?: boolean | undefined
}

export function passed(id: string, title: string, seen: string): Check {
  return { id, title, status: 'passed', seen, problem: null, remedy: null, remedyCommand: null, blocks: [] }
}

export function warning(id: string, title: string, seen: string, { remedy, remedyCommand = null }: Fix): Check {
  return { id, title, status: 'warning', seen, problem: null, remedy, remedyCommand, blocks: [] }
}

/** @param blocks the capabilities that can't be used until it passes */
export function failed(
  id: string,
  title: string,
  seen: string,
  { remedy, remedyCommand = null, coming }: Fix,
  blocks: Blocks,
): Check {
  return { id, title, status: 'failed', seen, problem: null, remedy, remedyCommand, coming, blocks }
}

/** A check that ended with an error: it shows the error's message. */
export function failedBy(id: string, title: string, error: LabError, blocks: Blocks): Check {
  const seen = error.detail === null || error.detail === '' ? error.message : `${error.message} ${error.detail}`
  return { ...failed(id, title, seen, error, blocks), problem: error.code }
}

/** The result of a reading, or the error that a check shows. @throws `signal.reason`: a cancel is not an outcome */
export async function attempt<T>(reading: Promise<T>, signal: AbortSignal): Promise<T | LabError> {
  try {
    return await reading
  } catch (error) {
    signal.throwIfAborted()
    return toLabError(error)
  }
}
