/** tayga: a stateless translator between IPv4 and IPv6 in user space. It makes a TUN device, which is gone when it ends. */

/** An address of each family that stand for each other. */
export interface AddressPair {
  readonly ipv4: string
  readonly ipv6: string
}

export interface TaygaConfig {
  readonly device: string
  /** Its own addresses, the senders of its errors. */
  readonly own: AddressPair
  /** IPv4 addresses are inside it. Private addresses are refused in `64:ff9b::/96`. */
  readonly prefix: string
  readonly pairs: readonly AddressPair[]
}

/**
 * tayga reads its configuration ({@link taygaConfig}) from standard input, and runs until SIGTERM. It reports only to
 * syslog when it is ready, so the shell waits for its device and prints it. `cat`, because only a file or a pipe can be
 * opened again.
 */
export function taygaArgv(device: string): string[] {
  const script = [
    'exec 3<&0',
    'cat <&3 | tayga --config /dev/stdin --nodetach & tayga=$!',
    `until ip -o link show dev ${device} 2>/dev/null; do kill -0 $tayga || exit 1; sleep 0.02; done`,
    'wait $tayga',
  ]
  return ['sh', '-c', script.join('\n')]
}

export function taygaConfig({ device, own, prefix, pairs }: TaygaConfig): string {
  return [
    `tun-device ${device}`,
    `ipv4-addr ${own.ipv4}`,
    `ipv6-addr ${own.ipv6}`,
    `prefix ${prefix}`,
    ...pairs.map(({ ipv4, ipv6 }) => `map ${ipv4} ${ipv6}`),
    '',
  ].join('\n')
}

/** Whether a line of its output shows its device: `4: nat64: <POINTOPOINT,MULTICAST,NOARP> mtu 1500 ...`. */
export function isTaygaReady(line: string): boolean {
  return /^\d+: \S+: <POINTOPOINT/.test(line)
}
