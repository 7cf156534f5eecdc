/** netperf through the app and without it, in turn, so that the app's cost is measured pair by pair. */
import { setTimeout } from 'node:timers/promises'
import { valueOf } from '@expresslane/shared/measure/measurement'
import { measurementsOf } from '@expresslane/shared/run/run-state'
import type { BenchApp } from './app.ts'
import { pairedRatio, type PairedRatio } from './paired-ratio.ts'
import type { Row } from './table.ts'

/** Many short pairs see more of the machine's moods than a few long ones, in the same time. */
const SECONDS = 1
/** Before each side, because a shared processor is faster after a rest. */
const REST_MS = 500
/** The time that the app needs before and after a measurement. Earlier requests would disturb it. */
const AROUND_MS = 200

const LIMIT = 0.99
/** A claim about one per cent needs an interval of two. */
const WIDTH = 0.02
const LEAST_PAIRS = 16
const MOST_PAIRS = 800
/** Even, so that both sides come first equally often. */
const LOOK_AFTER = 4

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

/** Narrow enough, and on one side of the limit. */
function isDecided({ low, high }: PairedRatio): boolean {
  return high - low < WIDTH && (low >= LIMIT || high < LIMIT)
}

/** Pairs of `ours` to `bare` in alternating order, as many as the verdict needs. */
async function takePairs(ours: () => Promise<number>, bare: () => Promise<number>): Promise<PairedRatio> {
  const rested = async (side: () => Promise<number>): Promise<number> => {
    await setTimeout(REST_MS)
    return side()
  }
  const ratios: number[] = []
  for (;;) {
    const oursFirst = ratios.length % 2 === 0
    const first = await rested(oursFirst ? ours : bare)
    const second = await rested(oursFirst ? bare : ours)
    ratios.push(oursFirst ? first / second : second / first)
    const ready = ratios.length >= LEAST_PAIRS && ratios.length % LOOK_AFTER === 0
    const so = ready ? pairedRatio(ratios) : null
    if (so === null) continue
    console.error(`${so.pairs} pairs: ${words(so)}`)
    if (isDecided(so) || so.pairs >= MOST_PAIRS) return so
  }
}

function words({ ratio, low, high }: PairedRatio): string {
  return `${ratio.toFixed(3)} (95 %: ${low.toFixed(3)} to ${high.toFixed(3)})`
}

/**
 * Takes pairs until the 95 % interval of the ratio is narrower than 0.02 and on one side of 0.99, and judges by it.
 *
 * @param about more about how it was measured
 */
export async function tpsRatioRow(
  what: string,
  ours: () => Promise<number>,
  bare: () => Promise<number>,
  about: string,
): Promise<Row> {
  const found = await takePairs(ours, bare)
  const pairs = `${found.pairs} interleaved pairs of ${SECONDS} s`
  const why = isDecided(found) ? `until the interval was narrower than ${WIDTH}` : 'the most; still undecided'
  return {
    what,
    bound: `interval above ${LIMIT}, narrower than ${WIDTH}`,
    measured: words(found),
    how: `${pairs}, ${why}; ${about}`,
    holds: isDecided(found) && found.low >= LIMIT,
  }
}
