/** The watched measurement: netperf with followers connected and without, in turn. */
import { median } from '@expresslane/shared/measure/measurement'
import type { BenchApp } from '../support/app.ts'
import { spread, type Row } from '../support/table.ts'
import { throughApp, tpsRatioRow } from '../support/tps-pairs.ts'
import { gather } from './crowd-client.ts'

const FOLLOWERS = 100
/** The most that the page may be behind; events wait up to 200 ms for their batch during a measurement. */
const DELAY_MS = 250

/** TPS with 100 followers of the presented session over TPS with none. The crowd runs on the same two processors. */
export async function watched(app: BenchApp): Promise<Row[]> {
  const sessionId = await app.session('big-tcp-ipv4')
  await app.run(sessionId, 'deploy', { solve: true })
  await app.ask('PUT', '/api/presentation', { sessionId, stepId: 'baseline' })
  const crowd = await gather(app, null)
  const delays: number[] = []
  try {
    const ratio = await tpsRatioRow(
      `TPS with ${FOLLOWERS} followers over TPS with none`,
      async () => {
        await crowd.connect(FOLLOWERS)
        const tps = await throughApp(app, sessionId)
        const { p99 } = await crowd.report()
        if (p99 !== null) delays.push(p99)
        await crowd.leave()
        return tps
      },
      () => throughApp(app, sessionId),
      'the followers read on the same processors',
    )
    const delay = {
      what: 'From an event to a follower while this machine measures',
      bound: `<= ${DELAY_MS} ms`,
      measured: spread(delays, 0, ' ms'),
      how: `99th percentile over ${FOLLOWERS} followers of the presented measurement, ${delays.length} times`,
      holds: delays.length > 0 && median(delays) <= DELAY_MS,
    }
    return [ratio, delay]
  } finally {
    await crowd.close()
  }
}
