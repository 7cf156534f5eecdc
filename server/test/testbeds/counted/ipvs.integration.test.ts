/** IPVS on a kernel that has it, whatever this machine's has. */
import { NODE_PORT } from '@expresslane/shared/features/nodeport/roles'
import { NODEPORT_HOOK, NODEPORT_SERVICES } from '@expresslane/shared/features/nodeport/settings'
import { podOf } from '@expresslane/shared/testbed/placement'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { podsOn } from '../../../src/features/pods.ts'
import { readRules, rulesTaken } from '../../../src/features/nodeport/reading.ts'
import { netnsTestbed } from '../../support/netns.ts'
import { forwarder } from '../../../src/features/nodeport/topology.ts'
import { handshakeArgv } from '../../../src/tools/nodeport/argv.ts'
import { note, run } from '../../contract/contract-kit.ts'
import { workload } from '../../features/nodeport/node.ts'
import { lacksMachine, machineHere } from './here.ts'

/** A boot takes seconds, on a busy host many of them. */
const BOOT_MS = 120_000
const settings = { [NODEPORT_HOOK]: 'ipvs', [NODEPORT_SERVICES]: 7 }

describe.skipIf(lacksMachine !== null)('IPVS in the counted machine', () => {
  const testbed = netnsTestbed({ topology: forwarder, machine: machineHere() })
  beforeAll(() => testbed.set(settings, note()), BOOT_MS)
  afterAll(() => testbed.close())

  test('forwards TCP and UDP of both families, and its own counters show it', { timeout: BOOT_MS }, async () => {
    const pods = podsOn(testbed, await testbed.deploy(workload, 'other-node', note()), note())
    expect((await testbed.read(note())).carried).toEqual(settings)
    for (const family of ['ipv4', 'ipv6'] as const) {
      const address = podOf(pods.placement, 'forwarder')?.addresses[family] ?? ''
      const before = await readRules(pods)
      const argv = handshakeArgv({ address, port: NODE_PORT, timeoutMs: 10_000 })
      expect((await run(testbed, 'client', argv)).ended.code).toBe(0)
      const after = await readRules(pods)
      expect(rulesTaken('ipvs', { family, protocol: 'udp' }, before, after)).toEqual({ taken: 2, elsewhere: 0 })
    }
  })
})
