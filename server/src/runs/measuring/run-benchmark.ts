import { asPrinted, storedValues } from '@expresslane/shared/features/printed'
import type { Clock } from '@expresslane/shared/measure/clock'
import { measurement } from '@expresslane/shared/measure/measurement'
import type { MetricValues } from '@expresslane/shared/measure/metrics'
import { LabError } from '@expresslane/shared/base/errors'
import { podsOn } from '../../features/pods.ts'
import { benchmarkRunners, watchersOf } from '../../features/runners.ts'
import type { StepContext } from '../perform/step-context.ts'
import type { Invocation, Taken } from '../../benchmarks/invocation.ts'

/** The same step, whose samples are stored in the unit of the clock. */
function inUnitOf(clock: Clock, context: StepContext): StepContext {
  if (clock === null) return context
  return {
    ...context,
    emit: (event) => {
      if (event.type !== 'sample.taken') return context.emit(event)
      const { sample } = event
      return context.emit({ ...event, sample: { ...sample, values: storedValues(sample.values, clock) } })
    },
  }
}

/**
 * Runs an invocation's benchmark with its tool, watched by the features, and returns the measurement. It is checked here,
 * at the edge: the log of a run must never have an event that can't be read again.
 *
 * @throws LabError `tool_output_unreadable` for impossible values, such as a negative time; the tool's own errors;
 * `signal.reason`
 */
export async function runBenchmark(invocation: Invocation, context: StepContext): Promise<Taken> {
  const { arm, caseId, family, repeat, warmup, fingerprint, benchmark, previous } = invocation
  const run = benchmarkRunners().get(benchmark.tool)
  if (run === undefined) {
    throw new LabError(
      'bad_request',
      `This server does not know the tool “${benchmark.tool}”.`,
      `Choose one of: ${[...benchmarkRunners().keys()].join(', ')}.`,
    )
  }
  const clock = fingerprint.instructionsPerMicrosecond
  const pods = podsOn(context.testbed, invocation.placement, context)
  const watching = await Promise.all(watchersOf(fingerprint.settings).map((watch) => watch(pods)))
  const {
    after,
    startedAt,
    elapsedSeconds,
    values: measured,
  } = await run({ ...invocation, previous: previous === null ? null : asPrinted(previous) }, inUnitOf(clock, context))
  const watched = await Promise.all(watching.map((read) => read()))
  const values = watched.reduce<MetricValues>((all, more) => ({ ...all, ...more }), measured)
  const common = { arm, caseId, family, repeat, warmup, startedAt, elapsedSeconds, fingerprint }
  const taken = measurement.safeParse({ ...common, benchmark, values: storedValues(values, clock) })
  if (taken.success) return { measurement: taken.data, after }
  throw new LabError(
    'tool_output_unreadable',
    `${benchmark.tool} measured a value that can’t be right.`,
    'Run the step again. If it happens again, report it as a bug, with the details.',
    { detail: taken.error.message },
  )
}
