/** Builds preflight checks: passed, warning or failed, and a remedy with each that did not pass. */
import type { LabError } from '@expresslane/shared/wire/errors'
import type { Capability, Check } from '@expresslane/shared/testbed/testbed'

const ALL: readonly Capability[] = ['big-tcp-ipv6', 'big-tcp-ipv4']

interface Fix {
  readonly remedy: string
  readonly remedyCommand?: string | null
}

export function passed(id: string, title: string, seen: string): Check {
  return { id, title, status: 'passed', seen, remedy: null, remedyCommand: null, blocks: [] }
}

export function warning(id: string, title: string, seen: string, { remedy, remedyCommand = null }: Fix): Check {
  return { id, title, status: 'warning', seen, remedy, remedyCommand, blocks: [] }
}

export function failed(
  id: string,
  title: string,
  seen: string,
  { remedy, remedyCommand = null }: Fix,
  blocks: readonly Capability[] = ALL,
): Check {
  return { id, title, status: 'failed', seen, remedy, remedyCommand, blocks: [...blocks] }
}

/** A check that could not be made, told by the error's own words. */
export function failedBy(id: string, title: string, error: LabError, blocks: readonly Capability[] = ALL): Check {
  const seen = error.detail === null || error.detail === '' ? error.message : `${error.message} ${error.detail}`
  return failed(id, title, seen, error, blocks)
}
