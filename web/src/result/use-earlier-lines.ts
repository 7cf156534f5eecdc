/** The lines of a run's output before the lines in its state, fetched page by page. */
import type { LogLine, RunState } from '@expresslane/shared/run/run-state'
import { useState } from 'react'
import { readOutput } from '@expresslane/shared/wire/protocol'
import { call } from '../api/request.ts'

interface Fetched {
  readonly lines: readonly LogLine[]
  /** The number of lines before these. */
  readonly earlier: number
}

export interface ShownLines extends Fetched {
  readonly fetching: boolean
  /** Why the last fetch failed; null if it did not. */
  readonly error: unknown
  fetchEarlier(): void
}

const none: Fetched = { lines: [], earlier: 0 }

export function useEarlierLines({ id, log, logDropped, lastSeq }: RunState): ShownLines {
  const [fetched, setFetched] = useState<Fetched>(none)
  const [state, setState] = useState<{ fetching: boolean; error: unknown }>({ fetching: false, error: null })
  // While a run goes on, lines leave its state: then the lines in between would be missing.
  const joined = fetched.lines.length > 0 && fetched.earlier + fetched.lines.length === logDropped
  const lines = joined ? [...fetched.lines, ...log] : log
  const earlier = joined ? fetched.earlier : logDropped

  async function fetchEarlier(): Promise<void> {
    setState({ fetching: true, error: null })
    try {
      const page = await call(readOutput, { params: { id }, query: { before: lines[0]?.seq ?? lastSeq + 1 } })
      setFetched({ lines: joined ? [...page.lines, ...fetched.lines] : page.lines, earlier: page.earlier })
      setState({ fetching: false, error: null })
    } catch (error) {
      setState({ fetching: false, error })
    }
  }

  return { lines, earlier, ...state, fetchEarlier: () => void fetchEarlier() }
}
