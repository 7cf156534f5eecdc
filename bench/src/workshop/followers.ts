/** A thousand followers on real WebSockets, while a lab is presented: does each get every event once, and in time? */
import { openApp, type BenchApp } from '../support/app.ts'
import type { Row } from '../support/table.ts'
import { peakMemory } from './memory.ts'
import { gather, type Crowd } from './crowd-client.ts'
import type { CrowdReport } from './crowd-report.ts'

const FOLLOWERS = 1000
const SLOW = 100
const P99_MS = 100
const RSS_MB = 250
/** The recording whose baseline step plays 51 events per second for 8 s. */
const RECORDING = 'recording:big-tcp-ipv4'
const ROUNDS = 3
/** The server on one processor, the crowd on the other. */
const [SERVER_CPU, CROWD_CPU] = [0, 1]

async function present(app: BenchApp): Promise<string> {
  const sessionId = await app.session('big-tcp-ipv4', RECORDING)
  await app.run(sessionId, 'read-off', { solve: true })
  await app.ask('PUT', '/api/presentation', { sessionId, stepId: 'baseline' })
  return sessionId
}

async function play(app: BenchApp, crowd: Crowd, session: string, slow: number): Promise<CrowdReport> {
  await crowd.connect(FOLLOWERS, slow)
  for (let round = 0; round < ROUNDS; round += 1) await app.run(session, 'baseline', {}, 8000)
  return crowd.report()
}

/** @param most the bound of the memory, in MB; null where only the delivery counts */
function rowOf(what: string, report: CrowdReport, memory: number, most: number | null): Row {
  const { followers: readers, events, lost, doubled, p99 } = report
  return {
    what,
    bound: `none lost or doubled, p99 <= ${P99_MS} ms${most === null ? '' : `, <= ${most} MB`}`,
    measured: `${lost} lost, ${doubled} doubled, p99 ${p99} ms, ${memory.toFixed(0)} MB`,
    how: `${events} events in about ${ROUNDS * 8} s to ${readers} readers; the server on one processor; delay from an event's own time to its arrival`,
    holds: events > 0 && lost + doubled === 0 && p99 !== null && p99 <= P99_MS && memory <= (most ?? Infinity),
  }
}

/** Starts a separate server on one processor. */
export async function followers(): Promise<Row[]> {
  const app = await openApp({ EXPRESSLANE_WORKSHOP: '1' }, SERVER_CPU)
  const crowd = await gather(app, CROWD_CPU)
  try {
    const session = await present(app)
    const readers = await play(app, crowd, session, 0)
    const first = rowOf('1,000 followers', readers, await peakMemory(app.server.pid), RSS_MB)
    const beside = await play(app, crowd, session, SLOW)
    // The peak includes the thousand who have left.
    return [first, rowOf('1,000 others, of whom 100 do not read', beside, await peakMemory(app.server.pid), null)]
  } finally {
    await crowd.close()
    await app.close()
  }
}
