import { LabError } from '@expresslane/shared/wire/errors'
import { benchmarkRunners } from '../../features/runners.ts'
import type { StepContext } from '../perform/step-context.ts'
import type { Invocation, Taken } from '../../benchmarks/invocation.ts'

/** Runs an invocation's benchmark with its tool, and returns the measurement. @throws LabError; `signal.reason` */
export async function runBenchmark(invocation: Invocation, context: StepContext): Promise<Taken> {
  const { arm, caseId, family, repeat, warmup, fingerprint, benchmark } = invocation
  const run = benchmarkRunners.get(benchmark.tool)
  if (run === undefined) {
    throw new LabError(
      'bad_request',
      `This server does not know the tool “${benchmark.tool}”.`,
      `Choose one of: ${[...benchmarkRunners.keys()].join(', ')}.`,
    )
  }
  const { after, startedAt, elapsedSeconds, values } = await run(invocation, context)
  const common = { arm, caseId, family, repeat, warmup, startedAt, elapsedSeconds, fingerprint }
  return { measurement: { ...common, benchmark, values: { ...values } }, after }
}
