/** What the features say about names in sentences. Pure. */
import type { Role, RoleCpus } from '../testbed/placement.ts'
import { cpuPlacementName, cpuPlacementOf } from './cpu-placement.ts'
import type { Feature } from './feature.ts'
import { features } from './registry.ts'

const all: readonly Feature[] = features

/** Programs of the common benchmarks and labs. The features add theirs. */
const commonPrograms = ['netperf', 'netserver', 'iperf3', 'tcpdump']
const programs: ReadonlySet<string> = new Set([...commonPrograms, ...all.flatMap((one) => one.programs ?? [])])

/** For the beginning of a sentence or line. Names of programs stay as they are: `iptables`, `netperf`. */
export function capitalized(text: string): string {
  const [first = ''] = /^[\w-]+/.exec(text) ?? []
  return programs.has(first) ? text : text.charAt(0).toUpperCase() + text.slice(1)
}

/** The name of a role for people. */
export function roleName(role: Role): string {
  return all.map((one) => one.roleNames?.[role]).find((name) => name !== undefined) ?? role
}

/** `one CPU for client and server (client on CPU 1, server on CPU 1)`. */
export function cpuWords(cpus: RoleCpus): string {
  const places = Object.keys(cpus).map(roleName)
  const on = Object.values(cpus).map((cpu, index) => `${places[index]} on CPU ${cpu}`)
  const name = cpuPlacementName(cpuPlacementOf(cpus), places)
  return on.length === 0 ? name : `${name} (${on.join(', ')})`
}
