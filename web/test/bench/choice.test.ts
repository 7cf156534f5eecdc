import { experimentPlan, type ArmPlan } from '@expresslane/shared/measure/experiment'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bigTcp } from '@expresslane/shared/features/big-tcp/feature'
import { knownCapabilities } from '@expresslane/shared/features/capabilities'
import { armPlans } from '../../src/bench/form/arm-choice.ts'
import { choiceOf, draftOf, withFeature, withTool, type BenchChoice } from '../../src/bench/form/choice.ts'
import { parseSize, parseSizes, sizeName } from '../../src/bench/form/sizes.ts'
import { firstPreset, presetsByFeature } from '../../src/bench/form/presets.ts'
import { datapath, device, testbed } from '@expresslane/shared/test/builders'

const all = testbed({ capabilities: [...knownCapabilities()] })
const quick = firstPreset().choice
const messages = (part: Partial<BenchChoice>, on = all): string[] =>
  draftOf({ ...quick, ...part }, on).issues.map(({ message }) => message)
const arm = (on: boolean, limit = '', mtu = '') => ({ 'BIG TCP': on, 'Send limit': limit, 'MTU of the pods': mtu })
/** The setting that a text in a control of an arm with BIG TCP makes; null for a refused text. */
const typed = (label: string, setting: string) => (text: string) => {
  const read = armPlans(bigTcp, [{ 'BIG TCP': true, [label]: text }], ['ipv4'])
  return read.messages.length === 0 ? read.arms[0]?.settings[setting] : null
}

describe('sizes', () => {
  it.each([
    ['1', 1],
    ['80000', 80_000],
    ['80k', 80_000],
    [' 80 kB ', 80_000],
    ['64KiB', 65_536],
    ['1.5k', 1_500],
    ['1m', 1_000_000],
    ['k', null],
    ['80x', null],
    ['-1', null],
    ['0.3', null],
  ])('reads %s', (text, size) => {
    expect(parseSize(text)).toBe(size)
  })

  it('reads several, each once, and keeps what it can’t read', () => {
    expect(parseSizes('1, 16k; 16000,, what')).toEqual({ sizes: [1, 16_000], unreadable: ['what'] })
  })

  it('reads back what it calls a size', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_048_576 }), (size) => {
        expect(parseSize(sizeName(size).replaceAll(',', ''))).toBe(size)
      }),
    )
  })
})

describe('arms', () => {
  it('reads limits in KiB as devices report them, and MTUs', () => {
    expect(
      ['64K', '128k', '192 KiB', '196608', '512K', '524,280', '32K', '1M'].map(typed('Send limit', 'size-limit')),
    ).toEqual([65_536, 131_072, 196_608, 196_608, 524_280, 524_280, null, null])
    expect(['1500', '9000', '1279', '9001', 'big'].map(typed('MTU of the pods', 'pod-mtu'))).toEqual([
      1_500,
      9_000,
      null,
      null,
      null,
    ])
  })

  it('are named by their settings, and numbered if their settings are equal', () => {
    const { arms } = armPlans(
      bigTcp,
      [arm(false), arm(true), arm(true, '128K'), arm(true, '', '9000'), arm(false)],
      ['ipv4'],
    )
    expect(arms.map(({ id, label }) => [id, label])).toEqual([
      ['off', 'Without BIG TCP'],
      ['on', 'With BIG TCP'],
      ['128k', 'BIG TCP, 128K'],
      ['on-mtu9000', 'With BIG TCP, MTU 9000'],
      ['off-2', 'Without BIG TCP (2)'],
    ])
  })

  it('have no limit without BIG TCP, even if the field contains one', () => {
    expect(armPlans(bigTcp, [arm(false, 'rubbish')], ['ipv4'])).toMatchObject({
      arms: [{ settings: { 'size-limit': null } }],
      messages: [],
    })
  })

  it('set BIG TCP for the families that are measured', () => {
    const switches = (families: ('ipv4' | 'ipv6')[]) =>
      armPlans(bigTcp, [arm(true)], families).arms.map(({ settings }: ArmPlan) => settings)
    const sizes = { 'size-limit': null, 'pod-mtu': null, 'cpu-placement': null }
    expect(switches(['ipv6'])).toEqual([{ 'big-tcp-ipv6': true, ...sizes }])
    expect(switches(['ipv4', 'ipv6'])).toEqual([{ 'big-tcp-ipv4': true, 'big-tcp-ipv6': true, ...sizes }])
  })
})

