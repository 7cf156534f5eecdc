/** The suite that every testbed passes. */
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
import { check, testbedFacts } from '@expresslane/shared/testbed/testbed'
import { placement, type Placement } from '@expresslane/shared/testbed/placement'
import type { Bytes, Family } from '@expresslane/shared/measure/units'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { measure, MESSAGE, note, run, sides } from './contract-kit.ts'
import { sizesContract } from './contract-sizes.ts'
import { resource } from '../../src/testbeds/resources.ts'
import type { Testbed } from '../../src/testbeds/testbed.ts'
import { pair, pairOf } from '../support/runs/pair.ts'
import { bigTcp } from '../support/runs/settings.ts'

const off: Readonly<Record<Family, boolean>> = { ipv4: false, ipv6: false }
const aString: unknown = expect.any(String)
const bothAddresses = { ipv4: aString, ipv6: aString }
const families = ['ipv4', 'ipv6'] as const

/** @param makeTestbed creates an unused testbed */
export function testbedContract(name: string, makeTestbed: () => Testbed | Promise<Testbed>): void {
  describe(`the testbed contract: ${name}`, () => {
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

    test('returns its facts, and the same incarnation again', async () => {
      await testbed.deploy(pair, 'other-node', note())
      const facts = testbedFacts.parse(await testbed.facts(note()))
      expect(facts.kind).toBe(testbed.kind)
      expect(facts.nodes.length).toBeGreaterThanOrEqual(2)
      expect(facts.versions['netperf']).toMatch(/^\d+\.\d+/)
      await testbed.read(note())
      expect((await testbed.facts(note())).incarnation).toBe(facts.incarnation)
      expect(await testbed.incarnation(note())).toBe(facts.incarnation)
    })

    test('reports the resources of a measurement, the same each time', async () => {
      const resources = await testbed.resources(note())
      expect(resources.measuring).not.toEqual([])
      for (const one of [...resources.measuring, ...resources.changing]) expect(resource.parse(one)).toBe(one)
      expect(await testbed.resources(note())).toEqual(resources)
    })

    test('passes its preflight, each check with a different id', async () => {
      const checks = []
      for await (const one of testbed.preflight(note())) checks.push(check.parse(one))
      expect(checks.filter(({ status }) => status === 'failed')).toEqual([])
      expect(new Set(checks.map(({ id }) => id)).size).toBe(checks.length)
      for (const { status, remedy } of checks) expect(remedy === null).toBe(status === 'passed')
    })

    test('deploys a client and a server with both addresses on different nodes', async () => {
      const made = placement.parse(await testbed.deploy(pair, 'other-node', note()))
      const { nodes } = await testbed.facts(note())
      expect(pairOf(made).client).toMatchObject({
        role: 'client',
        addresses: bothAddresses,
      })
      expect(pairOf(made).server).toMatchObject({
        role: 'server',
        addresses: bothAddresses,
      })
      expect(pairOf(made).client.node).not.toBe(pairOf(made).server.node)
      expect(nodes).toEqual(expect.arrayContaining([pairOf(made).client.node, pairOf(made).server.node]))
      expect((await testbed.read(note())).placement).toEqual(made)
    })

    test('refuses a workload with a role that it has no place for, and keeps the existing pods', async () => {
      const made = await testbed.deploy(pair, 'other-node', note())
      const wanted = { roles: [...pair.roles, 'no-such-role'] }
      await expect(testbed.deploy(wanted, 'other-node', note())).rejects.toMatchObject({
        code: 'bad_request',
        message: expect.stringContaining('no-such-role') as unknown,
      })
      expect((await testbed.read(note())).placement).toEqual(made)
      await expect(run(testbed, 'no-such-role', ['true'])).rejects.toMatchObject({ code: 'not_found' })
    })

    test('supports all placements that it lists', async () => {
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

    test('reports changes if it can: at first, after one, and none once aborted', async () => {
      if (testbed.changes === null) return
      const abort = new AbortController()
      const changes = testbed.changes(note(abort.signal))[Symbol.asyncIterator]()
      expect((await changes.next()).done).toBe(false)
      await testbed.deploy(pair, 'other-node', note())
      expect((await changes.next()).done).toBe(false)
      abort.abort(new Error('enough'))
      await expect(async () => {
        while (!(await changes.next()).done) continue
      }).rejects.toThrow('enough')
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
          const { result, packets, samples } = await measure(testbed, server.addresses[family] ?? '')
          const expected = expectedPackets(MESSAGE, to[family] ? big(state) : LEGACY_MAX_SIZE, mtu, family)
          expect(result.tps).toBeGreaterThan(0)
          expect(samples).toBeGreaterThan(0)
          expect([Math.round(packets.perRequest), Math.round(packets.perResponse)]).toEqual([expected, expected])
        }
      })
    })

    sizesContract(() => testbed)

    describe('exec', () => {
      beforeAll(() => testbed.deploy(pair, 'other-node', note()))

      test('yields both streams line by line, and the exit last', async () => {
        const ran = await run(testbed, 'client', ['sh', '-c', 'echo one; echo two; echo oops >&2; printf three'])
        expect(ran).toEqual({
          stdout: ['one', 'two', 'three'],
          stderr: ['oops'],
          ended: { type: 'exit', code: 0, signal: null },
        })
      })

      test('yields a line when it is printed, not when the command ends', async () => {
        const abort = new AbortController()
        const lines = testbed.exec('client', ['sh', '-c', 'echo first; exec sleep 1000'], note(abort.signal))
        expect(await lines[Symbol.asyncIterator]().next()).toEqual({
          done: false,
          value: { type: 'line', stream: 'stdout', text: 'first' },
        })
        abort.abort(new Error('seen'))
        await expect(async () => {
          for await (const _ of lines) continue
        }).rejects.toThrow('seen')
      })

      test('a non-zero exit is an exit item and does not reject', async () => {
        const { nodes } = await testbed.facts(note())
        expect((await run(testbed, 'server', ['sh', '-c', 'exit 7'])).ended.code).toBe(7)
        expect((await run(testbed, `node:${nodes[0] ?? ''}`, ['sh', '-c', 'exit 3'])).ended.code).toBe(3)
      })

      test('passes arguments unchanged, never through a shell', async () => {
        const words = ['a b', '$HOME', "it's", '*', '']
        expect((await run(testbed, 'client', ['printf', '%s\\n', ...words])).stdout).toEqual(words)
      })

      test('a missing node is not found', async () => {
        await expect(run(testbed, 'node:nowhere', ['true'])).rejects.toMatchObject({ code: 'not_found' })
      })

      test('cancelled, it rejects with the reason, and the command is gone', async () => {
        const abort = new AbortController()
        let pid = ''
        await expect(async () => {
          // It ignores SIGTERM, as a hanging tool can.
          const script = 'trap "" TERM; echo $$; while true; do sleep 0.1; done'
          for await (const item of testbed.exec('client', ['sh', '-c', script], note(abort.signal))) {
            if (item.type === 'line') pid = item.text
            abort.abort(new Error('cancelled here'))
          }
        }).rejects.toThrow('cancelled here')
        expect(pid).toMatch(/^\d+$/)
        expect((await run(testbed, 'client', ['sh', '-c', `kill -0 ${pid}`])).ended.code).not.toBe(0)
      })

      test('left early, the command is gone too', async () => {
        let pid = ''
        for await (const item of testbed.exec('client', ['sh', '-c', 'echo $$; exec sleep 1000'], note())) {
          if (item.type === 'line') pid = item.text
          break
        }
        expect((await run(testbed, 'client', ['sh', '-c', `kill -0 ${pid}`])).ended.code).not.toBe(0)
      })

      test('a command that is aborted before it starts does not start', async () => {
        const context = note(AbortSignal.abort(new Error('too late')))
        await expect(run(testbed, 'client', ['true'], context)).rejects.toThrow('too late')
        await expect(testbed.read(context)).rejects.toThrow('too late')
        await expect(testbed.deploy(pair, 'other-node', context)).rejects.toThrow('too late')
        expect(context.events).toEqual([])
      })
    })

    test('emits each command, its lines and its end', async () => {
      const context = note()
      await run(testbed, 'client', ['sh', '-c', 'echo "it is"; exit 4'], context)
      const started = context.events.find((event) => event.type === 'command.started')
      expect(started?.typed).toContain(`sh -c 'echo "it is"; exit 4'`)
      expect(context.events.slice(context.events.findIndex((event) => event === started))).toEqual([
        started,
        { type: 'command.output', commandId: started?.commandId, stream: 'stdout', text: 'it is' },
        { type: 'command.ended', commandId: started?.commandId, exitCode: 4, signal: null },
      ])
    })

    test('every command that a deploy starts is emitted once, and ends', async () => {
      const context = note()
      await testbed.deploy(pair, 'other-node', context)
      const ids = (type: 'command.started' | 'command.ended'): number[] =>
        context.events.flatMap((event) => (event.type === type ? [event.commandId] : [])).toSorted((a, b) => a - b)
      expect(ids('command.started').length).toBeGreaterThan(0)
      expect(new Set(ids('command.started')).size).toBe(ids('command.started').length)
      expect(ids('command.ended')).toEqual(ids('command.started'))
    })

    test('removes the pods, and does nothing without pods', async () => {
      await testbed.deploy(pair, 'other-node', note())
      await testbed.remove(note())
      await testbed.remove(note())
      const state = await testbed.read(note())
      expect(state.placement).toBeNull()
      expect(sides(state).pods).toEqual([])
      await expect(run(testbed, 'client', ['true'])).rejects.toMatchObject({ code: 'step_not_ready' })
    })

    test('a deploy that is cancelled leaves no pods, and the next one works', async () => {
      const abort = new AbortController()
      const context = { signal: abort.signal, emit: () => abort.abort(new Error('stop the deploy')) }
      await expect(testbed.deploy(pair, 'other-node', context)).rejects.toThrow('stop the deploy')
      expect((await testbed.read(note())).placement).toBeNull()
      expect(pairOf(await testbed.deploy(pair, 'other-node', note())).client.name).toEqual(aString)
    })
  })
}
