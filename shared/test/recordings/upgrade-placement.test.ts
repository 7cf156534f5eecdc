import { describe, expect, it } from 'vitest'
import { upgradeEvent } from '../../src/recordings/upgrade.ts'
import { placement, podOf } from '../../src/testbed/placement.ts'

const addresses = { ipv4: '10.0.0.1', ipv6: null }
const client = { role: 'client', name: 'pod1', node: 'node1', addresses }
const server = { role: 'server', name: 'pod2', node: 'node2', addresses }
const old = { madeAt: 1, variant: 'other-node', client, server }
const now = { madeAt: 1, variant: 'other-node', pods: [client, server] }

describe('placements of version 2', () => {
  it('become a list of pods by role', () => {
    const event = upgradeEvent({ type: 'placement.made', placement: old })
    expect(event).toEqual({ type: 'placement.made', placement: now })
    const placed = placement.parse(now)
    expect(podOf(placed, 'server')?.name).toBe('pod2')
    expect(podOf(placed, 'forwarder')).toBeNull()
    expect(podOf(null, 'client')).toBeNull()
  })

  it('are upgraded in a reading of the datapath with pods', () => {
    const read = (of: unknown): unknown => upgradeEvent({ type: 'datapath.read', datapath: { at: 1, placement: of } })
    expect(read(old)).toMatchObject({ datapath: { at: 1, placement: now } })
    expect(read(null)).toMatchObject({ datapath: { at: 1, placement: null } })
  })

  it('become the node of each role in a fingerprint', () => {
    const taken = (of: unknown): unknown =>
      upgradeEvent({ type: 'measurement.taken', measurement: { tool: 'iperf3', fingerprint: of } })
    const was = { name: 'x', placement: { variant: 'same-node', client: 'a', server: 'a' } }
    const is = { name: 'x', placement: { variant: 'same-node', nodes: { client: 'a', server: 'a' } } }
    expect(taken(was)).toMatchObject({ measurement: { fingerprint: is } })
    expect(taken(null)).toMatchObject({ measurement: { fingerprint: null } })
    expect(taken({ name: 'x', placement: null })).toMatchObject({ measurement: { fingerprint: { placement: null } } })
  })

  it('are unchanged in version 3, and other values are returned unchanged', () => {
    const event = { type: 'placement.made', placement: now }
    expect(upgradeEvent(upgradeEvent(event))).toEqual(event)
    expect(upgradeEvent(7)).toBe(7)
  })
})
