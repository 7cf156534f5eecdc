/** Names of programs and roles in sentences, as the features have them. Pure. */
import { derived } from '../base/registry.ts'
import type { Role } from '../testbed/placement.ts'
import { abouts } from './abouts.ts'

/** Programs of the common benchmarks and labs. The features add theirs. */
const commonPrograms = ['netperf', 'netserver', 'iperf3', 'tcpdump']
const programs = derived(() => new Set([...commonPrograms, ...abouts.all().flatMap((one) => one.programs ?? [])]))

/** For the beginning of a sentence or line. Names of programs stay as they are: `iptables`, `netperf`. */
export function capitalized(text: string): string {
  const [first = ''] = /^[\w-]+/.exec(text) ?? []
  return programs().has(first) ? text : text.charAt(0).toUpperCase() + text.slice(1)
}

/** The name of a role for people. */
export function roleName(role: Role): string {
  return (
    abouts
      .all()
      .map((one) => one.roleNames?.[role])
      .find((name) => name !== undefined) ?? role
  )
}
