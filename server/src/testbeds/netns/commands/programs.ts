/** The programs that the testbed runs, and how to install missing programs. */
import { LabError } from '@expresslane/shared/base/errors'
import type { Machine } from '../../machine/machine.ts'

/** The Debian package of each program. */
const packageOf = new Map([
  ['bash', 'bash'],
  ['cat', 'coreutils'],
  ['chrt', 'util-linux'],
  ['curl', 'curl'],
  ['drill', 'ldnsutils'],
  ['ping', 'iputils-ping'],
  ['find', 'findutils'],
  ['ip', 'iproute2'],
  ['ip6tables', 'iptables'],
  ['ip6tables-restore', 'iptables'],
  ['ipset', 'ipset'],
  ['iptables', 'iptables'],
  ['iptables-restore', 'iptables'],
  ['iperf3', 'iperf3'],
  ['ipvsadm', 'ipvsadm'],
  ['mount', 'mount'],
  ['netperf', 'netperf'],
  ['netserver', 'netperf'],
  ['nft', 'nftables'],
  ['nsenter', 'util-linux'],
  ['pgrep', 'procps'],
  ['setpriv', 'util-linux'],
  ['taskset', 'util-linux'],
  ['tayga', 'tayga'],
  ['tcpdump', 'tcpdump'],
  ['tee', 'coreutils'],
  ['timeout', 'coreutils'],
  ['unbound', 'unbound'],
  ['unshare', 'util-linux'],
  ['xargs', 'findutils'],
])

/** The command that installs a program for a machine; null if its package is not known. */
export function installCommand(program: string, { takeOver }: Pick<Machine, 'takeOver'>): string | null {
  const name = packageOf.get(program)
  if (name === undefined) return null
  return [`sudo apt-get install ${name}`, ...(takeOver === null ? [] : [takeOver])].join(' && ')
}

/** @throws LabError `tool_missing` when the machine has no such program */
export async function requireProgram(
  program: string,
  machine: Pick<Machine, 'name' | 'toolPath' | 'findProgram' | 'takeOver'>,
): Promise<void> {
  const { name, toolPath } = machine
  if ((await machine.findProgram(program)) !== null) return
  const command = installCommand(program, machine)
  throw new LabError(
    'tool_missing',
    `The program ${program} is not on ${name}.`,
    `Install ${packageOf.get(program) ?? program}, then try again.`,
    { detail: `PATH=${toolPath}`, ...(command === null ? {} : { remedyCommand: command }) },
  )
}
