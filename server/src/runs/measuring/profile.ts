/** Profiles an arm after its repeats: two more runs of its benchmark, whose difference has no start and no end of programs. */
import { transactionsOf } from '@expresslane/shared/features/counted-packets'
import { LabError } from '@expresslane/shared/base/errors'
import type { Benchmark } from '@expresslane/shared/measure/benchmark'
import { valueOf, type Measurement } from '@expresslane/shared/measure/measurement'
import { asPrinted } from '@expresslane/shared/features/printed'
import { profileMade, type MadeProfile, type WorkUnit } from '@expresslane/shared/profile/made'
import { perTransaction } from '@expresslane/shared/profile/profile'
import { nodeportProgram } from '../../tools/nodeport/argv.ts'
import type { Invocation } from '../../benchmarks/invocation.ts'
import type { Profiled, TakeProfile, Testbed } from '../../testbeds/testbed.ts'
import type { StepContext } from '../perform/step-context.ts'
import { runBenchmark } from './run-benchmark.ts'

/** Seconds of the shorter and the longer run: parts of a second are run by transactions. */
const seconds = { parts: [0.5, 1.5], whole: [1, 2] } as const
const MEGABYTE_BITS = 8_000_000

/** Programs that send, receive and measure; commands beside them read counters. */
const measuring: ReadonlySet<string> = new Set(['netperf', 'iperf3', nodeportProgram])

/** Tools whose every transaction is a connection. */
const connecting: ReadonlySet<Benchmark['tool']> = new Set(['tcp-crr', 'nodeport-connect', 'service-connections'])

/** A testbed whose measuring programs run behind the profiler's marks. */
function marked(testbed: Testbed): Testbed {
  return {
    ...testbed,
    exec: (target, argv, context) =>
      testbed.exec(target, measuring.has(argv[0] ?? '') ? [nodeportProgram, 'mark', ...argv] : argv, context),
  }
}

/** How much a run has done, as its tool printed it. Null for a tool that does not count its work, or that does several kinds of work. */
function workOf(one: Measurement): { readonly unit: WorkUnit; readonly amount: number } | null {
  const transactions = transactionsOf(one)
  if (transactions > 0)
    return { unit: connecting.has(one.benchmark.tool) ? 'connection' : 'transaction', amount: transactions }
  const printed = asPrinted(one)
  const [bits, packets] = [valueOf(printed, 'throughput'), valueOf(printed, 'forwardRate')]
  if (bits !== null) return { unit: 'megabyte', amount: (bits * one.elapsedSeconds) / MEGABYTE_BITS }
  return packets === null || one.benchmark.tool === 'new-flows'
    ? null
    : { unit: 'packet', amount: packets * one.elapsedSeconds }
}

function noWork(tool: string): LabError {
  return new LabError(
    'bad_request',
    `${tool} counts neither transactions, packets nor bytes of one kind, so there is no profile.`,
    'Profile a step with another benchmark.',
  )
}

/** A repeat of an arm, without the numbers of the run. */
export type ProfiledArm = Omit<Invocation, 'repeat' | 'previous' | 'before' | 'warmup' | 'seconds'>

interface Run extends Profiled {
  readonly measurement: Measurement
}

async function profileRun(one: Invocation, take: TakeProfile, context: StepContext): Promise<Run> {
  let measurement: Measurement | null = null
  // Its samples and its values are no measurement's: the profiler's marks are inside.
  const quiet: StepContext = {
    ...context,
    testbed: marked(context.testbed),
    emit: (event) => void (event.type === 'sample.taken' || context.emit(event)),
  }
  const profiled = await take(async () => {
    measurement = (await runBenchmark(one, quiet)).measurement
  })
  if (measurement === null) throw new Error('a profiled run has a measurement')
  return { ...profiled, measurement }
}

async function made(arm: ProfiledArm, previous: Measurement | null, context: StepContext): Promise<MadeProfile> {
  const { profiler } = context.testbed
  const reason = context.testbed.primitives.profile
  if (profiler === undefined || reason !== null) {
    throw new LabError('bad_request', reason ?? 'This testbed makes no profiles.', 'Choose the counted machine.')
  }
  // The functions of the arm: its modules and BPF programs are among them.
  const take = await profiler(context)
  // A tool that knows whole seconds only takes whole seconds.
  const whole = previous !== null && valueOf(previous, 'tps') === null && transactionsOf(previous) === 0
  const [short, long] = whole ? seconds.whole : seconds.parts
  const one = { ...arm, repeat: 1, previous, before: null, warmup: true }
  const shorter = await profileRun({ ...one, seconds: short }, take, context)
  const longer = await profileRun({ ...one, seconds: long }, take, context)
  const [less, more] = [workOf(shorter.measurement), workOf(longer.measurement)]
  if (less === null || more === null) throw noWork(arm.benchmark.tool)
  const amount = more.amount - less.amount
  return profileMade(perTransaction(shorter.profile, longer.profile, amount), {
    unit: more.unit,
    amount,
    lost: shorter.lost + longer.lost,
    unmatched: Math.max(shorter.unmatched, longer.unmatched),
    kernel: arm.fingerprint.kernel,
  })
}

/**
 * Profiles an arm and emits the profile. A profile that can't be made fails no run: the event has the reason.
 *
 * @param previous the arm's last repeat; null for none
 * @throws LabError `testbed_gone`; `signal.reason`
 */
export async function profileArm(arm: ProfiledArm, previous: Measurement | null, context: StepContext): Promise<void> {
  const about = { arm: arm.arm, caseId: arm.caseId }
  try {
    context.emit({ type: 'profile.made', ...about, profile: await made(arm, previous, context), reason: null })
  } catch (error) {
    context.signal.throwIfAborted()
    if (!(error instanceof LabError) || error.code === 'testbed_gone') throw error
    context.emit({ type: 'profile.made', ...about, profile: null, reason: error.message })
  }
}
