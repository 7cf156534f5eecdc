/** A profile of this machine's kernel from samples: `nodeport sample` (`server/native/README.md`). */
import { PROGRAM, ROOT, TASK, UNKNOWN } from '@expresslane/shared/profile/profile'
import { LabError } from '@expresslane/shared/base/errors'
import { groupOf } from '@expresslane/shared/profile/groups'
import { z } from 'zod'
import type { Machine } from '../../machine/machine.ts'
import { nameAt, parseSymbols, type Symbols } from '../../machine/symbols.ts'
import { nodeportProgram } from '../../../tools/nodeport/argv.ts'
import type { Profiled, Profiler } from '../../testbed.ts'

const count = z.number().int().nonnegative()
const sampleLine = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready'), hertz: z.number().positive(), cpus: count }),
  z.object({
    type: z.literal('stack'),
    samples: count,
    place: z.enum(['testbed', 'kernel']),
    addresses: z.array(z.string().regex(/^[0-9a-f]{1,16}$/)),
  }),
  z.object({ type: z.literal('end'), samples: count, lost: count }),
])
type SampleLine = z.infer<typeof sampleLine>
type Stack = Extract<SampleLine, { type: 'stack' }>

/** Soft interrupts, by the names of different kernels, and threads of their own for a device's packets. */
const PACKETS = /^(handle_softirqs|__do_softirq|napi_threaded_poll)/

/** True for the testbed's tasks, and for the kernel's work on packets: soft interrupts, and the workers that encrypt. */
function isOfArm(place: Stack['place'], names: readonly string[]): boolean {
  return place === 'testbed' || names.some((name) => PACKETS.test(name) || groupOf(name) === 'encryption')
}

/** @param ns of CPU time that a sample stands for */
function profileOf(stacks: readonly Stack[], symbols: Symbols, ns: number): Pick<Profiled, 'profile' | 'samples'> {
  let taken = 0
  const profile = { functions: [ROOT as string], parents: [0], instructions: [0], calls: [0] }
  const known = new Map<string, number>()
  const contextOf = (parent: number, name: string): number => {
    const key = `${parent} ${name}`
    const found = known.get(key)
    if (found !== undefined) return found
    const made = profile.functions.push(name) - 1
    profile.parents.push(parent)
    profile.instructions.push(0)
    profile.calls.push(0)
    known.set(key, made)
    return made
  }
  for (const { samples, place, addresses } of stacks) {
    const names = addresses.toReversed().map((address) => nameAt(symbols, BigInt(`0x${address}`)) ?? UNKNOWN)
    if (!isOfArm(place, names)) continue
    taken += samples
    const path = names.length === 0 ? [PROGRAM] : [TASK, ...names]
    const context = path.reduce(contextOf, 0)
    profile.instructions[context] = (profile.instructions[context] ?? 0) + samples * ns
  }
  return { profile, samples: taken }
}

/** A line that is none of the sampler's is an error's. */
function readLine(text: string): SampleLine | null {
  try {
    return sampleLine.parse(JSON.parse(text))
  } catch {
    return null
  }
}

function notSampled(detail: string): LabError {
  return new LabError('tool_failed', 'The sampler failed, so there is no profile.', 'Run the step again.', { detail })
}

/** Samples while `work` is done. */
async function sample(machine: Pick<Machine, 'start'>, symbols: Symbols, work: () => Promise<void>): Promise<Profiled> {
  const ready = Promise.withResolvers<void>()
  const lines: SampleLine[] = []
  const words: string[] = []
  const running = await machine.start({
    argv: [nodeportProgram, 'sample'],
    asServer: true,
    onLine(stream, text) {
      const line = stream === 'stdout' ? readLine(text) : null
      if (line === null) return void words.push(text)
      lines.push(line)
      if (line.type === 'ready') ready.resolve()
    },
  })
  try {
    await Promise.race([ready.promise, running.closed.then(() => Promise.reject(notSampled(words.join('\n'))))])
    await work()
  } finally {
    await running.end()
    await running.closed
  }
  const [begun, end] = [lines.find(({ type }) => type === 'ready'), lines.find(({ type }) => type === 'end')]
  if (begun?.type !== 'ready' || end?.type !== 'end') throw notSampled(words.join('\n'))
  const stacks = lines.flatMap((line) => (line.type === 'stack' ? line : []))
  const { profile, samples } = profileOf(stacks, symbols, 1e9 / begun.hertz)
  if (samples === 0) throw notSampled('no sample is of the testbed')
  return { profile, samples, lost: end.lost, unmatched: 0 }
}

/** @throws LabError `tool_failed` if the addresses of the kernel's functions are hidden */
export async function createSampler(machine: Pick<Machine, 'start' | 'readText'>): Promise<Profiler> {
  const symbols = parseSymbols((await machine.readText('/proc/kallsyms')) ?? '')
  if (symbols.names.length === 0) {
    throw new LabError(
      'tool_failed',
      'This kernel hides the addresses of its functions, so there is no profile.',
      'Set kernel.kptr_restrict to 1 or 0, or choose the counted machine.',
      { detail: '/proc/kallsyms has no addresses' },
    )
  }
  return { exact: false, take: (work) => sample(machine, symbols, work) }
}
