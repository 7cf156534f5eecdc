/** Each hook in the real kernel: the backend is reached through the NodePort, and the hook's own counter shows it. */
import type { ForwardingHook } from '@expresslane/shared/features/nodeport/hooks'
import { NODE_PORT } from '@expresslane/shared/features/nodeport/roles'
import { NODEPORT_HOOK, NODEPORT_SERVICES } from '@expresslane/shared/features/nodeport/settings'
import { describe, expect, test } from 'vitest'
import { podsOn } from '../../../src/features/pods.ts'
import { readRules, rulesTaken } from '../../../src/features/nodeport/reading.ts'
import { BACKEND_PORT } from '../../../src/features/nodeport/services.ts'
import type { Testbed } from '../../../src/testbeds/testbed.ts'
import { handshakeArgv } from '../../../src/tools/nodeport/argv.ts'
import { note, run } from '../../contract/contract-kit.ts'
import { deployed, nodeAddress, workload, type Open } from './node.ts'

const families = ['ipv4', 'ipv6'] as const

/** Calls the NodePort over TCP and UDP. */
async function answers(testbed: Testbed, address: string): Promise<boolean> {
  const argv = handshakeArgv({ address, port: NODE_PORT, timeoutMs: 1_000 })
  return (await run(testbed, 'client', argv)).ended.code === 0
}

/** The source addresses of a call's first packets, as the backend sees them. */
async function callersSeen(testbed: Testbed, address: string): Promise<string[]> {
  const filter = ['dst', 'port', String(BACKEND_PORT)]
  const argv = ['tcpdump', '-n', '-q', '--immediate-mode', '-i', 'eth0', '-c', '6', ...filter]
  const lines: string[] = []
  let calling: Promise<boolean> | null = null
  for await (const item of testbed.exec('capture:backend', argv, note())) {
    if (item.type === 'exit') continue
    if (item.stream === 'stdout') lines.push(item.text)
    else if (item.text.includes('istening on')) calling = answers(testbed, address)
  }
  expect(await calling).toBe(true)
  return [...new Set(lines.map((line) => /IP6? (\S+)\.\d+ > /.exec(line)?.[1] ?? line))]
}

/** @param hooks those that this user can have @param open the testbed; @defaultValue this machine */
export function hooksContract(hooks: readonly ForwardingHook[], open?: Open): void {
  describe.each(hooks)('%s', (by) => {
    test('forwards TCP and UDP of both families with the node’s address, and nothing else counts', async () => {
      const { testbed, pods } = await deployed({ [NODEPORT_HOOK]: by, [NODEPORT_SERVICES]: 7 }, open)
      expect((await testbed.read(note())).carried).toEqual({ [NODEPORT_HOOK]: by, [NODEPORT_SERVICES]: 7 })
      for (const of of families) {
        const before = await readRules(pods)
        expect(await callersSeen(testbed, nodeAddress(pods, of))).toEqual([of === 'ipv4' ? '10.42.0.1' : 'fd00:42::1'])
        const after = await readRules(pods)
        // A call is a connection over TCP and one over UDP. Programs and IPVS count them together, and rules each with its own.
        const together = by === 'xdp' || by === 'tc' || by === 'ipvs'
        for (const protocol of ['tcp', 'udp'] as const) {
          const expected = together ? { taken: 2, elsewhere: 0 } : { taken: 1, elsewhere: 1 }
          expect(rulesTaken(by, { family: of, protocol }, before, after)).toEqual(expected)
        }
        for (const other of hooks.filter((one) => one !== by)) {
          expect(rulesTaken(other, { family: of, protocol: 'udp' }, before, after)).toEqual({ taken: 0, elsewhere: 2 })
        }
      }
    })

    test('is the only one that the kernel has at the node, and says what it counted', async () => {
      const { testbed, pods } = await deployed({ [NODEPORT_HOOK]: by, [NODEPORT_SERVICES]: 2 }, open)
      expect(await answers(testbed, nodeAddress(pods, 'ipv4'))).toBe(true)
      const { hooks: read } = await testbed.read(note())
      expect(read.map(({ where, hook: one, present }) => [where, one, present])).toEqual(
        ['xdp', 'tc', 'nftables', 'iptables', 'ipvs'].map((one) => ['node', one, one === by]),
      )
      const isProgram = by === 'xdp' || by === 'tc'
      expect(read.find(({ present }) => present)).toMatchObject({
        devices: isProgram ? ['eth0', 'eth1'] : [],
        counts: { newFlows: 2 },
      })
      expect(read.filter(({ present }) => !present).map(({ counts }) => counts)).toEqual([{}, {}, {}, {}])
    })
  })

  test('without a hook nothing forwards, and each deploy makes a new network', async () => {
    const { testbed, pods } = await deployed({ [NODEPORT_HOOK]: 'nftables', [NODEPORT_SERVICES]: 3 }, open)
    expect((await testbed.read(note())).carried[NODEPORT_HOOK]).toBe('nftables')
    await testbed.set({ [NODEPORT_HOOK]: 'none', [NODEPORT_SERVICES]: 1 }, note())
    const again = podsOn(testbed, await testbed.deploy(workload, 'other-node', note()), note())
    expect(await readRules(again)).toEqual({ programs: null, ipvs: null, nftables: null, iptables: null })
    expect((await testbed.read(note())).carried).toEqual({ [NODEPORT_HOOK]: 'none', [NODEPORT_SERVICES]: 1 })
    expect(await answers(testbed, nodeAddress(pods, 'ipv4'))).toBe(false)
  })
}
