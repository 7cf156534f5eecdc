/** The counted machine as a place of network namespaces: a virtual machine whose clock counts instructions. */
import { PassThrough } from 'node:stream'
import { createInterface } from 'node:readline'
import { COUNTED_CLOCK } from '@expresslane/shared/measure/clock'
import { LabError } from '@expresslane/shared/base/errors'
import { steadyTime } from '../../time.ts'
import type {
  Entrance,
  Machine,
  NamespaceHolder,
  ProcessEnd,
  ProcessStart,
  RunningProcess,
} from '../machine/machine.ts'
import type { AgentProcess, ChannelEnd, Stream } from './agent.ts'
import { createBoots, type BootOptions } from './boots.ts'
import { checkNeeds } from './needs.ts'
import { PACK } from './prepared.ts'
import type { Vm } from './vm.ts'

/** All programs are in one folder (scripts/counted/contents.mjs). */
const toolPath = '/usr/bin'
const env = { PATH: toolPath, LC_ALL: 'C' }

const oneCpu = 'The counted machine has one CPU, so there is nothing to choose.'
const oneKernel =
  'Only one kernel is here for the counted machine. `npm run kernel` lists others, and gets one; then start Expresslane again.'

/** Of a digest. Two machines with the same ones are the same. */
const SHOWN_DIGITS = 16

export interface CountedOptions extends BootOptions {
  /** The number of the turn that its measurements take. @defaultValue 0 */
  readonly turn?: number
}

/** Why a process does not run: the machine refused it, or has ended. */
async function startError(vm: Vm, { argv, namespace }: ProcessStart, end: ChannelEnd): Promise<unknown> {
  if (end.type !== 'failed') {
    await vm.close()
    return vm.gone.reason
  }
  const where = namespace === undefined ? '' : ` in ${namespace}`
  const remedy = `Check that the machine has ${namespace === undefined ? 'it' : 'both'}.`
  return new LabError('tool_failed', `${argv[0] ?? ''} could not be started${where}.`, remedy, { detail: end.error })
}

function endOf(end: ChannelEnd): ProcessEnd {
  if (end.type === 'exited') return { code: end.code, signal: end.signal }
  // It ended with the machine, as by `kill -9`.
  return { code: null, signal: 'SIGKILL' }
}

/** Splits a stream's bytes into lines; `closed` resolves after the last one. */
function lines(onLine: (text: string) => void): { readonly bytes: PassThrough; readonly closed: Promise<void> } {
  const bytes = new PassThrough()
  const closed = Promise.withResolvers<void>()
  createInterface({ input: bytes, crlfDelay: Infinity }).on('line', onLine).once('close', closed.resolve)
  return { bytes, closed: closed.promise }
}

/**
 * A machine answers within milliseconds of its own time, unless its kernel has the only CPU for itself: to load thousands
 * of rules takes it a minute of the host's time, and more where the host is busy.
 */
const ANSWER_MS = 300_000

/** Waits for what a machine answers at once. One that does not answer is ended, and then nothing waits for it any more. */
async function answered<T>(vm: Vm, answer: Promise<T>): Promise<T> {
  const timer = setTimeout(() => void vm.close(), ANSWER_MS)
  try {
    return await answer
  } finally {
    clearTimeout(timer)
  }
}

async function startIn(vm: Vm, start: ProcessStart): Promise<RunningProcess> {
  const { argv, input, ready, onLine } = start
  // Where `ip netns` has them.
  const namespace = start.namespace === undefined ? null : `/run/netns/${start.namespace}`
  const release = vm.busy()
  const outputs = {
    stdout: lines((text) => onLine('stdout', text)),
    stderr: lines((text) => onLine('stderr', text)),
  }
  const onOutput = (stream: Stream, bytes: Buffer): void => void outputs[stream].bytes.write(bytes)
  let child: AgentProcess
  try {
    child = await vm.start({ argv, env, input: input !== undefined, namespace, onOutput })
    if (!(await answered(vm, child.started))) throw await startError(vm, start, await child.closed)
  } catch (error) {
    release()
    if (!(error instanceof RangeError)) throw error
    throw new LabError('tool_failed', 'A command is too long for the counted machine.', 'Report it.', { cause: error })
  }
  if (input !== undefined) {
    void child.write(Buffer.from(input, 'utf8')).then(child.endInput)
  }
  void ready?.then(release, () => {})
  const closed = child.closed.then(async (end) => {
    for (const { bytes } of Object.values(outputs)) bytes.end()
    await Promise.all(Object.values(outputs).map((output) => output.closed))
    release()
    return endOf(end)
  })
  return {
    closed,
    async end() {
      const ended = vm.busy()
      // As for processes of this machine: what is stopped would not end.
      vm.goOn()
      child.end()
      await answered(vm, closed)
      ended()
    },
  }
}

