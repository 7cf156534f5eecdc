/** The pages around a run: its report, or the recordings and its lab. */
import { i18n } from '@expresslane/shared/base/language'
import type { RunState } from '@expresslane/shared/run/run-state'
import { resultAddress } from './address.ts'
import { useReports } from './use-tab.ts'

interface RunLinks {
  readonly back: readonly [to: string, name: string]
  /** Null for a run of a report, which has no session to go to. */
  readonly session: string | null
}

export function useRunLinks(): (run: RunState) => RunLinks {
  const reports = useReports()
  return ({ id, labId, sessionId }) => {
    const report = reports.find(({ runs }) => runs.includes(id))
    if (report !== undefined) return { back: [resultAddress(report), report.title], session: null }
    return { back: ['/', i18n.t('Recordings')], session: `/labs/${labId}/sessions/${sessionId}` }
  }
}
