/** `ethtool -k`: a device's offloads, as far as they decide about XDP on a veth. */

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
