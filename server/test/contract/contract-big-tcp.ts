/** The contract of a testbed with BIG TCP: a client and a server on two nodes, and sizes that can be switched. */
import { compareLayers } from '@expresslane/shared/features/big-tcp/layers'
import { expectedPackets } from '@expresslane/shared/features/big-tcp/payload'
import { bigTcpSize } from '@expresslane/shared/features/big-tcp/size'
import {
  datapathState,
  groLimit,
  gsoLimit,
  LEGACY_MAX_SIZE,
  type DatapathState,
  type Reading,
} from '@expresslane/shared/testbed/reading'
import type { Placement } from '@expresslane/shared/testbed/placement'
import type { Bytes, Family } from '@expresslane/shared/base/units'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { measure, MESSAGE, note, sides } from './contract-kit.ts'
import { sizesContract } from './contract-sizes.ts'
import type { Testbed } from '../../src/testbeds/testbed.ts'
import { pair, pairOf } from '../support/runs/pair.ts'
import { bigTcp } from '../support/runs/settings.ts'

const off: Readonly<Record<Family, boolean>> = { ipv4: false, ipv6: false }
const families = ['ipv4', 'ipv6'] as const

/** @param makeTestbed creates an unused testbed */
export function bigTcpContract(name: string, makeTestbed: () => Testbed | Promise<Testbed>): void {
  describe(`the contract of BIG TCP: ${name}`, () => {
    let testbed: Testbed

    beforeAll(async () => {
      testbed = await makeTestbed()
    })
    afterAll(() => testbed.close())

    /** Creates pods under this setting. */
    async function podsUnder(setting: Readonly<Record<Family, boolean>>): Promise<Placement> {
      await testbed.set(bigTcp(setting), note())
      return testbed.deploy(pair, 'other-node', note())
    }

    function big(state: DatapathState): Bytes {
      const size = bigTcpSize(state.kernel)
      if (size === null) throw new Error('the size can not be computed')
      return size
    }

    test('places client and server as each variant says, and they reach each other', async () => {
      for (const variant of testbed.placements) {
        const made = await testbed.deploy(pair, variant, note())
        expect(made.variant).toBe(variant)
        expect(pairOf(made).client.node === pairOf(made).server.node).toBe(variant === 'same-node')
        expect((await testbed.read(note())).placement).toEqual(made)
        const [from, to] = [pairOf(made).client.addresses, pairOf(made).server.addresses]
        expect([from.ipv4, from.ipv6, to.ipv4, to.ipv6]).not.toContain(null)
        expect((await measure(testbed, to.ipv4 ?? '')).result.tps).toBeGreaterThan(0)
      }
    })

    test('reads 64 KiB everywhere before, and a path whose wire is no smaller than BIG TCP', async () => {
      await podsUnder(off)
      const state = datapathState.parse(await testbed.read(note()))
      const { nodes, pods } = sides(state)
      expect(nodes.length).toBeGreaterThanOrEqual(2)
      expect(pods.length).toBeGreaterThanOrEqual(2)
      for (const of of families) {
        expect([...nodes, ...pods].map((device) => gsoLimit(device, of))).toEqual(
          [...nodes, ...pods].map(() => LEGACY_MAX_SIZE),
        )
        expect(compareLayers(state, of)).toBe('agree')
        for (const wire of state.kernel.filter(({ role }) => role === 'wire')) {
          expect(gsoLimit(wire, of)).toBeGreaterThanOrEqual(big(state))
        }
      }
      for (const device of state.kernel) expect(device.counters).not.toBeNull()
    })

    /** Each switch of one family, with the other one off and on: few, because a cluster restarts its agents for each. */
    const switches = [
      { from: off, of: 'ipv4', on: true },
      { from: { ipv4: true, ipv6: false }, of: 'ipv6', on: true },
      { from: { ipv4: true, ipv6: true }, of: 'ipv4', on: false },
      { from: { ipv4: false, ipv6: true }, of: 'ipv6', on: false },
    ] as const satisfies readonly { from: Readonly<Record<Family, boolean>>; of: Family; on: boolean }[]

    describe.each(switches)('switching $of to $on from $from', ({ from, of, on }) => {
      const other = of === 'ipv4' ? 'ipv6' : 'ipv4'
      const to: Readonly<Record<Family, boolean>> = { ...from, [of]: on }
      const limits = (device: Reading, family: Family): unknown => [gsoLimit(device, family), groLimit(device, family)]
      let switched: DatapathState

      /** The send and receive size that a setting requires. */
      function called(setting: Readonly<Record<Family, boolean>>, family: Family): unknown {
        const size = setting[family] ? big(switched) : LEGACY_MAX_SIZE
        return [size, size]
      }

      beforeAll(async () => {
        await podsUnder(from)
        switched = await testbed.set(bigTcp({ [of]: on }), note())
      })

      test('changes the nodes and not the running pods, and does not change the other family', () => {
        expect(switched.settings).toMatchObject(bigTcp(to))
        expect(big(switched)).toBeGreaterThan(LEGACY_MAX_SIZE)
        for (const family of families) {
          for (const device of sides(switched).nodes) expect(limits(device, family)).toEqual(called(to, family))
          for (const device of sides(switched).pods) expect(limits(device, family)).toEqual(called(from, family))
        }
        expect(compareLayers(switched, of)).toBe('pods-differ')
        expect(compareLayers(switched, other)).toBe('agree')
      })

      test('has the same result when repeated', async () => {
        const sizes = ({ kernel }: DatapathState): unknown => kernel.map((device) => ({ ...device, counters: null }))
        const twice = await testbed.set(bigTcp({ [of]: on }), note())
        expect(sizes(twice)).toEqual(sizes(switched))
        expect(twice.settings).toEqual(switched.settings)
      })

      test('redeploying changes the pods, and netperf uses the packets that the limits predict', async () => {
        const { server } = pairOf(await testbed.deploy(pair, 'other-node', note()))
        const state = await testbed.read(note())
        const mtu = state.kernel.find(({ role }) => role === 'pod')?.mtu
        if (mtu === undefined) throw new Error('no pod on the path')
        for (const family of families) {
          expect(compareLayers(state, family)).toBe('agree')
          for (const device of sides(state).pods) expect(limits(device, family)).toEqual(called(to, family))
        }
        // Four switches measure each family with BIG TCP and without it.
        const { result, packets } = await measure(testbed, server.addresses[of] ?? '')
        const expected = expectedPackets(MESSAGE, on ? big(state) : LEGACY_MAX_SIZE, mtu, of)
        expect(result.tps).toBeGreaterThan(0)
        expect([Math.round(packets.perRequest), Math.round(packets.perResponse)]).toEqual([expected, expected])
      })
    })

    sizesContract(() => testbed)
  })
}
