/** The server is killed while it switches, and started again on the same data. */
import { bigTcp } from '../support/runs/settings.ts'
import { once } from 'node:events'
import type { RunEvent } from '@expresslane/shared/run/events'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { dataDir } from '../support/deps.ts'
import { agentsHaveBigTcp, ciliumConfig, NAMESPACE, putBack, removeNamespace } from './support/kubectl.ts'
import { clusterEnv, expectPassed, startLabServer } from './support/lab-server.ts'

let before: Readonly<Record<string, string>>
beforeAll(async () => {
  before = await ciliumConfig()
})
afterEach(() => putBack(before))
afterAll(() => removeNamespace(NAMESPACE))

const restarting = (event: RunEvent): boolean => event.type === 'command.started' && event.typed.includes('delete pod')

it('offers the previous settings, reports the present state, and restores them', async () => {
  const env = await clusterEnv(dataDir())
  const first = await startLabServer(env)
  const session = await first.session()
  await first.begin(session, 'enable')
  await first.event(session, 'enable', restarting)
  first.program.child.kill('SIGKILL')
  await once(first.program.child, 'exit')
  expect((await ciliumConfig())['enable-ipv4-big-tcp']).toBe('true')

  const second = await startLabServer(env)
  expect(await second.ended(session, 'enable')).toMatchObject({
    state: 'interrupted',
    problem: { code: 'server_restarted' },
  })
  const { toRestore, busy, datapath } = await second.testbed()
  expect({ toRestore, busy }).toEqual({
    toRestore: {
      ...bigTcp({ ipv4: false, ipv6: false, limit: null, mtu: null }),
      'cpu-placement': null,
      'lb-acceleration': 'disabled',
      'lb-mode': 'snat',
    },
    busy: null,
  })
  expect(datapath?.settings).toMatchObject(bigTcp({ ipv4: true, ipv6: false }))

  expectPassed(await second.run(session, 'restore'))
  expect(await ciliumConfig()).toEqual(before)
  expect(new Set(await agentsHaveBigTcp())).toEqual(new Set([false]))
  expect((await second.testbed()).toRestore).toBeNull()
})
