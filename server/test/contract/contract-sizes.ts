/** The contract of optional abilities: any send limit, another MTU, capturing packets. */
import { expectedPackets } from '@expresslane/shared/features/big-tcp/payload'
import {
  gsoLimit,
  groLimit,
  LEGACY_MAX_SIZE,
  type DatapathState,
  type Reading,
} from '@expresslane/shared/testbed/reading'
import { knownCapabilities, whyLacking } from '@expresslane/shared/features/capabilities'
import type { Capability } from '@expresslane/shared/testbed/testbed'
import type { Placement } from '@expresslane/shared/testbed/placement'
import { bytes, formatCount, type Bytes } from '@expresslane/shared/base/units'
import { beforeAll, describe, expect, test } from 'vitest'
import { measure, note, run, sides } from './contract-kit.ts'
import { limitOf, mtuOf } from '@expresslane/shared/features/big-tcp/settings'
import type { Settings } from '@expresslane/shared/base/settings'
import type { Testbed } from '../../src/testbeds/testbed.ts'
import { pair, pairOf } from '../support/runs/pair.ts'
import { bigTcp } from '../support/runs/settings.ts'

const families = ['ipv4', 'ipv6'] as const
const bothOn = bigTcp({ ipv4: true, ipv6: true })
const bothOff = bigTcp({ ipv4: false, ipv6: false })
const plain = bigTcp({ limit: null, mtu: null })
const LIMIT = bytes.parse(131_072)
const JUMBO = bytes.parse(9000)
/** Three packets at 64 KiB, two at {@link LIMIT}, one above; for each MTU. */
const MESSAGE = bytes.parse(160_000)

function endsOf(state: DatapathState): { nodes: unknown[]; pods: unknown[] } {
  const limits = (one: Reading): unknown => families.map((family) => [gsoLimit(one, family), groLimit(one, family)])
  const { nodes, pods } = sides(state)
  return { nodes: nodes.map(limits), pods: pods.map(limits) }
}

/** The result of {@link endsOf} if both families have this limit everywhere. */
function everywhere(state: DatapathState, limit: Bytes): { nodes: unknown[]; pods: unknown[] } {
  const both = families.map(() => [limit, limit])
  const { nodes, pods } = sides(state)
  return { nodes: nodes.map(() => both), pods: pods.map(() => both) }
}

function largestLimit({ kernel }: DatapathState): Bytes {
  const known = kernel.flatMap(({ native, tsoMaxSize }) => (native && tsoMaxSize !== null ? [tsoMaxSize] : []))
  return bytes.parse(Math.min(...known))
}

/** Untyped matchers must not leak into the expectations' types. */
function stringWith(text: string): unknown {
  return expect.stringContaining(text)
}

function podMtus({ kernel }: DatapathState): number[] {
  return kernel.filter(({ role }) => role === 'pod').map(({ mtu }) => mtu)
}

