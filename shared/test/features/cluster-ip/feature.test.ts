import { describe, expect, test } from 'vitest'
import { clusterIp } from '../../../src/features/cluster-ip/feature.ts'
import { translatedBy } from '../../../src/features/cluster-ip/proof.ts'
import {
  extraSeconds,
  nameArm,
  phrase,
  SERVICES,
  servicesIn,
  translation,
  TRANSLATION,
  translators,
  type Translation,
} from '../../../src/features/cluster-ip/settings.ts'
import { capabilitiesFor, settingIssues } from '../../../src/features/settings.ts'
import { measurement, type Measurement } from '../../../src/measure/measurement.ts'
import { datapathState } from '../../../src/testbed/reading.ts'

const benchmark = { tool: 'service-connections' }
const datapath = datapathState.parse({ at: 0, settings: {}, agents: null, kernel: [], placement: null })

function runWith(values: Readonly<Record<string, number | null>>): Measurement {
  const common = { arm: 'a', caseId: null, family: 'ipv4', benchmark, repeat: 1, warmup: false }
  return measurement.parse({ ...common, startedAt: 0, elapsedSeconds: 1, fingerprint: null, values })
}

/** A run as an arm should have it: 100 connections, and a captured call of six packets. */
function rightFor(by: Translation): Readonly<Record<string, number>> {
  const [leftForService, leftForBackend] = by === 'socket' ? [0, 6] : [6, 0]
  const counts = translators.map((one) => [translatedBy[one], one === by ? 100 : 0] as const)
  return { tps: 100, serviceConnections: 100, leftForService, leftForBackend, ...Object.fromEntries(counts) }
}

function isProved(by: Translation, ...measurements: readonly Measurement[]): boolean {
  const settings = { [TRANSLATION]: by }
  const seen = clusterIp.proof({ settings, benchmark, family: 'ipv4', measurements, datapath })
  return seen.every(({ ok }) => ok)
}

describe('the proof', () => {
  test.each(translation.options)('takes a run of %s for this arm alone', (by) => {
    const one = runWith(rightFor(by))
    expect(translation.options.filter((arm) => isProved(arm, one))).toEqual([by])
  })

  test.each<[string, Record<string, number | null>]>([
    ['a connection that was not translated', { [translatedBy.socket]: 99 }],
    ['a connection that another place translated', { [translatedBy.nftables]: 1 }],
    ['a packet with the service’s address', { leftForService: 1 }],
    ['a call that was not captured', { leftForBackend: 0 }],
    ['no counter', { [translatedBy.socket]: null }],
  ])('refuses %s', (_, wrong) => {
    const right = runWith(rightFor('socket'))
    expect(isProved('socket', right)).toBe(true)
    expect(isProved('socket', right, runWith({ ...rightFor('socket'), ...wrong }))).toBe(false)
  })

  test('without runs nothing is proved', () => {
    expect(translation.options.filter((by) => isProved(by))).toEqual([])
  })
})

describe('the settings', () => {
  test('name their arms', () => {
    expect(nameArm({ [TRANSLATION]: 'socket' })).toEqual({ id: 'socket', label: 'Socket' })
    const many = { [TRANSLATION]: 'iptables', [SERVICES]: 1_000 }
    expect(nameArm(many)).toEqual({ id: 'iptables-1000', label: 'iptables, 1,000 services' })
    expect([phrase({}), phrase({ [TRANSLATION]: 'socket' }), phrase(many)]).toEqual([
      'without a translation',
      'at the socket',
      'with iptables and 1,000 services',
    ])
  })

  test('need what their translation needs, and refuse other counts', () => {
    expect(translation.options.map((one) => capabilitiesFor({ [TRANSLATION]: one }))).toEqual([
      ['cluster-ip'],
      ['cluster-ip-socket'],
      ['cluster-ip-tc'],
      ['cluster-ip'],
      ['cluster-ip-iptables'],
    ])
    expect(settingIssues({ [SERVICES]: 7 })).not.toEqual([])
    expect(servicesIn({ [SERVICES]: 7 })).toBe(1)
  })

  test('a thousand services take netfilter longer, and programs do not', () => {
    const seconds = (by: Translation): number => extraSeconds({ [TRANSLATION]: by, [SERVICES]: 1_000 }, null)
    expect([seconds('nftables') > 0, seconds('socket')]).toEqual([true, 0])
  })
})
