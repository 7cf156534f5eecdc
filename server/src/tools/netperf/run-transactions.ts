/** Runs one netperf that counts transactions, whichever way they take. */
import type { Target } from '../../testbeds/target.ts'
import type { CallContext } from '../../testbeds/testbed.ts'
import { createTcpRrReader, type TcpRrResult } from './netperf.ts'
import type { BenchmarkContext } from '../../benchmarks/invocation.ts'

/**
 * Runs it to its end, and emits its rate as samples.
 *
 * @param at where the client is, and its command
 * @throws LabError the errors of netperf's reader and the testbed; `signal.reason`
 */
export async function runTransactions(
  at: { readonly target: Target; readonly argv: readonly string[] },
  repeat: number,
  testbed: BenchmarkContext['testbed'],
  context: CallContext,
): Promise<TcpRrResult> {
  const reader = createTcpRrReader()
  let ended: { code: number | null; signal: string | null } = { code: null, signal: null }
  for await (const item of testbed.exec(at.target, at.argv, context)) {
    if (item.type === 'exit') {
      ended = item
      continue
    }
    const sample = reader.read(item.text)
    if (sample === null) continue
    const { atSeconds, tps } = sample
    context.emit({
      type: 'sample.taken',
      repeat,
      sample: { atSeconds, seconds: null, omitted: false, values: { tps } },
    })
  }
  return reader.finish(ended)
}