/** @param testbedOf the testbed under test, once it is created */
export function sizesContract(testbedOf: () => Testbed): void {
  const can = (what: Capability): boolean => whyLacking(what, testbedOf().primitives) === null
  const set = (change: Settings): Promise<DatapathState> => testbedOf().set(change, note())
  const read = (): Promise<DatapathState> => testbedOf().read(note())

  /** Creates pods under this setting. */
  async function podsUnder(change: Settings): Promise<{ placement: Placement; state: DatapathState }> {
    await set(change)
    const placement = await testbedOf().deploy(pair, 'other-node', note())
    return { placement, state: await read() }
  }

  async function expectPackets(placed: Placement, limit: Bytes, mtu: Bytes): Promise<void> {
    const { server } = pairOf(placed)
    for (const family of families) {
      const { result, packets } = await measure(testbedOf(), server.addresses[family] ?? '', MESSAGE)
      expect(result.tps).toBeGreaterThan(0)
      const expected = expectedPackets(MESSAGE, limit, mtu, family)
      expect([Math.round(packets.perRequest), Math.round(packets.perResponse)]).toEqual([expected, expected])
    }
  }

  test('gives a reason for each missing capability', () => {
    const reasons = knownCapabilities().flatMap((one) => whyLacking(one, testbedOf().primitives) ?? [])
    for (const why of reasons) expect(why).toMatch(/^[A-Z].*\.$/)
  })

  test('refuses a limit and an MTU that it can’t set with the reason, and sets neither', async () => {
    const sizes = [
      ['size-limit', bigTcp({ limit: LIMIT })],
      ['pod-mtu', bigTcp({ mtu: JUMBO })],
    ] as const
    for (const [what, change] of sizes) {
      if (can(what)) continue
      const message = whyLacking(what, testbedOf().primitives)
      await expect(set(change)).rejects.toMatchObject({ code: 'bad_request', message })
    }
    expect(await read()).toMatchObject({ settings: plain })
  })

  describe('a limit', () => {
    let before: DatapathState
    beforeAll(async () => {
      if (can('size-limit')) before = (await podsUnder({ ...bothOff, ...plain })).state
    })

    test('applies to the families that are on: to nodes at once, and to new pods', async () => {
      if (!can('size-limit')) return
      const off = await set(bigTcp({ limit: LIMIT }))
      expect(limitOf(off.settings)).toBe(LIMIT)
      expect(endsOf(off)).toEqual(everywhere(off, LEGACY_MAX_SIZE))
      const switched = await set(bothOn)
      expect(endsOf(switched).nodes).toEqual(everywhere(switched, LIMIT).nodes)
      expect(endsOf(switched).pods).toEqual(endsOf(before).pods)
      const { placement, state } = await podsUnder({})
      expect(endsOf(state)).toEqual(everywhere(state, LIMIT))
      await expectPackets(placement, LIMIT, bytes.parse(podMtus(state)[0]))
    })

    test('above the devices’ maximum is refused with the maximum, and changes nothing', async () => {
      if (!can('size-limit')) return
      const { settings, kernel } = await read()
      const most = largestLimit(before)
      await expect(set(bigTcp({ limit: most + 1 }))).rejects.toMatchObject({
        code: 'bad_request',
        message: stringWith(formatCount(most)),
      })
      const after = await read()
      expect(after.settings).toEqual(settings)
      expect(after.kernel.map(({ gsoMaxSize }) => gsoMaxSize)).toEqual(kernel.map(({ gsoMaxSize }) => gsoMaxSize))
    })

    test('null is the computed size', async () => {
      if (!can('size-limit')) return
      const limited = await set({ ...bothOn, ...bigTcp({ limit: LIMIT }) })
      const state = await set(bigTcp({ limit: null }))
      expect(state.settings).toMatchObject({ ...bothOn, ...bigTcp({ limit: null }) })
      expect(endsOf(state).nodes).not.toEqual(endsOf(limited).nodes)
      expect(endsOf(await set(bothOff))).toMatchObject({ nodes: endsOf(before).nodes })
    })
  })

  describe('an MTU', () => {
    test('applies to new pods, with enough room on the path, and can be restored', async () => {
      if (!can('pod-mtu')) return
      const { state: before } = await podsUnder({ ...bothOn, ...plain })
      const limit = can('size-limit') ? largestLimit(before) : null
      const switched = await set(bigTcp({ mtu: JUMBO, limit }))
      expect(mtuOf(switched.settings)).toBe(JUMBO)
      expect(podMtus(switched)).toEqual(podMtus(before))
      const { placement, state } = await podsUnder({})
      expect(podMtus(state)).toEqual([JUMBO, JUMBO])
      // Before Linux 7 a hop-by-hop header of 8 bytes goes with each segment over IPv6.
      const header = Number.parseInt((await testbedOf().facts(note())).kernel, 10) >= 7 ? 0 : 8
      for (const one of state.kernel) if (one.role !== 'pod') expect(one.mtu).toBeGreaterThanOrEqual(JUMBO + header)
      if (limit !== null) await expectPackets(placement, limit, JUMBO)
      const again = await set(bigTcp({ mtu: JUMBO }))
      expect(again.kernel.map(({ mtu }) => mtu)).toEqual(state.kernel.map(({ mtu }) => mtu))

      const { state: back } = await podsUnder({ ...bothOff, ...plain })
      expect(back.kernel.map(({ mtu }) => mtu)).toEqual(before.kernel.map(({ mtu }) => mtu))
    })
  })

  describe('capturing packets', () => {
    test('shows the packets of a benchmark on a node, and ends with it', async () => {
      if (!can('capture')) return
      const { client, server } = pairOf(await testbedOf().deploy(pair, 'other-node', note()))
      const address = server.addresses.ipv4 ?? 'no address'
      // A node can have other pods that run netperf.
      const filter = ['host', address, 'and', 'tcp', 'port', '12865']
      const argv = ['tcpdump', '-n', '-i', 'any', '-c', '1', '--immediate-mode', ...filter]
      let seen = ''
      let other: Promise<unknown> = Promise.resolve()
      for await (const item of testbedOf().exec(`capture:${client.node}`, argv, note())) {
        if (item.type === 'exit') expect(item.code).toBe(0)
        else if (item.stream === 'stdout') seen += item.text
        // tcpdump prints this once it captures.
        else if (item.text.includes('istening on')) other = measure(testbedOf(), address)
      }
      expect(seen).toContain(`${address}.12865`)
      await other
    })

    test('on a missing node is not found', async () => {
      if (!can('capture')) return
      await expect(run(testbedOf(), 'capture:nowhere', ['tcpdump', '--version'])).rejects.toMatchObject({
        code: 'not_found',
      })
    })
  })
}
