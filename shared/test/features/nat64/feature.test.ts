import { describe, expect, test } from 'vitest'
import { nat64 } from '../../../src/features/nat64/feature.ts'
import { calledAs, client, ends, server } from '../../../src/features/nat64/places.ts'
import { nameArm, phrase, translatorIn, TRANSLATOR } from '../../../src/features/nat64/settings.ts'
import { answers, translates, translator, type Translator } from '../../../src/features/nat64/translators.ts'
import { capabilitiesFor, settingIssues } from '../../../src/features/settings.ts'
import { measurement, type Measurement } from '../../../src/measure/measurement.ts'
import { datapathState } from '../../../src/testbed/reading.ts'

const datapath = datapathState.parse({ at: 0, settings: {}, agents: null, kernel: [], placement: null })

/** A thousand transactions, each of which makes two packets. */
function runWith(tool: string, counts: Readonly<Record<string, number | null>>): Measurement {
  return measurement.parse({
    arm: 'a',
    caseId: null,
    family: 'ipv4',
    benchmark: tool === 'tcp-rr' ? { tool, requestBytes: 1, responseBytes: 1 } : { tool },
    repeat: 1,
    warmup: false,
    startedAt: 0,
    elapsedSeconds: 1,
    fingerprint: null,
    values: { tps: 1_000, ...counts },
  })
}

const zero = { gatewayPackets: 0, bpfTranslations: 0, taygaTranslations: 0, translatorSessions: 0 }
const counts: Readonly<Record<Translator, Partial<typeof zero>>> = {
  native: { gatewayPackets: 2_010 },
  none: {},
  tayga: { gatewayPackets: 4_010, taygaTranslations: 2_010 },
  'bpf-stateless': { gatewayPackets: 4_010, bpfTranslations: 2_010 },
  'bpf-stateful': { gatewayPackets: 4_010, bpfTranslations: 2_010, translatorSessions: 2 },
}

/** For each of the four counters, whether the proof accepts it. */
function judged(of: Translator, run: Measurement | null): boolean[] {
  const settings = { [TRANSLATOR]: of }
  const benchmark = run?.benchmark ?? { tool: 'tcp-crr' }
  const measurements = run === null ? [] : [run]
  return nat64.proof({ settings, benchmark, family: 'ipv4', measurements, datapath }).map(({ ok }) => ok)
}

describe('the proof of an arm', () => {
  const through = translator.options.filter(answers)

  test.each(through)('%s holds with its own counters alone', (of) => {
    expect(judged(of, runWith('tcp-rr', { ...zero, ...counts[of] }))).toEqual([true, true, true, true])
    // A single packet or session elsewhere makes the proof fail.
    const one = { bpfTranslations: 1, taygaTranslations: 1, translatorSessions: 1 }
    const own = Object.keys(zero).map((metric) => metric in counts[of])
    expect(judged(of, runWith('tcp-rr', { ...one, ...counts[of] }))).toEqual(own)
  })

  test.each(through.filter(translates))('%s fails if the gateway forwarded packets that nobody translated', (of) => {
    const few = { ...zero, ...counts[of], bpfTranslations: 20, taygaTranslations: 20, gatewayPackets: 2_010 }
    expect(judged(of, runWith('tcp-rr', few)).slice(0, 3)).toEqual([false, false, false])
  })

  test('with short connections each transaction is a session of the stateful program', () => {
    const seen = (translatorSessions: number) =>
      judged(
        'bpf-stateful',
        runWith('tcp-crr', { ...counts['bpf-stateful'], taygaTranslations: 0, translatorSessions }),
      )
    expect(seen(1_001)).toEqual([true, true, true, true])
    expect(seen(900)).toEqual([true, true, true, false])
  })

  test('fails without counters, and without runs', () => {
    expect(judged('native', runWith('tcp-rr', {}))).toEqual([false, false, false, false])
    expect(judged('native', null)).toEqual([false, false, false, false])
  })
})

describe('settings', () => {
  test('a missing one is native', () => {
    expect(translatorIn({})).toBe('native')
    expect(capabilitiesFor({})).toEqual([])
  })

  test('each translator names what it needs', () => {
    const needs = translator.options.map((one) => capabilitiesFor({ [TRANSLATOR]: one }))
    expect(needs.flat()).toEqual(['translator', 'translator', 'translator-tayga', 'translator-bpf', 'translator-bpf'])
    const known: readonly string[] = nat64.capabilities.map(({ id }) => id)
    for (const need of needs.flat()) expect(known).toContain(need)
  })

  test('other values are refused', () => {
    expect(settingIssues({ [TRANSLATOR]: 'jool' })).toHaveLength(1)
  })

  test('arms have names', () => {
    expect(nameArm({ [TRANSLATOR]: 'bpf-stateful' })).toEqual({ id: 'bpf-stateful', label: 'BPF, stateful' })
    expect(phrase({ [TRANSLATOR]: 'tayga' })).toBe('with tayga')
    expect(phrase({})).toBe('without translation')
  })

  test('presets have valid arms, the offered tools, and names of their own', () => {
    const tools = nat64.benchmarks.map(({ tool }) => tool)
    for (const { arms, tool } of nat64.presets) {
      expect(arms.flatMap((arm) => settingIssues(arm, nat64))).toEqual([])
      expect(tools).toContain(tool)
    }
    const names = nat64.presets.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })
})

test('an end’s IPv4 address is in its stand-in of IPv6', () => {
  for (const { own, standIn } of ends) {
    const [a = 0, b = 0, c = 0, d = 0] = own.ipv4.split('.').map(Number)
    expect(standIn.ipv6).toBe(`fd64:ff9b::${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`)
  }
  expect(client.networks.ipv4).not.toBe(server.networks.ipv4)
})

test('tools call IPv4 through an IPv6 socket', () => {
  expect(calledAs(server.standIn.ipv4, 'ipv4')).toBe('::ffff:10.99.0.3')
  expect(calledAs(server.standIn.ipv6, 'ipv6')).toBe(server.standIn.ipv6)
})
