/** The emulated computer as a machine of network namespaces: a 32-bit Linux whose clock counts instructions. */
import { LabError } from '@expresslane/shared/base/errors'
import { EMULATED_CLOCK } from '@expresslane/shared/testbed/kinds'
import { steadyTime } from '../../time.ts'
import { machineOf } from '../agent/machine.ts'
import { createOpened } from '../agent/opened.ts'
import type { Machine } from '../machine/machine.ts'
import type { Emulator } from './emulator.ts'
import { NAME, openPlace, TOOL_PATH } from './place.ts'

const lacking = 'The small kernel of the emulated computer lacks it.'
const oneCpu = 'The emulated computer has one CPU, so there is nothing to choose.'

/** An emulator takes so much longer than the computer itself, and a phone more. */
const COMMAND_MS = 300_000

export interface EmulatedOptions {
  /** Restores the computer from its saved state. */
  readonly start: () => Promise<Emulator>
  /** Its parts with version and digest. */
  readonly madeOf: Readonly<Record<string, string>>
}

/** Restored with the first use, from one saved state: every restored computer is the same. */
export function createEmulatedMachine({ start, madeOf }: EmulatedOptions): Machine {
  const places = createOpened(
    (signal) => openPlace(start, signal),
    () => new LabError('testbed_gone', 'The emulated computer was stopped.', 'Start it again.'),
  )
  return {
    ...machineOf(places, TOOL_PATH),
    kind: 'emulated',
    instructionsPerMicrosecond: EMULATED_CLOCK,
    name: NAME,
    resources: { measuring: [], changing: [] },
    rest: { isNow: places.isAtRest, checks: () => Promise.resolve([]) },
    madeOf: () => Promise.resolve(madeOf),
    takeOver: null,
    cpus: [0],
    primitives: {
      cpus: oneCpu,
      'kernel-thread': oneCpu,
      bpf: 'Not tried on the emulated computer.',
      'cgroup-bpf': lacking,
      ipvs: lacking,
      netkit: lacking,
      tbf: lacking,
      police: lacking,
      fq: lacking,
      netem: lacking,
      'congestion-control': lacking,
      vxlan: lacking,
      geneve: lacking,
      wireguard: lacking,
      esp: lacking,
      profile: 'Functions are not profiled on the emulated computer.',
      tun: lacking,
      kernels: 'The emulated computer has one kernel.',
      'quick-switch': 'On the emulated computer a switch takes longer than a short measurement.',
    },
    kernels: null,
    commandMs: COMMAND_MS,
    profiler: () => Promise.reject(new LabError('tool_missing', lacking, 'Run the lab on another testbed.')),
    now: steadyTime.now,
  }
}
