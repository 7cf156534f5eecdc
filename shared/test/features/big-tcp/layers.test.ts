import fc from 'fast-check'
import { compareLayers } from '../../../src/features/big-tcp/layers.ts'
import { describe, expect, it } from 'vitest'
import { BIG_TCP_CAP, bigTcpSize } from '../../../src/features/big-tcp/size.ts'
import { datapath, device } from '../../builders.ts'

describe('bigTcpSize', () => {
  it('is the smallest maximum of the native devices, capped', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 65_536, max: 600_000 }), { minLength: 1 }), (maxima) => {
        const size = bigTcpSize(maxima.map((tsoMaxSize) => device({ tsoMaxSize })))
        expect(size).toBe(Math.min(BIG_TCP_CAP, ...maxima))
      }),
    )
  })

  it('is unknown while a native device does not report its maximum, or there is none', () => {
    expect(bigTcpSize([device(), device({ tsoMaxSize: null })])).toBeNull()
    expect(bigTcpSize([device({ native: false })])).toBeNull()
  })

  it('does not ask the wire or the pods', () => {
    expect(bigTcpSize([device({ tsoMaxSize: 131_072 }), device({ native: false, tsoMaxSize: 70_000 })])).toBe(131_072)
  })

  it('can be computed for one node, and is unknown for a node without native devices', () => {
    const ice = device({ where: 'node1', node: 'node1', tsoMaxSize: 131_072 })
    const mlx5 = device({ where: 'node2', node: 'node2', tsoMaxSize: 262_144 })
    const second = device({ where: 'node2', node: 'node2', device: 'eth1', tsoMaxSize: 150_000 })
    expect([bigTcpSize([ice, mlx5], 'node1'), bigTcpSize([ice, mlx5], 'node2')]).toEqual([131_072, BIG_TCP_CAP])
    expect(bigTcpSize([ice, mlx5, second], 'node2')).toBe(150_000)
    expect(bigTcpSize([ice, mlx5])).toBe(131_072)
    expect(bigTcpSize([ice, device({ where: 'node2', node: 'node2', tsoMaxSize: null })], 'node1')).toBe(131_072)
    expect(bigTcpSize([ice], 'node2')).toBeNull()
  })
})

describe('compareLayers', () => {
  const on = { settings: { 'big-tcp-ipv4': true, 'big-tcp-ipv6': false } }
  const pod = { where: 'pod1', role: 'pod', native: false }

  it('agrees if every device has the intended size', () => {
    expect(compareLayers(datapath([device(), device(pod)]), 'ipv4')).toBe('agree')
  })

  it('distinguishes pods that are older than the switch from a node that did not change', () => {
    const switched = device({ gsoIpv4MaxSize: 196_608 })
    expect(compareLayers(datapath([switched, device(pod)], on), 'ipv4')).toBe('pods-differ')
    expect(compareLayers(datapath([switched, device({ where: 'node2' })], on), 'ipv4')).toBe('differ')
  })

  it("compares each device with its own node's size", () => {
    const place = (node: string, tsoMaxSize: number, size: number, over = {}) =>
      device({ where: node, node, tsoMaxSize, gsoIpv4MaxSize: size, ...over })
    const client = (size: number) => place('node1', 524_280, size, { where: 'pod1', role: 'pod', native: false })
    const nodes = [place('node1', 131_072, 131_072), place('node2', 524_280, 196_608)]
    expect(compareLayers(datapath([client(131_072), ...nodes], on), 'ipv4')).toBe('agree')
    expect(compareLayers(datapath([client(196_608), ...nodes], on), 'ipv4')).toBe('pods-differ')
    expect(compareLayers(datapath([nodes[0] ?? device(), place('node2', 524_280, 131_072)], on), 'ipv4')).toBe('differ')
    expect(compareLayers(datapath([client(131_072), place('node2', 524_280, 196_608)], on), 'ipv4')).toBe('unknown')
  })

  it('is unknown if a place could not be read, but detects an agent that contradicts', () => {
    const unread = [{ where: 'node2', reason: 'its agent restarts' }]
    expect(compareLayers(datapath([device()], { unread }), 'ipv4')).toBe('unknown')
    const agent = {
      node: 'n',
      maxGso: { ipv4: null, ipv6: null },
      unreadable: null,
      settings: { 'big-tcp-ipv4': true, 'big-tcp-ipv6': false },
    }
    expect(compareLayers(datapath([device()], { unread, agents: [agent] }), 'ipv4')).toBe('differ')
  })

  it('looks at one family only', () => {
    expect(compareLayers(datapath([device({ gsoIpv4MaxSize: 196_608 })], on), 'ipv6')).toBe('agree')
  })

  it('treats a missing attribute as unknown, never as 65536', () => {
    expect(compareLayers(datapath([device({ gsoIpv4MaxSize: null })]), 'ipv4')).toBe('unknown')
  })

  it('does not trust an agent that could not be read, or an intent that an agent contradicts', () => {
    const agent = { node: 'node1', maxGso: { ipv4: null, ipv6: null }, unreadable: 'no answer', settings: null }
    expect(compareLayers(datapath([device()], { agents: [agent] }), 'ipv4')).toBe('unknown')
    const contrary = { ...agent, unreadable: null, settings: { 'big-tcp-ipv4': true, 'big-tcp-ipv6': false } }
    expect(compareLayers(datapath([device()], { agents: [contrary] }), 'ipv4')).toBe('differ')
  })
})
