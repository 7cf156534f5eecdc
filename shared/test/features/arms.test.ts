import { describe, expect, it } from 'vitest'
import { armNameOf, armPhraseOf, comparedFeature, nameArmOf } from '../../src/features/arms.ts'
import { bigTcp } from '../../src/features/big-tcp/feature.ts'
import { environment, measured } from '../builders.ts'

const under = (arm: string, settings: Record<string, unknown>) =>
  measured({ arm, family: 'ipv4', fingerprint: environment({ settings }) })

describe('an arm that no plan names', () => {
  it('has the name that its feature gives its settings', () => {
    const limited = under('a', { 'big-tcp-ipv4': true, 'size-limit': 131_072 })
    expect([armNameOf(limited), armPhraseOf(limited)]).toEqual(['BIG TCP, 128K', 'with BIG TCP'])
    expect(armNameOf(under('on', { 'big-tcp-ipv4': false, 'big-tcp-ipv6': true }))).toBe('Without BIG TCP')
  })

  it('names the CPU placement if the arm asks for one', () => {
    expect(armNameOf(under('on', { 'big-tcp-ipv4': true, 'cpu-placement': 'two-cpus' }))).toBe(
      'With BIG TCP, CPUs: one CPU each',
    )
  })

  it('names the kernel if the arm asks for one', () => {
    const other = under('on', { 'big-tcp-ipv4': true, kernel: '6.12.43+deb12-cloud-amd64' })
    expect([armNameOf(other), armPhraseOf(other)]).toEqual([
      'With BIG TCP, kernel 6.12.43+deb12',
      'with BIG TCP, kernel 6.12.43+deb12',
    ])
    expect(nameArmOf(bigTcp, { kernel: '6.12.43+deb12-cloud-amd64' }).id).toBe('off-6-12-43-deb12')
  })

  it('without recorded settings, has its name in the labs of that version', () => {
    expect(['off', 'on', '128k'].map((arm) => armNameOf(measured({ arm, fingerprint: null })))).toEqual([
      'Without BIG TCP',
      'With BIG TCP',
      null,
    ])
  })

  it('has no name if its settings belong to no feature', () => {
    expect(armNameOf(under('off', { 'of-another-version': true }))).toBeNull()
  })
})

it('two measurements differ in the feature whose settings differ', () => {
  const [off, on] = [false, true].map((big) => under('a', { 'big-tcp-ipv4': big, 'size-limit': null }))
  if (off === undefined || on === undefined) throw new Error('no measurements')
  expect(comparedFeature(off, on)?.id).toBe('big-tcp')
  expect(comparedFeature(off, off)).toBeNull()
  expect(comparedFeature(off, under('b', {}))?.id).toBe('big-tcp')
  expect(comparedFeature(measured({ arm: 'a', fingerprint: null }), on)).toBeNull()
})
