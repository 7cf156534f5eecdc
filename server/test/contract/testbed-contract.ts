/** The suite that every testbed passes. */
import { check, testbedFacts } from '@expresslane/shared/testbed/testbed'
import { placement } from '@expresslane/shared/testbed/placement'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { note, run } from './contract-kit.ts'
import { resource } from '../../src/testbeds/resources.ts'
import type { Testbed } from '../../src/testbeds/testbed.ts'
import type { Workload } from '../../src/testbeds/workload.ts'
import { pair } from '../support/runs/pair.ts'

const aString: unknown = expect.any(String)
const bothAddresses = { ipv4: aString, ipv6: aString }

/** Expects that a process has ended; its parent may still have to reap it. */
async function expectGone(testbed: Testbed, pid: string): Promise<void> {
  const found = async () => (await run(testbed, 'client', ['sh', '-c', `kill -0 ${pid}`])).ended.code
  await expect.poll(found).not.toBe(0)
}

/**
 * The behaviour that every testbed has.
 *
 * @param makeTestbed creates an unused testbed
 * @param workload a pod for each of its roles; the first is the client
 */
export function testbedContract(
  name: string,
  makeTestbed: () => Testbed | Promise<Testbed>,
  workload: Workload = pair,
): void {
  describe(`the testbed contract: ${name}`, () => {
    let testbed: Testbed

    beforeAll(async () => {
      testbed = await makeTestbed()
    })
    afterAll(() => testbed.close())

    test('has places for all roles of its workload', () => {
      expect(testbed.roles).toEqual(expect.arrayContaining([...workload.roles]))
    })

    test('returns its facts, and the same incarnation again', async () => {
      await testbed.deploy(workload, 'other-node', note())
      const facts = testbedFacts.parse(await testbed.facts(note()))
      expect(facts.kind).toBe(testbed.kind)
      expect(facts.nodes.length).toBeGreaterThanOrEqual(2)
      expect(facts.versions['iproute2']).toMatch(/^\d+\.\d+/)
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

    test('deploys a pod for each role, in the order of the path, with both addresses, on its nodes', async () => {
      const made = placement.parse(await testbed.deploy(workload, 'other-node', note()))
      const { nodes } = await testbed.facts(note())
      expect(made.pods.map(({ role }) => role)).toEqual(workload.roles)
      for (const pod of made.pods) {
        expect(pod.addresses).toEqual(bothAddresses)
        expect(nodes).toContain(pod.node)
      }
      // A node can be a place of its own, beside its pod; no two places of a kind share one.
      for (const isNode of [false, true]) {
        const alike = made.pods.filter((pod) => (pod.name === pod.node) === isNode).map(({ node }) => node)
        expect(new Set(alike).size).toBe(alike.length)
      }
      expect((await testbed.read(note())).placement).toEqual(made)
    })

    test('refuses a workload with a role that it has no place for, and keeps the existing pods', async () => {
      const made = await testbed.deploy(workload, 'other-node', note())
      const wanted = { roles: [...workload.roles, 'no-such-role'] }
      await expect(testbed.deploy(wanted, 'other-node', note())).rejects.toMatchObject({
        code: 'bad_request',
        message: expect.stringContaining('no-such-role') as unknown,
      })
      expect((await testbed.read(note())).placement).toEqual(made)
      await expect(run(testbed, 'no-such-role', ['true'])).rejects.toMatchObject({ code: 'not_found' })
    })

    test('supports all placements that it lists', async () => {
      for (const variant of testbed.placements) {
        const made = await testbed.deploy(workload, variant, note())
        expect(made.variant).toBe(variant)
        expect((await testbed.read(note())).placement).toEqual(made)
      }
    })

    test('reports changes if it can: at first, after one, and none once aborted', async () => {
      if (testbed.changes === null) return
      const abort = new AbortController()
      const changes = testbed.changes(note(abort.signal))[Symbol.asyncIterator]()
      expect((await changes.next()).done).toBe(false)
      await testbed.deploy(workload, 'other-node', note())
      expect((await changes.next()).done).toBe(false)
      abort.abort(new Error('enough'))
      await expect(async () => {
        while (!(await changes.next()).done) continue
      }).rejects.toThrow('enough')
    })

    describe('exec', () => {
      beforeAll(() => testbed.deploy(workload, 'other-node', note()))

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
        for (const role of workload.roles) {
          expect((await run(testbed, role, ['sh', '-c', 'exit 7'])).ended.code).toBe(7)
        }
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
          // The command ignores SIGTERM, as a hanging tool can.
          const script = 'trap "" TERM; echo $$; while true; do sleep 0.1; done'
          for await (const item of testbed.exec('client', ['sh', '-c', script], note(abort.signal))) {
            if (item.type === 'line') pid = item.text
            abort.abort(new Error('cancelled here'))
          }
        }).rejects.toThrow('cancelled here')
        expect(pid).toMatch(/^\d+$/)
        await expectGone(testbed, pid)
      })

      test('left early, the command is gone too', async () => {
        let pid = ''
        for await (const item of testbed.exec('client', ['sh', '-c', 'echo $$; exec sleep 1000'], note())) {
          if (item.type === 'line') pid = item.text
          break
        }
        await expectGone(testbed, pid)
      })

      test('a command that is aborted before it starts does not start', async () => {
        const context = note(AbortSignal.abort(new Error('too late')))
        await expect(run(testbed, 'client', ['true'], context)).rejects.toThrow('too late')
        await expect(testbed.read(context)).rejects.toThrow('too late')
        await expect(testbed.deploy(workload, 'other-node', context)).rejects.toThrow('too late')
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
      await testbed.deploy(workload, 'other-node', context)
      const ids = (type: 'command.started' | 'command.ended'): number[] =>
        context.events.flatMap((event) => (event.type === type ? [event.commandId] : [])).toSorted((a, b) => a - b)
      expect(ids('command.started').length).toBeGreaterThan(0)
      expect(new Set(ids('command.started')).size).toBe(ids('command.started').length)
      expect(ids('command.ended')).toEqual(ids('command.started'))
    })

    test('removes the pods, and does nothing without pods', async () => {
      await testbed.deploy(workload, 'other-node', note())
      await testbed.remove(note())
      await testbed.remove(note())
      const state = await testbed.read(note())
      expect(state.placement).toBeNull()
      expect(state.kernel.filter(({ role }) => role === 'pod')).toEqual([])
      await expect(run(testbed, 'client', ['true'])).rejects.toMatchObject({ code: 'step_not_ready' })
    })

    test('a deploy that is cancelled leaves no pods, and the next one works', async () => {
      const abort = new AbortController()
      const context = { signal: abort.signal, emit: () => abort.abort(new Error('stop the deploy')) }
      await expect(testbed.deploy(workload, 'other-node', context)).rejects.toThrow('stop the deploy')
      expect((await testbed.read(note())).placement).toBeNull()
      expect((await testbed.deploy(workload, 'other-node', note())).pods).toHaveLength(workload.roles.length)
    })
  })
}
