/** Responses of a megabyte on one connection: at once, and after a silence. */
import { afterPauseBenchmark, RESPONSE_BYTES, RESPONSES } from '@expresslane/shared/features/limits/benchmarks'
import { median } from '@expresslane/shared/measure/measurement'
import { CLIENT } from '@expresslane/shared/testbed/placement'
import { collect } from '../../benchmarks/collect.ts'
import type { RunBenchmark } from '../../benchmarks/invocation.ts'
import { fetchArgv, parseFetched } from '../../tools/nodeport/pace.ts'

/** The server's port of the responses, which the pods' set-up opens. */
export const RESPONSE_PORT = 7000

const NS_IN_MS = 1e6

/** @throws LabError the errors of the helper and the testbed; `signal.reason` */
export const runAfterPause: RunBenchmark = async ({ benchmark, address, repeat }, context) => {
  const { pauseSeconds } = afterPauseBenchmark.parse(benchmark)
  const startedAt = context.now()
  const argv = fetchArgv({ address, port: RESPONSE_PORT, bytes: RESPONSE_BYTES, count: RESPONSES, pauseSeconds })
  const output = await collect(context.testbed, CLIENT, argv, context)
  const fetched = output
    .trim()
    .split('\n')
    .map((line) => parseFetched(line))
  const times = (paused: boolean): number[] =>
    fetched.flatMap((one) => (one.paused === paused ? [one.ns / NS_IN_MS] : []))
  times(true).forEach((time, index) => {
    const sample = {
      atSeconds: (index + 1) * pauseSeconds,
      seconds: pauseSeconds,
      omitted: false,
      values: { pausedResponse: time },
    }
    context.emit({ type: 'sample.taken', repeat, sample })
  })
  const values = { pausedResponse: median(times(true)), readyResponse: times(false).at(-1) ?? null }
  return { startedAt, elapsedSeconds: RESPONSES * pauseSeconds, values, after: null }
}