describe('draftOf', () => {
  it('makes every family with every size a case', () => {
    const { plan } = draftOf({ ...quick, families: ['ipv4', 'ipv6'], sizes: '1, 80k' }, all)
    expect(plan?.cases.map(({ id, label }) => `${id}: ${label}`)).toEqual([
      'ipv4-1: 1 B over IPv4',
      'ipv4-80000: 80 kB over IPv4',
      'ipv6-1: 1 B over IPv6',
      'ipv6-80000: 80 kB over IPv6',
    ])
  })

  it('describes errors', () => {
    expect(messages({ families: [] })).toContain('Choose an address family.')
    expect(messages({ sizes: '80x' })).toEqual(['“80x” is not a size. Write 80000, 80k or 64KiB.'])
    expect(messages({ sizes: '' })).toEqual(['Enter a request size, such as 80k.'])
    expect(messages({ sizes: '2m' })).toEqual(['A size must be between 1 byte and 1 MiB.'])
    expect(messages({ response: '1, 2' })).toEqual([
      'Enter one response size, or leave the field empty to use the size of the request.',
    ])
    expect(messages({ arms: [] })).toEqual(['Add an arm to measure.'])
    expect(messages({ arms: [arm(true, '9K')] })[0]).toContain('“9K” is not a limit')
    expect(messages({ sizes: Array.from({ length: 17 }, (_, index) => index + 1).join() })[0]).toContain(
      '17 benchmarks',
    )
    const budget = { widthPercent: 5, seconds: 60 }
    expect(messages({ design: { ...quick.design, order: 'sequential', budget } })).toHaveLength(1)
  })

  it('shows why the testbed can’t do it', () => {
    const lacks = [{ capability: 'size-limit', reason: 'Cilium computes the size by itself.' }]
    const cluster = testbed({ capabilities: ['big-tcp-ipv4'], lacks })
    expect(messages({ arms: [arm(false), arm(true, '128K')] }, cluster)).toEqual([
      'Cilium computes the size by itself.',
    ])
    expect(messages({ families: ['ipv6'] }, cluster)).toEqual(['This testbed does not support BIG TCP over IPv6.'])
    expect(messages({ tool: 'iperf3' }, cluster)).toEqual(['This testbed does not support iperf3.'])
    expect(draftOf({ ...quick, arms: [arm(true, '128K')] }, null).plan).not.toBeNull()
  })

  it('holds a limit against what the devices take', () => {
    const small = testbed({ ...all, datapath: datapath([device({ tsoMaxSize: 131_072 })]) })
    expect(messages({ arms: [arm(true, '192K')] }, small)).toEqual([
      'The devices here accept at most 128K (131072 bytes).',
    ])
    expect(messages({ arms: [arm(true, '128K')] }, small)).toEqual([])
  })
})

describe('choiceOf', () => {
  it.each(
    presetsByFeature()
      .flatMap(({ presets }) => presets)
      .map(({ name, choice }) => [name, choice] as const),
  )('shows a plan unchanged: %s', (_, choice) => {
    const { plan, issues } = draftOf(choice, all)
    expect(issues).toEqual([])
    if (plan === null) throw new Error('no plan')
    expect(draftOf(choiceOf(experimentPlan.parse(plan)), all).plan).toEqual(plan)
  })
})

it('takes a tool that the feature has when the feature is chosen', () => {
  expect(withFeature({ ...quick, tool: 'of-another-feature' }, 'big-tcp')).toMatchObject({
    feature: 'big-tcp',
    tool: 'tcp-rr',
    arms: quick.arms,
  })
  expect(withFeature({ ...quick, tool: 'iperf3' }, 'big-tcp').tool).toBe('iperf3')
  expect(draftOf(withFeature(quick, 'nodeport'), all).issues).toEqual([])
})

it('another tool gets seconds that it can measure', () => {
  const half = { ...quick, design: { ...quick.design, seconds: 0.5 } }
  expect(withTool(half, 'iperf3').design.seconds).toBe(1)
  expect(draftOf(withTool(half, 'iperf3'), all).issues).toEqual([])
  expect(withTool(half, 'tcp-rr').design.seconds).toBe(0.5)
  expect(withTool({ ...half, design: { ...half.design, seconds: 3 } }, 'iperf3').design.seconds).toBe(3)
})
