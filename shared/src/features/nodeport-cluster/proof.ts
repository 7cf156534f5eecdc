/** Proves where the called node handled the packets: by the programs on its devices, and by what came as far as TC. */
import { median, valuesOf } from '../../measure/measurement.ts'
import type { Observation } from '../../run/observation.ts'
import { podOf } from '../../testbed/placement.ts'
import type { ProofInput } from '../feature.ts'
import { ENTRY } from './roles.ts'
import { accelerationIn } from './settings.ts'
import { ciliumXdp } from './xdp.ts'

/**
 * At TC a transaction has at least two packets, the request and its answer. With XDP none of them gets there; what does
 * is the node's other traffic, which is less than one packet a transaction.
 */
const PACKET = 1

export function proof({ settings, measurements, datapath }: ProofInput): Observation[] {
  const isNative = accelerationIn(settings) === 'native'
  const entry = podOf(datapath.placement, ENTRY)?.node ?? null
  const devices = datapath.kernel.filter(({ native, node }) => native && node === entry)
  const expected = isNative ? 'native' : 'none'
  const seen = devices.map(ciliumXdp)
  const attached = {
    label: 'XDP program of Cilium on the called node',
    expected,
    seen: seen.length === 0 ? 'unknown' : [...new Set(seen)].join(', '),
    ok: seen.length > 0 && seen.every((one) => one === expected),
  }
  const counted = valuesOf(measurements, 'tcPackets')
  // Where TC has no qdisc (tcx), nothing counts them.
  if (counted.length === 0) return [attached]
  return [
    attached,
    {
      label: 'packets at TC per transaction',
      expected: isNative ? 'fewer than 1' : 'at least 2',
      seen: median(counted).toFixed(2),
      ok: isNative ? counted.every((one) => one < PACKET) : counted.every((one) => one >= 2 * PACKET),
    },
  ]
}
