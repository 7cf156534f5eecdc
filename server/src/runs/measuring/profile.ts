/** Profiles an arm after its repeats: two more runs of its benchmark, whose difference has no start and no end of programs. */
import { transactionsOf } from '@expresslane/shared/features/counted-packets'
import { LabError } from '@expresslane/shared/base/errors'
import type { Benchmark } from '@expresslane/shared/measure/benchmark'
import { valueOf, type Measurement } from '@expresslane/shared/measure/measurement'
import { asPrinted } from '@expresslane/shared/features/printed'
import { profileMade, type MadeProfile, type WorkUnit } from '@expresslane/shared/profile/made'
import { noProfile, perTransaction } from '@expresslane/shared/profile/profile'
import { nodeportProgram } from '../../tools/nodeport/argv.ts'
import type { Invocation } from '../../benchmarks/invocation.ts'
import type { Profiled, Profiler, Testbed } from '../../testbeds/testbed.ts'
import type { StepContext } from '../perform/step-context.ts'
import { runBenchmark } from './run-benchmark.ts'

/** Seconds of the shorter and the longer run: parts of a second are run by transactions. */
const seconds = { parts: [0.25, 0.75], whole: [1, 2], sampled: 3 } as const
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

/** How much a run has done, as its tool printed it. Null for a tool that does not count its work. */
function workOf(one: Measurement): { readonly unit: WorkUnit; readonly amount: number } | null {
  const transactions = transactionsOf(one)
  if (transactions > 0)
    return { unit: connecting.has(one.benchmark.tool) ? 'connection' : 'transaction', amount: transactions }
  const printed = asPrinted(one)
  const bits = valueOf(printed, 'throughput') ?? valueOf(printed, 'streamRate')
  if (bits !== null) return { unit: 'megabyte', amount: (bits * one.elapsedSeconds) / MEGABYTE_BITS }
  const packets = valueOf(printed, 'forwardRate')
  return packets === null ? null : { unit: 'packet', amount: packets * one.elapsedSeconds }
}

function noWork(tool: string): LabError {
  return new LabError(
    'bad_request',
    `${tool} counts neither transactions, packets nor bytes, so there is no profile.`,
    'Profile a step with another benchmark.',
  )
}

/** A repeat of an arm, without the numbers of the run. */
export type ProfiledArm = Omit<Invocation, 'repeat' | 'previous' | 'before' | 'warmup' | 'profiled' | 'seconds'>

interface Run extends Profiled {
  readonly work: { readonly unit: WorkUnit; readonly amount: number }
}

async function profileRun(one: Invocation, { exact, take }: Profiler, context: StepContext): Promise<Run> {
  let measurement: Measurement | null = null
  // Its samples and its values are no measurement's: it runs beside the profiler.
  const quiet: StepContext = {
    ...context,
    testbed: exact ? marked(context.testbed) : context.testbed,
    emit: (event) => void (event.type === 'sample.taken' || context.emit(event)),
  }
  const profiled = await take(async () => {
    measurement = (await runBenchmark(one, quiet)).measurement
  })
  const work = measurement === null ? null : workOf(measurement)
  if (work === null) throw noWork(one.benchmark.tool)
  return { ...profiled, work }
}

/** Two runs whose difference has no start and no end of programs. */
async function exactly(
  one: Omit<Invocation, 'seconds'>,
  profiler: Profiler,
  context: StepContext,
): Promise<MadeProfile> {
  // A tool that knows whole seconds only takes whole seconds.
  const whole = one.previous !== null && transactionsOf(one.previous) === 0 && valueOf(one.previous, 'tps') === null
  const [short, long] = whole ? seconds.whole : seconds.parts
  const shorter = await profileRun({ ...one, seconds: short }, profiler, context)
  const longer = await profileRun({ ...one, seconds: long }, profiler, context)
  const amount = longer.work.amount - shorter.work.amount
  return profileMade(perTransaction(shorter.profile, longer.profile, amount), {
    unit: longer.work.unit,
    amount,
    samples: null,
    kernel: one.fingerprint.kernel,
    lost: shorter.lost + longer.lost,
    unmatched: Math.max(shorter.unmatched, longer.unmatched),
  })
}

/** One long run: samples are too few to subtract. */
async function sampled(
  one: Omit<Invocation, 'seconds'>,
  profiler: Profiler,
  context: StepContext,
): Promise<MadeProfile> {
  const { profile, work, lost, unmatched, samples } = await profileRun(
    { ...one, seconds: seconds.sampled },
    profiler,
    context,
  )
  return profileMade(perTransaction(noProfile, profile, work.amount), {
    ...work,
    samples,
    lost,
    unmatched,
    kernel: one.fingerprint.kernel,
  })
}

async function made(arm: ProfiledArm, previous: Measurement | null, context: StepContext): Promise<MadeProfile> {
  const { profiler } = context.testbed
  const reason = context.testbed.primitives.profile
  if (profiler === undefined || reason !== null) {
    throw new LabError('bad_request', reason ?? 'This testbed makes no profiles.', 'Choose the counted machine.')
  }
  // The functions of the arm: its modules and BPF programs are among them.
  const ready = await profiler(context)
  const one = { ...arm, repeat: 1, previous, before: null, warmup: true, profiled: true }
  return await (ready.exact ? exactly : sampled)(one, ready, context)
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
