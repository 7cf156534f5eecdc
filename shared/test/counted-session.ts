/**
 * A session that the counted machine really measured (`golden/counted.json`: the events of the three runs that measured and
 * compared, without the tools' output): the lab on BIG TCP over IPv4 with five repeats, on a busy host.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { outputOf, type RunRecord } from '../src/report/build.ts'
import { loggedEvent } from '../src/run/events.ts'
import { reduceRun } from './reduce-run.ts'
import type { RunState } from '../src/run/run-state.ts'
import { session } from '../src/wire/protocol.ts'

/** The file is from before its sessions had owners. */
const withOwner = session.extend({ owner: session.shape.owner.default('owner') })

export const counted = z
  .strictObject({ session: withOwner, events: z.array(loggedEvent) })
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, 'golden/counted.json'), 'utf8')))

/** The session's runs: without BIG TCP, with it, and the comparison. */
export const countedRecords: readonly RunRecord[] = [...Map.groupBy(counted.events, ({ runId }) => runId).values()].map(
  (events) => {
    const run = events.reduce<RunState | null>(reduceRun, null)
    if (run === null) throw new Error('a run without events')
    return { run, output: outputOf(events) }
  },
)
