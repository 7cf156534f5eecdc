import { describe, expect, it } from 'vitest'
import { datapath } from '@expresslane/shared/test/builders'
import { NODEPORT_SERVICES } from '@expresslane/shared/features/nodeport/settings'
import type { HookReading } from '@expresslane/shared/testbed/reading'
import { stackOf, type StackView } from '../../../src/features/nodeport/path/stack.ts'

const order = ['xdp', 'tc', 'nftables', 'iptables', 'ipvs']
const nothing = (hook: string): HookReading => ({ where: 'node', hook, present: false, devices: [], counts: {} })

/** A reading of all hooks, with the given hooks present. */
function read(...present: (Partial<HookReading> & { hook: string })[]): HookReading[] {
  return order.map((hook) => {
    const found = present.find((one) => one.hook === hook)
    return found === undefined ? nothing(hook) : { ...nothing(hook), present: true, ...found }
  })
}

const stack = (hooks: HookReading[], services = 1): StackView =>
  stackOf({ ...datapath([], { hooks, carried: { [NODEPORT_SERVICES]: services } }) }, 'node', ['eth0', 'eth1'])
const states = ({ stages }: StackView) =>
  stages.flatMap(({ hooks }) => hooks.map(({ id, state, has }) => `${id}: ${state}, ${has}`))
const reached = ({ stages }: StackView) => stages.map(({ id, reached: is }) => [id, is])

const counts = { newFlows: 2, forwarded: 30_002, replies: 3 }
const xdp = { hook: 'xdp', devices: ['eth0', 'eth1'], counts }

describe('the stack of a node', () => {
  it('marks nothing before it was read', () => {
    const unknown = stack([])
    expect(unknown.handler).toBeNull()
    expect(states(unknown)).toEqual(order.map((hook) => `${hook}: unknown, unknown`))
    expect(reached(unknown).map(([, is]) => is)).toEqual([null, null, null, null])
    expect([unknown.request, unknown.reply]).toEqual([
      'Which hook handles the packets is unknown: the node’s hooks could not be read.',
      null,
    ])
  })

  it('takes the readings of another place for none', () => {
    expect(stack(read(xdp).map((one) => ({ ...one, where: 'elsewhere' }))).handler).toBeNull()
  })

  it('ends at XDP for both ways, if its program is at both devices', () => {
    const view = stack(read(xdp))
    expect(states(view)).toEqual([
      'xdp: handles, program at eth0 and eth1',
      'tc: empty, no program',
      'nftables: empty, no rules',
      'iptables: empty, no rules',
      'ipvs: empty, no rules',
    ])
    expect(reached(view)).toEqual([
      ['xdp', true],
      ['tc', false],
      ['netfilter', false],
      ['routing', false],
    ])
    expect(view.stages[0]?.hooks[0]?.counted).toBe('counted 2 flows: 30,002 packets there, 3 back')
    expect(view.reply).toBe('Replies come in at eth1. The XDP program there changes their addresses back.')
  })

  it('says that replies are not handled where the program is at one device only', () => {
    expect(stack(read({ ...xdp, devices: ['eth0'] })).reply).toBe(
      'Replies come in at eth1, which has no XDP program: they are not handled there.',
    )
  })

  it('passes XDP and ends at TC', () => {
    const view = stack(read({ hook: 'tc', devices: ['eth0', 'eth1'] }))
    expect([view.handler, view.stages.map(({ reached: is }) => is)]).toEqual(['tc', [true, true, false, false]])
  })

  it.each(['nftables', 'iptables'])('goes up to %s and is routed; replies pass no rule', (hook) => {
    const view = stack(read({ hook, counts: { newFlows: 1 } }), 5_000)
    expect(view.handler).toBe(hook)
    expect(view.stages.every(({ reached: is }) => is === true)).toBe(true)
    expect(states(view)).toContain(`${hook}: handles, rules of 5,000 services`)
    expect(view.stages.flatMap(({ hooks }) => hooks).find(({ id }) => id === hook)?.counted).toBe('counted 1 flow')
    expect(view.reply).toMatch(/pass no rule/)
  })

  it('goes up to IPVS, which changes replies back, too', () => {
    const view = stack(read({ hook: 'ipvs', counts }), 7)
    expect(states(view)).toContain('ipvs: handles, addresses of 7 services')
    expect(view.request).toBe(
      'Packets come in at eth0. IPVS looks up the service of the first of each flow, and the connection of the others.',
    )
    expect(view.reply).toBe('Replies come in at eth1. IPVS and connection tracking change their addresses back.')
  })

  it('gives the packet to the first hook that has something', () => {
    const view = stack(read(xdp, { hook: 'iptables' }))
    expect(view.handler).toBe('xdp')
    expect(states(view)).toContain('iptables: late, rules of 1 service')
  })

  it('marks no hook while one before it is unknown', () => {
    const view = stack(read({ hook: 'iptables' }).filter(({ hook }) => hook !== 'tc'))
    expect(view.handler).toBeNull()
    expect(states(view)).toContain('iptables: unknown, rules of 1 service')
  })

  it('forwards nothing without a program or a rule', () => {
    expect(stack(read())).toMatchObject({
      handler: null,
      request: 'No hook has a program or a rule, so nothing forwards.',
    })
  })
})
