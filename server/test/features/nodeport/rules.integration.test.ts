/** The rules of nftables and iptables in the real kernel: the backend is reached through the NodePort, by the arm's own rule. */
import { fileURLToPath } from 'node:url'
import { hook } from '@expresslane/shared/features/nodeport/hooks'
import { NODE_PORT } from '@expresslane/shared/features/nodeport/roles'
import { NODEPORT_HOOK, NODEPORT_SERVICES } from '@expresslane/shared/features/nodeport/settings'
import { podOf } from '@expresslane/shared/testbed/placement'
import type { Family } from '@expresslane/shared/measure/units'
import { describe, expect, onTestFinished, test } from 'vitest'
import { podsOn, withDrivers } from '../../../src/features/drivers.ts'
import type { Pods } from '../../../src/features/feature.ts'
import { driver, rulesLoadMs } from '../../../src/features/nodeport/driver.ts'
import { readRules, rulesTaken } from '../../../src/features/nodeport/reading.ts'
import { BACKEND_PORT } from '../../../src/features/nodeport/services.ts'
import { createNetnsTestbed } from '../../../src/testbeds/netns/index.ts'
import { forwarder } from '../../../src/testbeds/netns/topologies/forwarder.ts'
import type { Testbed } from '../../../src/testbeds/testbed.ts'
import { note, run } from '../../contract/contract-kit.ts'

const workload = { roles: ['client', 'forwarder', 'backend'] }
const families = ['ipv4', 'ipv6'] as const

function file(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url))
}

async function deployed(settings: Record<string, string | number>): Promise<{ testbed: Testbed; pods: Pods }> {
  const testbed = withDrivers(createNetnsTestbed({ topology: forwarder }), [driver])
  onTestFinished(() => testbed.close())
  await testbed.set(settings, note())
  const placement = await testbed.deploy(workload, 'other-node', note())
  return { testbed, pods: podsOn(testbed, placement, note()) }
}

/** Who called the backend, as it saw them. */
async function backendOf(pods: Pods): Promise<string[]> {
  const seen: string[] = []
  await pods.hold('backend', {
    argv: [process.execPath, file('echo.ts'), String(BACKEND_PORT)],
    isReady: (line) => {
      seen.push(line)
      return line === 'ready'
    },
  })
  return seen
}

function nodeAddress({ placement }: Pods, of: Family): string {
  return podOf(placement, 'forwarder')?.addresses[of] ?? ''
}

async function call(testbed: Testbed, address: string): Promise<readonly string[]> {
  const argv = [process.execPath, file('call.ts'), address, String(NODE_PORT), 'hello']
  return (await run(testbed, 'client', argv)).stdout
}

describe.each(['nftables', 'iptables'] as const)('%s', (by) => {
  test('forwards TCP and UDP of both families with the node’s address, and only its own rule counts', async () => {
    const { testbed, pods } = await deployed({ [NODEPORT_HOOK]: by, [NODEPORT_SERVICES]: 7 })
    const seen = await backendOf(pods)
    for (const of of families) {
      const before = await readRules(pods)
      expect(await call(testbed, nodeAddress(pods, of))).toEqual(['tcp hello', 'udp hello'])
      const after = await readRules(pods)
      for (const protocol of ['tcp', 'udp'] as const) {
        // The other protocol's connection went through another rule.
        expect(rulesTaken(by, { family: of, protocol }, before, after)).toEqual({ taken: 1, elsewhere: 1 })
      }
      const other = by === 'nftables' ? 'iptables' : 'nftables'
      expect(rulesTaken(other, { family: of, protocol: 'udp' }, before, after)).toEqual({ taken: 0, elsewhere: 2 })
      expect(after[by]?.[of].others).toBe(0)
      expect(after[other]).toBeNull()
    }
    expect(seen.slice(1)).toEqual(['tcp ::ffff:10.42.0.1', 'udp 10.42.0.1', 'tcp fd00:42::1', 'udp fd00:42::1'])
    expect((await testbed.read(note())).carried).toEqual({ [NODEPORT_HOOK]: by, [NODEPORT_SERVICES]: 7 })
  })

  // Some seconds on a quiet machine.
  test('takes 5,000 services', { timeout: 300_000 }, async () => {
    const { testbed, pods } = await deployed({ [NODEPORT_HOOK]: by, [NODEPORT_SERVICES]: 5_000 })
    await backendOf(pods)
    expect((await testbed.read(note())).carried).toEqual({ [NODEPORT_HOOK]: by, [NODEPORT_SERVICES]: 5_000 })
    for (const of of families) {
      expect(await call(testbed, nodeAddress(pods, of))).toEqual(['tcp hello', 'udp hello'])
      expect((await readRules(pods))[by]?.[of]).toEqual({ tcp: 1, udp: 1, others: 0 })
    }
    expect(rulesLoadMs(pods.placement)).toBeGreaterThan(0)
    process.stdout.write(`${by}: 5,000 services in ${Math.round(rulesLoadMs(pods.placement) ?? 0)} ms\n`)
  })
})

test('without a hook nothing forwards, and each deploy makes a new network', async () => {
  const { testbed, pods } = await deployed({ [NODEPORT_HOOK]: 'nftables', [NODEPORT_SERVICES]: 3 })
  expect((await testbed.read(note())).carried[NODEPORT_HOOK]).toBe('nftables')
  await testbed.set({ [NODEPORT_HOOK]: 'none', [NODEPORT_SERVICES]: 1 }, note())
  const again = podsOn(testbed, await testbed.deploy(workload, 'other-node', note()), note())
  expect(await readRules(again)).toEqual({ nftables: null, iptables: null })
  expect((await testbed.read(note())).carried).toEqual({ [NODEPORT_HOOK]: 'none', [NODEPORT_SERVICES]: 1 })
  await backendOf(again)
  expect(await call(testbed, nodeAddress(pods, 'ipv4'))).toEqual([])
})

test('a hook that this machine has no rules for is refused', async () => {
  expect(hook.options).toContain('ipvs')
  await expect(deployed({ [NODEPORT_HOOK]: 'ipvs' })).rejects.toMatchObject({ code: 'bad_request' })
})
