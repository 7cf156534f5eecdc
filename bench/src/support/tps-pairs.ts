/** netperf through the app and without it, in turn, so that the app's cost is measured pair by pair. */
import { setTimeout } from 'node:timers/promises'
import { valueOf } from '@expresslane/shared/measure/measurement'
import { measurementsOf } from '@expresslane/shared/run/run-state'
import type { BenchApp } from './app.ts'

const PAIRS = 10
const SECONDS = 10
/** Before each side, because a shared processor is faster after a rest. */
const REST_MS = 1000
/** The time that the app needs before and after a measurement. Earlier requests would disturb it. */
const AROUND_MS = 200
export const TPS_LIMIT = 0.99
export const pairsTaken = `median of ${PAIRS} interleaved pairs of ${SECONDS} s`

/** The classic lab's command, with keys for its output. */
export function bareNetperf(address: string): string[] {
  const test = ['-H', address, '-t', 'TCP_RR', '-l', `${SECONDS}`, '-P', '0']
  return ['netperf', ...test, '--', '-r', '80000,80000', '-k', 'MIN_LATENCY,P90_LATENCY,P99_LATENCY,THROUGHPUT']
}

export function readTps(stdout: string): number {
  const tps = Number(/^THROUGHPUT=(.+)$/m.exec(stdout)?.[1])
  if (!(tps > 0)) throw new Error(`netperf printed: ${stdout}`)
  return tps
}

/** The measurement of the baseline step. */
export async function throughApp(app: BenchApp, session: string): Promise<number> {
  const params = { repeats: 1, seconds: SECONDS }
  const run = await app.run(session, 'baseline', { params }, SECONDS * 1000 + AROUND_MS)
  const [measured] = measurementsOf(run)
  const tps = measured === undefined ? null : valueOf(measured, 'tps')
  if (tps === null) throw new Error(run.problem?.message ?? 'nothing was measured')
  return tps
}

/** Ratios of `ours` to `bare`, in alternating order. */
export async function compareTps(ours: () => Promise<number>, bare: () => Promise<number>): Promise<number[]> {
  const rested = async (side: () => Promise<number>): Promise<number> => {
    await setTimeout(REST_MS)
    return side()
  }
  const ratios: number[] = []
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const oursFirst = pair % 2 === 0
    const first = await rested(oursFirst ? ours : bare)
    const second = await rested(oursFirst ? bare : ours)
    ratios.push(oursFirst ? first / second : second / first)
  }
  return ratios
}
