/** The counted machine as a place of network namespaces: a virtual machine whose clock counts instructions. */
import { COUNTED_CLOCK } from '@expresslane/shared/measure/clock'
import { LabError } from '@expresslane/shared/base/errors'
import { steadyTime } from '../../time.ts'
import type { Entrance, Machine, NamespaceHolder } from '../machine/machine.ts'
import { createBoots, type BootOptions } from './boots.ts'
import { checkNeeds } from './needs.ts'
import { PACK } from './prepared.ts'
import { PROCESSOR } from './qemu.ts'
import { answered, startIn, toolPath } from './processes.ts'
import { parseSymbols } from '../machine/symbols.ts'
import type { Vm } from './vm.ts'

const oneCpu = 'The counted machine has one CPU, so there is nothing to choose.'
const oneKernel =
  'Only one kernel is here for the counted machine. `npm run kernel` lists others, and gets one; then start Expresslane again.'

function noPlugin(): LabError {
  return new LabError(
    'tool_missing',
    'The QEMU that is here loads no plugins, so there is no profile here.',
    'Install a QEMU that is built with plugins, such as Debian’s.',
  )
}

/** Digits of a digest: two machines with the same digits are the same. */
const SHOWN_DIGITS = 16

export interface CountedOptions extends BootOptions {
  /** The number of the turn that its measurements take. @defaultValue 0 */
  readonly turn?: number
}

async function output(vm: Vm, argv: readonly string[]): Promise<{ code: number | null; words: readonly string[] }> {
  const words: string[] = []
  const child = await startIn(vm, { argv, onLine: (_, text) => void words.push(text) })
  const { code } = await answered(vm, child.closed)
  return { code, words }
}

/** Finds the programs of the present machine, and keeps the result: each look costs the machine a process. */
function createFindProgram() {
  let listed: { readonly of: Vm; readonly names: Promise<ReadonlySet<string>> } | null = null
  /** Programs by their whole path: a machine's files stay as they are. */
  const there = new WeakMap<Vm, Set<string>>()

  async function list(vm: Vm): Promise<ReadonlySet<string>> {
    if (listed?.of !== vm) {
      const names = output(vm, ['ls', toolPath]).then(({ words }) => new Set(words))
      listed = { of: vm, names }
    }
    try {
      return await listed.names
    } catch (error) {
      listed = null
      throw error
    }
  }

  return async (vm: Vm, program: string): Promise<string | null> => {
    if (!program.includes('/')) return (await list(vm)).has(program) ? `${toolPath}/${program}` : null
    const known = there.get(vm) ?? new Set()
    there.set(vm, known)
    if (!known.has(program) && (await output(vm, ['test', '-x', program])).code === 0) known.add(program)
    return known.has(program) ? program : null
  }
}

/** @throws `vm.gone.reason` if it does not answer; `until.reason` */
async function check(vm: Vm, until: AbortSignal): Promise<void> {
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

/** A machine of its own has one set of namespaces: they end with it. */
function holderOf(vm: Vm, close: NamespaceHolder['close']): NamespaceHolder {
  const outside: Entrance = { enter: (argv) => [...argv], check: (until) => check(vm, until) }
  // Its agent enters it: `ip netns exec` would be one more program, which is 35 ms of this machine's CPU time each.
  const inside = (namespace: string): Entrance => ({ ...outside, namespace })
  return { ...outside, inside, watching: inside, withServerRights: inside, outside, gone: vm.gone, close }
}

/** Boots with the first use, one virtual machine at a time. */
export function createCountedMachine(options: CountedOptions): Machine {
  const { turn = 0 } = options
  const boots = createBoots(options)
  const { running } = boots
  const findProgram = createFindProgram()

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
        processor: PROCESSOR,
        'kernel package': `${prepared.version}, sha256:${prepared.sha256.slice(0, SHOWN_DIGITS)}`,
        programs:
          prepared.programsSha256 === null ? 'unknown' : `sha256:${prepared.programsSha256.slice(0, SHOWN_DIGITS)}`,
      }
    },
    takeOver: PACK,
    cpus: [0],
    // Debian's kernels have all devices since 6.7, and the offered kernels are newer.
    primitives: {
      cpus: oneCpu,
      'kernel-thread': oneCpu,
      bpf: null,
      'cgroup-bpf': null,
      ipvs: null,
      netkit: null,
      tbf: null,
      police: null,
      fq: null,
      netem: null,
      'congestion-control': null,
      vxlan: null,
      geneve: null,
      wireguard: null,
      esp: null,
      profile: null,
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
    async profiler() {
      const vm = await running()
      const { profiler } = vm
      if (profiler === null) throw noPlugin()
      const release = vm.busy()
      try {
        const symbols = parseSymbols((await answered(vm, vm.read('/proc/kallsyms')))?.toString('latin1') ?? '')
        return { exact: true, take: (work) => profiler.profile(symbols, work) }
      } finally {
        release()
      }
    },
    findProgram: async (program) => findProgram(await running(), program),
    now: steadyTime.now,
    hold: async (signal) => holderOf(await boots.wake(signal), boots.end),
    close: boots.end,
  }
}
