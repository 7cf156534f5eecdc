/** The versions of tools, as they print them. */

export type VersionedTool =
  | 'netperf'
  | 'iproute2'
  | 'iperf3'
  | 'tcpdump'
  | 'nftables'
  | 'iptables'
  | 'curl'
  | 'drill'
  | 'ping'
  | 'unbound'
  | 'tayga'

interface Asking {
  /** Where it is not the command's first word. */
  readonly program?: string
  readonly argv: readonly string[]
  readonly says: RegExp
}

/** tayga has no option for it: it says its version when it starts, and this one ends because no device has such a name. */
const START_TAYGA = `printf 'tun-device /\\nipv4-addr 192.0.2.1\\nprefix fd64:ff9b::/96\\n' | tayga --config /dev/stdin -d 2>&1; :`

const asking: Record<VersionedTool, Asking> = {
  netperf: { argv: ['netperf', '-V'], says: /^Netperf version (\S+)/m },
  // Before 4.20 iproute2 printed a snapshot's date, `iproute2-ss180129`.
  iproute2: { argv: ['ip', '-V'], says: /^ip utility, iproute2-(\d[^\s,]*|ss\d+)/m },
  iperf3: { argv: ['iperf3', '--version'], says: /^iperf (\d\S*)/m },
  tcpdump: { argv: ['tcpdump', '--version'], says: /^tcpdump version (\S+)/m },
  nftables: { argv: ['nft', '--version'], says: /^nftables v(\S+)/m },
  // With its variant, which costs packets differently.
  iptables: { argv: ['iptables', '--version'], says: /^iptables v(\S+(?: \(\w+\))?)/m },
  curl: { argv: ['curl', '--version'], says: /^curl (\d\S*)/m },
  drill: { argv: ['drill', '-v'], says: /^drill version (\S+)/m },
  ping: { argv: ['ping', '-V'], says: /^ping from iputils (\S+)/m },
  unbound: { argv: ['unbound', '-V'], says: /^Version (\S+)/m },
  tayga: { program: 'tayga', argv: ['sh', '-c', START_TAYGA], says: /^starting TAYGA (\S+)/im },
}

export const versionedTools = Object.keys(asking) as VersionedTool[]
/** The tools that the labs of a client and a server need. */
export const pairTools: readonly VersionedTool[] = ['netperf', 'iproute2', 'iperf3', 'tcpdump']

export function versionArgv(tool: VersionedTool): readonly string[] {
  return asking[tool].argv
}

/** The program whose version {@link versionArgv} asks for. */
export function versionedProgram(tool: VersionedTool): string {
  const { program, argv } = asking[tool]
  return program ?? argv[0] ?? tool
}

/** The version in the output of {@link versionArgv}, as the tool prints it; null if there is none. */
export function parseVersion(tool: VersionedTool, output: string): string | null {
  return asking[tool].says.exec(output)?.[1] ?? null
}

/**
 * Is a version such as `6.15.0` or `6.18.44-amd64` at least `major.minor`?
 * Null if it does not start with numbers, such as a snapshot's date.
 */
export function isAtLeast(version: string, major: number, minor: number): boolean | null {
  const found = /^(\d+)\.(\d+)/.exec(version)
  if (found === null) return null
  const have = [Number(found[1]), Number(found[2])] as const
  return have[0] > major || (have[0] === major && have[1] >= minor)
}
