/** Profiles an arm after its repeats: two more runs of its benchmark, whose difference has no start and no end of programs. */
import { transactionsOf } from '@expresslane/shared/features/counted-packets'
import { LabError } from '@expresslane/shared/base/errors'
import type { Benchmark } from '@expresslane/shared/measure/benchmark'
import { valueOf, type Measurement } from '@expresslane/shared/measure/measurement'
import { asPrinted } from '@expresslane/shared/features/printed'
import { profileMade, type MadeProfile, type WorkUnit } from '@expresslane/shared/profile/made'
import { perTransaction, SAMPLED_SECONDS } from '@expresslane/shared/profile/profile'
import { nodeportProgram } from '../../tools/nodeport/argv.ts'
import type { Invocation } from '../../benchmarks/invocation.ts'
import type { Profiled, Profiler, Testbed } from '../../testbeds/testbed.ts'
import type { StepContext } from '../perform/step-context.ts'
import { runBenchmark } from './run-benchmark.ts'

/**
 * Seconds of the shorter and the longer run: parts of a second are run by transactions. The noise of both is that of a run's start,
 * so their difference is as long as their time allows.
 */
const seconds = { parts: [0.1, 1.1], whole: [1, 2], sampled: SAMPLED_SECONDS } as const
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

/** Tools whose sender waits in a loop for each packet's time. */
const waiting: ReadonlySet<Benchmark['tool']> = new Set(['new-flows', 'forward-paced'])

/** Why a tool's profile would say something else than its work; null if it does not. */
function whyNot(tool: Benchmark['tool'], exact: boolean): string | null {
  if (waiting.has(tool))
    return 'its sender waits in a loop for each packet’s time, and a profile can’t tell that from work'
  return !exact && tool === 'forward-max' ? 'it can make several attempts, and samples are of all of them' : null
}

/** How much a run has done, as its tool printed it. Null for a tool that does not count its work. */
function workOf(one: Measurement): { readonly unit: WorkUnit; readonly amount: number } | null {
  const transactions = transactionsOf(one)
  if (transactions > 0)
    return { unit: connecting.has(one.benchmark.tool) ? 'connection' : 'transaction', amount: transactions }
  const printed = asPrinted(one)
  const [bits, packets] = [valueOf(printed, 'throughput'), valueOf(printed, 'forwardRate')]
  if (bits !== null) return { unit: 'megabyte', amount: (bits * one.elapsedSeconds) / MEGABYTE_BITS }
  return packets === null ? null : { unit: 'packet', amount: packets * one.elapsedSeconds }
}

function notProfiled(tool: string, reason: string): LabError {
  return new LabError('bad_request', `${tool} has no profile: ${reason}.`, 'Profile a step with another benchmark.')
}

/** A repeat of an arm, without the numbers of the run. */
export type ProfiledArm = Omit<Invocation, 'repeat' | 'previous' | 'before' | 'warmup' | 'seconds'>

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
  if (work === null) throw notProfiled(one.benchmark.tool, 'it counts neither transactions, packets nor bytes')
  return { ...profiled, work }
}

function secondsOf(exact: boolean, previous: Measurement | null): readonly [shorter: number, longer: number] {
  if (!exact) return seconds.sampled
  // A tool that knows whole seconds only takes whole seconds.
  const whole = previous !== null && transactionsOf(previous) === 0 && valueOf(previous, 'tps') === null
  return whole ? seconds.whole : seconds.parts
}

async function made(arm: ProfiledArm, previous: Measurement | null, context: StepContext): Promise<MadeProfile> {
  const { profiler, primitives } = context.testbed
  if (profiler === undefined || primitives.profile !== null) {
    const reason = primitives.profile ?? 'This testbed makes no profiles.'
    throw new LabError('bad_request', reason, 'Choose the counted machine.')
  }
  const { tool } = arm.benchmark
  // The functions of the arm: its modules and BPF programs are among them.
  const ready = await profiler(context)
  const reason = whyNot(tool, ready.exact)
  if (reason !== null) throw notProfiled(tool, reason)
  const one = { ...arm, repeat: 1, previous, before: null, warmup: true }
  const [short, long] = secondsOf(ready.exact, previous)
  const shorter = await profileRun({ ...one, seconds: short }, ready, context)
  const longer = await profileRun({ ...one, seconds: long }, ready, context)
  const amount = longer.work.amount - shorter.work.amount
  if (amount <= 0) throw notProfiled(tool, 'its longer run did no more than its shorter run')
  return profileMade(perTransaction(shorter.profile, longer.profile, amount), {
    unit: longer.work.unit,
    amount,
    samples: longer.samples === null || shorter.samples === null ? null : longer.samples + shorter.samples,
    kernel: arm.fingerprint.kernel,
    lost: shorter.lost + longer.lost,
    unmatched: Math.max(shorter.unmatched, longer.unmatched),
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
