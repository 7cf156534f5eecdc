/** The programs that the testbed runs, and how to install missing programs. */
import { LabError } from '@expresslane/shared/base/errors'
import { isComing, WAIT } from '../../coming.ts'
import type { Machine } from '../../machine/machine.ts'

interface Remedy {
  readonly remedy: string
  readonly remedyCommand: string | null
  readonly coming?: boolean
}

/**
 * Debian's packages and their programs. The set-up gets those of a set without installing them
 * (scripts/setup/system-tools.mjs).
 */
const packages: readonly (readonly [name: string, set: string | null, programs: string])[] = [
  ['bash', 'core', 'bash'],
  ['bubblewrap', 'core', 'bwrap'],
  ['coreutils', null, 'cat tee timeout'],
  ['curl', 'families', 'curl'],
  ['findutils', null, 'find xargs'],
  ['iperf3', 'core', 'iperf3'],
  ['iproute2', 'core', 'ip'],
  ['ipset', 'ipvs', 'ipset'],
  ['iptables', 'core', 'ip6tables ip6tables-restore iptables iptables-restore'],
  ['iputils-ping', 'families', 'ping'],
  ['ipvsadm', 'ipvs', 'ipvsadm'],
  ['ldnsutils', 'families', 'drill'],
  ['mount', null, 'mount'],
  ['netperf', 'core', 'netperf netserver'],
  ['nftables', 'core', 'nft'],
  ['procps', 'core', 'pgrep'],
  ['tayga', 'families', 'tayga'],
  ['tcpdump', 'core', 'tcpdump'],
  ['unbound', 'families', 'unbound'],
  ['wireguard-tools', 'counted', 'wg'],
  ['util-linux', 'core', 'chrt nsenter setpriv taskset unshare'],
]

/** How a machine gets a program that it does not have; without a command if its package is not known. */
export async function remedyFor(program: string, { takeOver }: Pick<Machine, 'takeOver'>): Promise<Remedy> {
  const [name = program, set] = packages.find(([, , programs]) => programs.split(' ').includes(program)) ?? []
  if (await isComing(name)) return WAIT
  const remedy = `Install ${name}, then try again.`
  if (set === undefined) return { remedy, remedyCommand: null }
  const command = set === null ? `sudo apt-get install ${name}` : `npm run tools -- ${set}`
  return { remedy, remedyCommand: takeOver === null ? command : `${command} && ${takeOver}` }
}

/** @throws LabError `tool_missing` when the machine has no such program */
export async function requireProgram(
  program: string,
  machine: Pick<Machine, 'name' | 'toolPath' | 'findProgram' | 'takeOver'>,
): Promise<void> {
  const { name, toolPath } = machine
  if ((await machine.findProgram(program)) !== null) return
  const { remedy, remedyCommand } = await remedyFor(program, machine)
  throw new LabError('tool_missing', `The program ${program} is not on ${name}.`, remedy, {
    detail: `PATH=${toolPath}`,
    ...(remedyCommand === null ? {} : { remedyCommand }),
  })
}
