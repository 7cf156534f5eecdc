/** The programs that the testbed runs, and how to install missing programs. */
import { LabError } from '@expresslane/shared/base/errors'
import { isComing, WAIT } from '../../coming.ts'
import type { Machine } from '../../machine/machine.ts'

interface Remedy {
  readonly remedy: string
  readonly remedyCommand: string | null
}

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

/** The packages that the set-up gets without installing them, by its sets (scripts/setup/system-tools.mjs). */
const sets = new Map([
  ['core', 'bash iperf3 iproute2 iptables netperf nftables procps tcpdump util-linux'],
  ['nat64', 'curl iputils-ping ldnsutils tayga unbound'],
  ['ipvs', 'ipset ipvsadm'],
])

/** The command that gets a program for a machine; null if its package is not known. */
function installCommand(program: string, { takeOver }: Pick<Machine, 'takeOver'>): string | null {
  const name = packageOf.get(program)
  if (name === undefined) return null
  const [set] = [...sets].find(([, names]) => names.split(' ').includes(name)) ?? [null]
  const command = set === null ? `sudo apt-get install ${name}` : `npm run tools -- ${set}`
  return [command, ...(takeOver === null ? [] : [takeOver])].join(' && ')
}

/** How a machine gets a program that it does not have. */
export async function remedyFor(program: string, machine: Pick<Machine, 'takeOver'>): Promise<Remedy> {
  if (await isComing(packageOf.get(program) ?? '')) return { remedy: WAIT, remedyCommand: null }
  return {
    remedy: `Install ${packageOf.get(program) ?? program}, then try again.`,
    remedyCommand: installCommand(program, machine),
  }
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
