/** Compares captured packets with the send limit of their arm. */
import { packetPayload } from '@expresslane/shared/features/big-tcp/payload'
import { sizeFor } from '@expresslane/shared/features/big-tcp/proof'
import { messagePackets, type Capture, type CapturedPacket } from '@expresslane/shared/measure/capture'
import type { ArmPlan } from '@expresslane/shared/measure/experiment'
import { formatCount, type Bytes } from '@expresslane/shared/base/units'
import type { Observation } from '@expresslane/shared/base/observation'
import { LEGACY_MAX_SIZE, type DatapathState } from '@expresslane/shared/testbed/reading'

type Direction = CapturedPacket['direction']

/** The payload sizes of a message's packets under a limit. */
function cutInto(message: number, largest: number): number[] {
  const whole = Array.from({ length: Math.floor(message / largest) }, () => largest)
  return message % largest === 0 ? whole : [...whole, message % largest]
}

/** `65,160 + 14,840`. */
function sum(sizes: readonly number[]): string {
  return sizes.map(formatCount).join(' + ')
}

function observePayloads(capture: Capture, direction: Direction, limit: Bytes, mtu: Bytes): Observation {
  const { family, requestBytes, responseBytes } = capture
  const message = direction === 'request' ? requestBytes : responseBytes
  const seen = messagePackets(capture, direction).map(({ payload }) => payload)
  const expected = sum(cutInto(message, packetPayload(limit, mtu, family)))
  const label = `payload of the ${direction}’s packets`
  return { label, expected, seen: seen.length === 0 ? 'none' : sum(seen), ok: sum(seen) === expected }
}

/** Checks how packets carry a length above 16 bits: IPv4 has no field for it, and IPv6 uses a separate header. */
function observeLengths({ family, packets }: Capture): Observation[] {
  const large = packets.filter(({ length }) => length >= LEGACY_MAX_SIZE)
  const first = large[0]
  if (first === undefined) return []
  const field = family === 'ipv4' ? 'tot_len' : 'payload length'
  const zero: Observation = {
    label: `${field} of packets of at least 64 KiB`,
    expected: '0',
    seen: [...new Set(large.map(({ lengthField }) => formatCount(lengthField)))].join(', '),
    ok: large.every(({ lengthField }) => lengthField === 0),
  }
  if (family === 'ipv4') return [zero]
  // Linux 7 writes no such header. A path with both kinds would cut or drop packets.
  const jumbo: Observation = {
    label: 'hop-by-hop header with the jumbo length',
    expected: 'in every such packet, or in none (from Linux 7 on)',
    seen: first.jumbo === null ? 'none' : `${formatCount(first.jumbo)} bytes`,
    ok: large.every((one) => (one.jumbo === null) === (first.jumbo === null)),
  }
  return [zero, jumbo]
}

/** Compares the packets' payloads and length fields with the arm's send limit. */
export function observeCapture(capture: Capture, { settings }: ArmPlan, datapath: DatapathState): Observation[] {
  const limit = sizeFor(settings, capture.family, datapath)
  const mtu = datapath.kernel.find(({ role }) => role === 'pod')?.mtu
  if (limit === null || mtu === undefined) {
    return [{ label: 'the path’s limit and MTU', expected: 'known', seen: 'unknown', ok: false }]
  }
  return [
    observePayloads(capture, 'request', limit, mtu),
    observePayloads(capture, 'response', limit, mtu),
    ...observeLengths(capture),
  ]
}
