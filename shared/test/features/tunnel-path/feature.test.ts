import { describe, expect, test } from 'vitest'
import { capabilitiesFor, settingIssues } from '../../../src/features/settings.ts'
import { tunnels } from '../../../src/features/tunnel-path/feature.ts'
import { TUNNEL } from '../../../src/features/tunnel-path/places.ts'
import { nameArm, phrase, TUNNEL_KIND, TUNNEL_SIZE } from '../../../src/features/tunnel-path/settings.ts'
import { measurement, type Measurement } from '../../../src/measure/measurement.ts'
import { datapathState, type DatapathState } from '../../../src/testbed/reading.ts'

const benchmark = { tool: 'tcp-rr', requestBytes: 80_000, responseBytes: 80_000 }

function pathWith(tsoMaxSize: number | null): DatapathState {
  const sizes = { gsoMaxSize: 65_536, groMaxSize: 65_536, gsoIpv4MaxSize: 65_536, groIpv4MaxSize: 65_536 }
  const end = (where: string) => ({ where, role: 'node', native: false, device: TUNNEL, mtu: 1_600, counters: null })
  const kernel = ['node1', 'node2'].map((where) => ({ ...end(where), ...sizes, tsoMaxSize }))
  return datapathState.parse({ at: 0, settings: {}, agents: null, kernel, placement: null })
}

/** A thousand transactions. */
function runWith(
  packetsBetweenNodes: number | null,
  packetsPerRequest: number,
  plain = packetsBetweenNodes,
): Measurement {
  return measurement.parse({
    arm: 'a',
    caseId: null,
    family: 'ipv4',
    benchmark,
    repeat: 1,
    warmup: false,
    startedAt: 0,
    elapsedSeconds: 1,
    fingerprint: null,
    values: { tps: 1_000, packetsBetweenNodes, packetsInPlainText: plain, packetsPerRequest },
  })
}

interface Case {
  readonly kind: string
  readonly size: number
  readonly most: number | null
  readonly packets: number | null
  readonly perRequest: number
  /** @defaultValue all packets */
  readonly plain?: number
}

function judged({ kind, size, most, packets, perRequest, plain }: Case): boolean {
  const settings = { [TUNNEL_KIND]: kind, [TUNNEL_SIZE]: size }
  const measurements = [runWith(packets, perRequest, plain)]
  const seen = tunnels.proof({ settings, benchmark, family: 'ipv4', measurements, datapath: pathWith(most) })
  return seen.every(({ ok }) => ok)
}

describe('the proof of an arm', () => {
  test.each<[string, Case, boolean]>([
    ['two pieces each', { kind: 'vxlan', size: 65_536, most: 65_536, packets: 4_010, perRequest: 2 }, true],
    [
      'whole through a tunnel that takes it',
      { kind: 'vxlan', size: 196_608, most: 524_280, packets: 2_070, perRequest: 1 },
      true,
    ],
    [
      'cut before a tunnel that does not',
      { kind: 'geneve', size: 196_608, most: 65_536, packets: 57_000, perRequest: 28 },
      true,
    ],
    ['whole without a tunnel', { kind: 'none', size: 196_608, most: 65_536, packets: 2_010, perRequest: 1 }, true],
    ['cut, though it fits', { kind: 'vxlan', size: 196_608, most: 524_280, packets: 57_000, perRequest: 28 }, false],
    [
      'whole, though it does not fit',
      { kind: 'vxlan', size: 196_608, most: 65_536, packets: 2_010, perRequest: 1 },
      false,
    ],
    [
      'through a tunnel of unknown size',
      { kind: 'vxlan', size: 196_608, most: null, packets: 2_010, perRequest: 1 },
      false,
    ],
    [
      'whole between the nodes, and halves on arrival',
      { kind: 'vxlan', size: 196_608, most: 524_280, packets: 4_010, perRequest: 2 },
      false,
    ],
    [
      'encrypted in packets of the MTU, and joined again behind it',
      { kind: 'wireguard', size: 65_536, most: 65_536, packets: 118_000, perRequest: 2, plain: 7 },
      true,
    ],
    [
      'encrypted and whole, which no device does',
      { kind: 'esp', size: 65_536, most: 65_536, packets: 4_010, perRequest: 2, plain: 7 },
      false,
    ],
    [
      'around the encryption',
      { kind: 'esp', size: 65_536, most: 65_536, packets: 118_000, perRequest: 2, plain: 118_000 },
      false,
    ],
    [
      'encrypted, though the arm is not',
      { kind: 'none', size: 65_536, most: 65_536, packets: 4_010, perRequest: 2, plain: 7 },
      false,
    ],
    [
      'packets of the MTU without a tunnel',
      { kind: 'none', size: 1_500, most: null, packets: 112_000, perRequest: 56 },
      true,
    ],
    [
      'large packets, though the arm has none',
      { kind: 'none', size: 1_500, most: null, packets: 4_010, perRequest: 2 },
      false,
    ],
    ['without counters', { kind: 'vxlan', size: 65_536, most: 65_536, packets: null, perRequest: 2 }, false],
  ])('%s', (_name, one, ok) => {
    expect(judged(one)).toBe(ok)
  })
})

test('the proof of an exchange of single bytes is the share of plain text', () => {
  const settings = { [TUNNEL_KIND]: 'wireguard' }
  const small = { ...benchmark, requestBytes: 1, responseBytes: 1 }
  const proven = (plain: number) =>
    tunnels.proof({
      settings,
      benchmark: small,
      family: 'ipv4',
      measurements: [runWith(2_010, 1, plain)],
      datapath: pathWith(65_536),
    })
  expect(proven(12).map(({ ok }) => ok)).toEqual([true])
  expect(proven(2_010).map(({ ok }) => ok)).toEqual([false])
})

test('settings have bounds, names and needs', () => {
  expect(settingIssues({ [TUNNEL_KIND]: 'gre' })).toHaveLength(1)
  expect(settingIssues({ [TUNNEL_SIZE]: 100_000 })).toHaveLength(1)
  expect(capabilitiesFor({ [TUNNEL_KIND]: 'vxlan', [TUNNEL_SIZE]: 65_536 })).toEqual(['node-tunnel'])
  expect(capabilitiesFor({ [TUNNEL_KIND]: 'none', [TUNNEL_SIZE]: 1_500 })).toEqual([])
  expect(capabilitiesFor({ [TUNNEL_KIND]: 'esp', [TUNNEL_SIZE]: 65_536 })).toEqual(['node-tunnel-esp'])
  expect(phrase({ [TUNNEL_SIZE]: 1_500 })).toBe('without a tunnel, packets of up to one MTU')
  expect(nameArm({ [TUNNEL_KIND]: 'vxlan', [TUNNEL_SIZE]: 196_608 })).toEqual({
    id: 'vxlan-196608',
    label: 'VXLAN, 192K',
  })
  expect(phrase({})).toBe('without a tunnel, packets of up to 64K')
  expect(phrase({ [TUNNEL_KIND]: 'geneve' })).toBe('with Geneve and packets of up to 64K')
})
