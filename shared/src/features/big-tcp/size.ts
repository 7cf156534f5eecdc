/** The size that BIG TCP sets on the devices of a path. */
import { bytes, type Bytes } from '../../base/units.ts'
import type { Reading } from '../../testbed/reading.ts'

/** Cilium's cap on BIG TCP sizes, `bigTCPGSOMaxSize` (pkg/datapath/linux/bigtcp): a cap, not the size to expect. */
export const BIG_TCP_CAP = bytes.parse(196_608)

/**
 * The size that BIG TCP sets, computed as Cilium computes it on each node: the smallest `tso_max_size` of the node's
 * native devices, at most {@link BIG_TCP_CAP} (`probeTSOMaxSize`, pkg/datapath/linux/bigtcp).
 * Null if a native device does not report its maximum, or if there is none.
 *
 * @param node the node to compute it for; null for the smallest of all nodes, the size that a packet keeps from end to
 * end
 */
export function bigTcpSize(path: readonly Reading[], node: string | null = null): Bytes | null {
  const limits = path
    .filter((device) => device.native && (node === null || device.node === node))
    .map((device) => device.tsoMaxSize)
  if (limits.length === 0) return null
  let size: number = BIG_TCP_CAP
  for (const limit of limits) {
    if (limit === null) return null
    size = Math.min(size, limit)
  }
  return bytes.parse(size)
}
