import { CALLS, PROGRAM, ROUTING, TAYGA } from '@expresslane/shared/features/nat64/roles'
import { TRANSLATOR } from '@expresslane/shared/features/nat64/settings'
import { translator, type Translator } from '@expresslane/shared/features/nat64/translators'
import { datapathState, type DatapathState } from '@expresslane/shared/testbed/reading'
import { describe, expect, test } from 'vitest'
import { chosenWords, wayOf } from '../../../src/features/nat64/path/path-view.tsx'

/** A reading of a gateway with this translator. */
function stateOf(of: Translator, answered = { ipv4: 1, ipv6: 1 }): DatapathState {
  const [byBpf, byTayga] = [of.startsWith('bpf'), of === 'tayga']
  const newSessions = of === 'bpf-stateful' ? 2 : 0
  return datapathState.parse({
    at: 0,
    settings: { [TRANSLATOR]: of },
    agents: null,
    kernel: [],
    carried: { [TRANSLATOR]: of },
    hooks: [
      { where: 'client', hook: CALLS, present: true, devices: [], counts: answered },
      {
        where: 'gateway',
        hook: PROGRAM,
        present: byBpf,
        devices: [],
        counts: byBpf ? { toIpv4: 1200, toIpv6: 1, newSessions } : {},
      },
      { where: 'gateway', hook: TAYGA, present: byTayga, devices: [], counts: byTayga ? { packets: 1 } : {} },
      { where: 'gateway', hook: ROUTING, present: true, devices: [], counts: { ipv4: 1, ipv6: 2000 } },
    ],
    placement: { madeAt: 0, pods: [] },
  })
}

/** The stages of the gateway. */
const stagesOf = (of: DatapathState, family: 'ipv4' | 'ipv6') => wayOf(of, family).places[1]?.stages ?? []

const stage = (of: Translator, family: 'ipv4' | 'ipv6', id: string) =>
  stagesOf(stateOf(of), family).find((one) => one.id === id)

describe('the way of a packet', () => {
  test.each<[Translator, string, string]>([
    ['native', 'IPv4, from 10.46.1.2 to 10.99.0.3', 'IPv6, from fd46:1::2 to fd64:ff9b::a2e:202'],
    ['none', 'nothing arrives', 'nothing arrives'],
    ['tayga', 'IPv6, from fd64:ff9b::a2e:102 to fd46:2::2', 'IPv4, from 10.99.0.2 to 10.46.2.2'],
    ['bpf-stateless', 'IPv6, from fd64:ff9b::a2e:102 to fd46:2::2', 'IPv4, from 10.99.0.2 to 10.46.2.2'],
    ['bpf-stateful', 'IPv6, from fd46:64::9 to fd46:2::2', 'IPv4, from 10.99.0.1 to 10.46.2.2'],
  ])('%s: the server sees what the gateway makes of it', (of, ipv4, ipv6) => {
    expect(stage(of, 'ipv4', 'after')?.does).toBe(ipv4)
    expect(stage(of, 'ipv6', 'after')?.does).toBe(ipv6)
    expect(stage(of, 'ipv4', 'before')?.does).toBe('IPv4, from 10.46.1.2 to 10.99.0.3')
  })

  test('the translator handles a packet if there is one, and without one the way ends there', () => {
    const seen = translator.options.map((of) => {
      const stages = stagesOf(stateOf(of), 'ipv4')
      return [of, stages.filter(({ handles }) => handles).length, stages.map(({ reached }) => reached)]
    })
    expect(seen).toEqual([
      ['native', 0, [true, true, false, true]],
      ['none', 0, [true, true, true, false]],
      ['tayga', 1, [true, true, true, true]],
      ['bpf-stateless', 1, [true, true, true, true]],
      ['bpf-stateful', 1, [true, true, true, true]],
    ])
  })

  test('counters are said in words', () => {
    const counted = (of: Translator) => stage(of, 'ipv6', 'translator')?.found
    expect(counted('native')).toBeNull()
    expect(counted('tayga')).toBe('translated 1 packet')
    expect(counted('bpf-stateless')).toBe('translated 1,200 packets to IPv4, 1 to IPv6')
    expect(counted('bpf-stateful')).toBe('translated 1,200 packets to IPv4, 1 to IPv6; began 2 sessions')
    expect(stage('tayga', 'ipv6', 'routing')?.found).toBe('forwarded 1 packet of IPv4, 2,000 of IPv6')
  })

  test('a family without answers is named', () => {
    const last = (answered: { ipv4: number; ipv6: number }) => wayOf(stateOf('tayga', answered), 'ipv4').words.at(-1)
    expect(last({ ipv4: 1, ipv6: 1 })).toBe('The server answers calls over IPv4 and IPv6.')
    expect(last({ ipv4: 0, ipv6: 1 })).toBe('The server answers calls over IPv6, and not over IPv4.')
    expect(last({ ipv4: 0, ipv6: 0 })).toBe('Calls over IPv4 and IPv6 stay without an answer.')
  })

  test('a value that could not be read is unknown', () => {
    const unread = { ...stateOf('tayga'), carried: {}, hooks: [] }
    const { words } = wayOf(unread, 'ipv4')
    expect(stagesOf(unread, 'ipv4').map(({ reached }) => reached)).toEqual([true, true, null, null])
    expect(words).toEqual(['What the gateway does is unknown: it could not be read.'])
  })
})

test('the translator of the next gateway is named if the present gateway has another', () => {
  const state = stateOf('native')
  expect(chosenWords(state)).toBeNull()
  expect(chosenWords({ ...state, settings: { [TRANSLATOR]: 'tayga' } })).toBe('Chosen for the next gateway: tayga')
  expect(chosenWords({ ...stateOf('tayga'), placement: null })).toBe('Chosen for the next gateway: tayga')
})
