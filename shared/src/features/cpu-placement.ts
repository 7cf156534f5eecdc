/** The CPUs of the pods' processes: a setting of the pods, and its value in words. Pure. */
import type { Settings } from '../base/settings.ts'
import { CLIENT, cpuPlacement, SERVER, type CpuPlacement, type RoleCpus } from '../testbed/placement.ts'
import { assertNever } from '../base/errors.ts'
import type { Setting } from './feature.ts'
import { roleName } from './words.ts'

export const CPU_PLACEMENT = 'cpu-placement'

/**
 * The name of a placement: `one CPU for client and server`.
 *
 * @param places whose CPUs they are, in the order of the path
 */
export function cpuPlacementName(of: CpuPlacement, places: readonly string[] = [CLIENT, SERVER]): string {
  switch (of) {
    case 'scheduler':
      return 'chosen by the scheduler'
    case 'one-cpu':
      return `one CPU for ${places.slice(0, -1).join(', ')} and ${places.at(-1) ?? ''}`
    case 'two-cpus':
      return 'one CPU each'
    default:
      return assertNever(of)
  }
}

/** The effect of each placement on a measurement, as measured in `docs/statistics.md`. */
const explained = [
  [
    'One CPU',
    'Client and server share a CPU. No wake-up has to cross to another CPU, so packets are nearly all of the cost: the repeats vary least, and the effect of larger packets is clearest. The default where there are two CPUs or more.',
  ],
  [
    'One CPU each',
    'Every packet wakes the other CPU. In a virtual machine a wake-up can cost more than the packet, and how much changes from minute to minute. One stream can be faster, because both sides work at once.',
  ],
  [
    'The scheduler',
    'The kernel moves client and server as it likes, as for any program. Repeats differ by where it put them.',
  ],
] as const

/** The default is the testbed's own: one CPU where it can place processes, else the scheduler. */
export const cpuPlacementSetting = {
  id: CPU_PLACEMENT,
  label: 'CPU placement',
  schema: cpuPlacement.nullable(),
  off: null,
  capability: 'cpu-placement',
  ways: [{ primitive: 'cpus' }],
  readAs: 'cpus',
  forAllArms: true,
  explained,
  format: (value) => {
    const { data } = cpuPlacement.safeParse(value)
    return data === undefined ? 'the testbed’s default' : cpuPlacementName(data)
  },
  control: {
    kind: 'choice',
    options: [
      [null, 'Default: one CPU where possible'],
      ['one-cpu', 'One CPU for both'],
      ['two-cpus', 'One CPU each'],
      ['scheduler', 'Chosen by the scheduler'],
    ],
  },
} as const satisfies Setting

/** The requested placement; null for the testbed's default. */
export function cpuPlacementIn(settings: Settings): CpuPlacement | null {
  return cpuPlacement
    .nullable()
    .catch(null)
    .parse(settings[CPU_PLACEMENT] ?? null)
}

/** The placement that these CPUs are. */
export function cpuPlacementOf(cpus: RoleCpus): CpuPlacement {
  const numbers = Object.values(cpus)
  if (numbers.length === 0) return 'scheduler'
  return new Set(numbers).size === 1 ? 'one-cpu' : 'two-cpus'
}

/** `one CPU for client and server (client on CPU 1, server on CPU 1)`. */
export function cpuWords(cpus: RoleCpus): string {
  const places = Object.keys(cpus).map(roleName)
  const on = Object.values(cpus).map((cpu, index) => `${places[index]} on CPU ${cpu}`)
  const name = cpuPlacementName(cpuPlacementOf(cpus), places)
  return on.length === 0 ? name : `${name} (${on.join(', ')})`
}
