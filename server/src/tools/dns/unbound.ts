/**
 * unbound as a DNS64 resolver (RFC 6147) for one zone of its own: names without an AAAA record get a record with their
 * IPv4 address inside the prefix. Any user can run it. It gets its configuration and its zone as arguments, writes no
 * file, and asks no other server.
 */

/** A name of the zone; with `ipv4` alone it gets an IPv6 address from DNS64. */
export interface ZoneName {
  /** Without the zone's own name, such as `www`. */
  readonly name: string
  readonly ipv4?: string
  readonly ipv6?: string
}

/** A resolver. */
export interface Resolver {
  /** Its address of either family, and its port: below 1024 it would have to be root's. */
  readonly address: string
  readonly port: number
  /** The prefix (RFC 6052), such as `64:ff9b::/96`; null for a resolver that makes no records. */
  readonly prefix: string | null
  /** The zone's name, without a dot at its end. */
  readonly zone: string
  readonly names: readonly ZoneName[]
}

/** Where the zone is: a pipe, which bash fills. (A standard input that is a socket has no name to open.) */
const ZONE_FILE = '/dev/fd/9'

/**
 * The configuration. An auth-zone with `for-downstream: no`: of `local-data`, and of a zone that answers clients itself, DNS64
 * makes nothing. All other names are refused: there is no server that knows them here.
 */
function configText({ address, port, prefix, zone }: Resolver): string {
  return [
    'server:',
    `  interface: ${address}@${port}`,
    '  access-control: 0.0.0.0/0 allow',
    '  access-control: ::0/0 allow',
    ...(prefix === null
      ? ['  module-config: "iterator"']
      : ['  module-config: "dns64 iterator"', `  dns64-prefix: ${prefix}`]),
    '  local-zone: "." refuse',
    `  local-zone: "${zone}." transparent`,
    '  num-threads: 1',
    '  do-daemonize: no',
    '  username: ""',
    '  chroot: ""',
    '  directory: ""',
    '  pidfile: ""',
    '  use-syslog: no',
    '  logfile: ""',
    'remote-control:',
    '  control-enable: no',
    'auth-zone:',
    `  name: "${zone}."`,
    `  zonefile: "${ZONE_FILE}"`,
    '  for-downstream: no',
    '  for-upstream: yes',
    '  fallback-enabled: no',
    '',
  ].join('\n')
}

/** The zone as a master file (RFC 1035). */
function zoneText({ zone, names }: Resolver): string {
  const records = names.flatMap(({ name, ipv4, ipv6 }) => [
    ...(ipv4 === undefined ? [] : [`${name} A ${ipv4}`]),
    ...(ipv6 === undefined ? [] : [`${name} AAAA ${ipv6}`]),
  ])
  const head = [`$ORIGIN ${zone}.`, '$TTL 60', '@ SOA ns hostmaster 1 3600 600 86400 60', '@ NS ns']
  return [...head, ...records, ''].join('\n')
}

/** Runs until SIGTERM. bash makes pipes for the files that unbound reads. */
export function unboundArgv(of: Resolver): string[] {
  const script = 'exec 8< <(printf %s "$1") 9< <(printf %s "$2"); exec unbound -d -p -c /dev/fd/8'
  return ['bash', '-c', script, 'unbound', configText(of), zoneText(of)]
}

/** Whether a line of its output says that it answers: `[1795403257] unbound[12:0] info: start of service (unbound 1.17.1).` */
export const isUnboundReady = (line: string): boolean => /\binfo: start of service \(/.test(line)
