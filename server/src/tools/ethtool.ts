/** `ethtool`: a device's driver, ring and offloads. */

export function offloadsArgv(device: string): string[] {
  return ['ethtool', '-k', device]
}

export interface Offloads {
  /** Packets leave without their checksum: a network card would compute it, an XDP program behind a veth finds it wrong. */
  readonly txChecksum: boolean
  /**
   * The device can't segment TCP, now or ever. A veth is so while its other end has an XDP program, and only then hands
   * on packets that an XDP program of its own sends back (veth_xdp_set and veth_xdp_flush in drivers/net/veth.c).
   */
  readonly noSegmentation: boolean
}

/** @returns null if the output has neither line */
export function parseOffloads(text: string): Offloads | null {
  const checksum = /^tx-checksumming: (on|off)/m.exec(text)?.[1]
  const segmentation = /^\s*tx-tcp-segmentation: (.+)$/m.exec(text)?.[1]
  if (checksum === undefined || segmentation === undefined) return null
  return { txChecksum: checksum === 'on', noSegmentation: segmentation.trim() === 'off [fixed]' }
}

/** The options of ethtool that describe a network card. A virtual device has no ring, and an error is then the answer. */
export const cardArgvs = (device: string): string[][] =>
  [['-i'], ['-k'], ['-g']].map((option) => ['ethtool', ...option, device])

/** A network card in words: its driver, the offloads that make and take large packets, and the packets of its ring. */
export function cardWords([driver = '', offloads = '', ring = '']: readonly string[]): string {
  const name = /^driver: (.+)$/m.exec(driver)?.[1] ?? 'unknown'
  const [tso, gro] = ['tcp-segmentation-offload', 'generic-receive-offload'].map(
    (feature) => new RegExp(`^${feature}: (on|off)`, 'm').exec(offloads)?.[1] ?? 'unknown',
  )
  const [, present = ''] = ring.split('Current hardware settings:')
  const [rx, tx] = ['RX', 'TX'].map((queue) => new RegExp(`^${queue}:\\s+(\\d+)$`, 'm').exec(present)?.[1])
  const ringWords = rx === undefined || tx === undefined ? 'no ring' : `ring of ${rx} received and ${tx} sent packets`
  return `driver ${name}, TSO ${tso}, GRO ${gro}, ${ringWords}`
}
