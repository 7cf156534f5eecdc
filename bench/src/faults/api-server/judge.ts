/** The permitted ends of a run while the API server is broken: the run passes, or a typed error names the fault. */
import type { ErrorCode } from '@expresslane/shared/base/errors'
import { hasPassed, isOpen, type RunState } from '@expresslane/shared/run/run-state'

/** The codes that blame the connection, or the bytes that came over it. */
const CONNECTION: ReadonlySet<ErrorCode> = new Set(['cluster_unreachable', 'exec_dropped', 'tool_output_unreadable'])

export interface Verdict {
  readonly passed: boolean
  /** The error's code, or the run's end in words. */
  readonly says: string
  /** The reason why the end is not permitted; null if it is. */
  readonly wrong: string | null
}

export function judge(run: RunState): Verdict {
  const { problem, outcome, checks, state } = run
  if (isOpen(run)) return { passed: false, says: 'stuck', wrong: 'it has not ended' }
  if (hasPassed(run)) return { passed: true, says: 'passed', wrong: null }
  if (problem !== null) {
    const { code, message, remedy, detail } = problem
    const isTyped = CONNECTION.has(code) && remedy !== ''
    return { passed: false, says: code, wrong: isTyped ? null : `${code}: ${message} ${detail ?? ''}` }
  }
  const failed = checks.filter((check) => check.status === 'failed')
  const unknown = (outcome?.observations ?? []).filter(({ ok }) => !ok)
  const blamed = failed.every((check) => check.problem !== null && CONNECTION.has(check.problem))
  const stated = unknown.every(({ seen }) => seen.startsWith('unknown'))
  if (failed.length > 0 && blamed) return { passed: false, says: 'a failed check', wrong: null }
  if (failed.length === 0 && unknown.length > 0 && stated) return { passed: false, says: 'unknown', wrong: null }
  return { passed: false, says: state, wrong: JSON.stringify([state, outcome, failed]) }
}
