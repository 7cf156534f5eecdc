import { describe, expect, it } from 'vitest'
import { compareInHues } from '../../src/compare/compare-runs.ts'
import { sideOf, type Side } from '@expresslane/shared/run/sides'
import {
  ended,
  environment,
  logged,
  measured,
  repeatStarted,
  runOf,
  started,
  streamed,
} from '@expresslane/shared/test/builders'

function sideWith(measurement: Side['taken'][number], seconds = 10): Side {
  const { arm, family } = measurement
  const events = [
    started(),
    repeatStarted(1, { arm, family, seconds }),
    { type: 'measurement.taken', measurement } as const,
    ended,
  ]
  const side = sideOf(runOf(logged(events)), { arm: null, caseId: null })
  if (side === null) throw new Error('no side')
  return side
}

const off = sideWith(measured({ values: { tps: 10_000 }, fingerprint: environment() }))
const switched = environment({ settings: { 'big-tcp-ipv4': true, 'big-tcp-ipv6': false } })
const on = sideWith(measured({ arm: 'on', values: { tps: 15_000 }, fingerprint: switched }))

describe('compareInHues', () => {
  it('takes the first for before, and finds nothing else that differs where nothing does', () => {
    const { comparison, differences, sameArm, looks } = compareInHues(off, on)
    expect(comparison?.rows[0]).toMatchObject({ metric: 'tps', off: 10_000, on: 15_000 })
    expect(comparison).toMatchObject({ off: { name: 'without BIG TCP' }, on: { name: 'with BIG TCP' } })
    expect({ differences, sameArm }).toEqual({ differences: [], sameArm: null })
    expect([looks.off.hue, looks.on.hue]).toEqual(['off', 'on'])
  })

  it('says what was not measured alike, and where', () => {
    const other = environment({ kernel: '6.1', settings: { 'big-tcp-ipv4': true, 'big-tcp-ipv6': false } })
    const smaller = { tool: 'tcp-rr', requestBytes: 1000, responseBytes: 80_000 }
    const { differences } = compareInHues(
      off,
      sideWith(measured({ arm: 'on', family: 'ipv6', benchmark: smaller, fingerprint: other }), 2),
    )
    expect(differences).toEqual(
      expect.arrayContaining([
        { key: 'parameters', label: 'Request / response', was: '80,000 / 80,000 bytes', is: '1,000 / 80,000 bytes' },
        { key: 'family', label: 'Address family', was: 'IPv4', is: 'IPv6' },
        { key: 'seconds', label: 'Length of a run', was: '10 s', is: '2 s' },
        { key: 'kernel', label: 'Kernel', was: '6.18.5', is: '6.1' },
      ]),
    )
  })

  it('says that one setting was measured twice, and gives the two hues that belong to no arm', () => {
    const { sameArm, looks, comparison } = compareInHues(on, on)
    expect(sameArm).toContain('Both sides were measured with BIG TCP')
    expect(new Set([looks.off.hue, looks.on.hue, 'off', 'on']).size).toBe(4)
    expect(comparison?.off.name).not.toBe(comparison?.on.name)
  })

  it('does not warn of the setting that the arms of both experiments vary, but of others', () => {
    const hooked = (by: string, services: number): Side => {
      const settings = { 'nodeport-hook': by, 'nodeport-services': services }
      const side = sideWith(measured({ arm: by, values: { tps: 1 }, fingerprint: environment({ settings }) }))
      const arms = ['tc', 'xdp'].map((id) => ({ id, label: id, settings: { 'nodeport-hook': id } }))
      const design = { order: 'auto', repeats: 2, seconds: 1, warmups: 0, budget: null } as const
      return { ...side, run: { ...side.run, plan: { arms, cases: [], design } } }
    }
    expect(compareInHues(hooked('tc', 1), hooked('xdp', 100)).differences).toEqual([
      { key: 'setting:nodeport-services', label: 'Services', was: '1', is: '100' },
    ])
  })

  it('says of old runs that their environment was not recorded', () => {
    const old = sideWith(measured({ arm: 'on' }))
    expect(compareInHues(off, old).differences).toContainEqual({
      key: 'environment',
      label: 'Environment',
      was: 'recorded',
      is: 'not recorded',
    })
  })

  it('compares two tools only by their common metrics', () => {
    const { differences, comparison } = compareInHues(off, sideWith(streamed({ arm: 'on', fingerprint: switched })))
    expect(differences.map(({ label }) => label)).toContain('Tool')
    expect(comparison?.rows.map(({ metric }) => metric) ?? []).not.toContain('tps')
  })
})
