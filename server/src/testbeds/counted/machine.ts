/** The counted machine as a place of network namespaces: a virtual machine whose clock counts instructions. */
import { COUNTED_CLOCK } from '@expresslane/shared/measure/clock'
import { LabError } from '@expresslane/shared/base/errors'
import { steadyTime } from '../../time.ts'
import type { Machine } from '../machine/machine.ts'
import { createBoots, type BootOptions } from './boots.ts'
import { checkNeeds } from './needs.ts'
import { PACK } from './prepared.ts'
import { PROCESSOR } from './qemu-argv.ts'
import { answered } from '../agent/processes.ts'
import { machineOf } from '../agent/machine.ts'
import { parseSymbols } from '../machine/symbols.ts'
import { TOOL_PATH } from './vm.ts'

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

/** Boots with the first use, one virtual machine at a time. */
export function createCountedMachine(options: CountedOptions): Machine {
  const { turn = 0 } = options
  const boots = createBoots(options)
  const { running } = boots

  return {
    ...machineOf(boots, TOOL_PATH),
    kind: 'counted',
    instructionsPerMicrosecond: COUNTED_CLOCK,
    name: 'the counted machine',
    resources: { measuring: [`counted:${turn}`], changing: [] },
    rest: { isNow: boots.isAtRest, checks: () => checkNeeds(options.env['PATH'] ?? '', options.kernel) },
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
    // Its commands take the host's time, more of it than on the host itself: the kernel's check of the largest BPF program
    // took 90 s on two CPUs that twenty processes shared.
    commandMs: 300_000,
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
    now: steadyTime.now,
  }
}