/** Boots with the first use, one virtual machine at a time. */
export function createCountedMachine(options: CountedOptions): Machine {
  const { turn = 0 } = options
  const boots = createBoots(options)
  const { running } = boots
  let programs: { readonly of: Vm; readonly names: Promise<ReadonlySet<string>> } | null = null
  /** Programs by their whole path: a machine's files stay as they are, and each look costs it a process. */
  const there = new WeakMap<Vm, Set<string>>()

  async function output(vm: Vm, argv: readonly string[]): Promise<{ code: number | null; words: readonly string[] }> {
    const words: string[] = []
    const child = await startIn(vm, { argv, onLine: (_, text) => void words.push(text) })
    const { code } = await answered(vm, child.closed)
    return { code, words }
  }

  async function programsOf(vm: Vm): Promise<ReadonlySet<string>> {
    if (programs?.of !== vm) {
      const names = output(vm, ['ls', toolPath]).then(({ words }) => new Set(words))
      programs = { of: vm, names }
    }
    try {
      return await programs.names
    } catch (error) {
      programs = null
      throw error
    }
  }

  async function hold(signal: AbortSignal): Promise<NamespaceHolder> {
    const vm = await boots.wake(signal)
    const check = async (until: AbortSignal): Promise<void> => {
      until.throwIfAborted()
      const release = vm.busy()
      const stopped = Promise.withResolvers<never>()
      const stop = (): void => stopped.reject(until.reason)
      until.addEventListener('abort', stop, { once: true })
      try {
        if (!(await Promise.race([answered(vm, vm.ping()), stopped.promise]))) {
          await vm.close()
          vm.gone.throwIfAborted()
        }
      } finally {
        until.removeEventListener('abort', stop)
        release()
      }
    }
    const outside: Entrance = { enter: (argv) => [...argv], check }
    // Its agent enters it: `ip netns exec` would be one more program, which is 35 ms of this machine's CPU time each.
    const inside = (namespace: string): Entrance => ({ ...outside, namespace })
    return {
      ...outside,
      inside,
      watching: inside,
      withServerRights: inside,
      outside,
      gone: vm.gone,
      close: boots.end,
    }
  }

  return {
    kind: 'counted',
    instructionsPerMicrosecond: COUNTED_CLOCK,
    name: 'the counted machine',
    resources: { measuring: [`counted:${turn}`], changing: [] },
    rest: { isNow: boots.isAtRest, checks: () => checkNeeds(options.env['PATH'] ?? '', options.kernel) },
    wake: async (signal) => void (await boots.wake(signal)),
    async madeOf() {
      const { prepared, qemuVersion } = await running()
      return {
        QEMU: await qemuVersion,
        'kernel package': `${prepared.version}, sha256:${prepared.sha256.slice(0, SHOWN_DIGITS)}`,
        programs:
          prepared.programsSha256 === null ? 'unknown' : `sha256:${prepared.programsSha256.slice(0, SHOWN_DIGITS)}`,
      }
    },
    takeOver: PACK,
    cpus: [0],
    // Debian's kernels have netkit since 6.7, and those that are offered are newer.
    primitives: {
      cpus: oneCpu,
      'kernel-thread': oneCpu,
      bpf: null,
      ipvs: null,
      netkit: null,
      tun: null,
      kernels: oneKernel,
    },
    kernels: null,
    toolPath,
    // Its commands take the host's time, more of it than on the host itself: the kernel's check of the largest BPF program
    // took 90 s on two CPUs that twenty processes shared.
    commandMs: 300_000,
    start: async (process) => await startIn(await running(), process),
    async readText(path) {
      const vm = await running()
      const release = vm.busy()
      try {
        return (await answered(vm, vm.read(path)))?.toString('utf8') ?? null
      } finally {
        release()
      }
    },
    async findProgram(program) {
      const vm = await running()
      if (!program.includes('/')) return (await programsOf(vm)).has(program) ? `${toolPath}/${program}` : null
      const known = there.get(vm) ?? new Set()
      there.set(vm, known)
      if (!known.has(program) && (await output(vm, ['test', '-x', program])).code === 0) known.add(program)
      return known.has(program) ? program : null
    },
    now: steadyTime.now,
    hold,
    close: boots.end,
  }
}
