/** The cost of a new flow, and the runs that do not count. */
import { describe, expect, test } from 'vitest'
import type { Measured } from '../../../src/benchmarks/invocation.ts'
import { runNewFlows } from '../../../src/features/nodeport/new-flows.ts'
import { scriptedNode, type Sending } from './scripted-node.ts'

const fresh: Sending = { sent: 20_000, counted: 20_000, cpuNs: 190_000_000, spinNs: 90_000_000 }
const existing: Sending = { sent: 10_000, cpuNs: 30_000_000, spinNs: 10_000_000 }

async function measure(...sendings: readonly Sending[]): Promise<Measured> {
  const { invocation, context } = await scriptedNode('new-flows', { sendings })
  return runNewFlows(invocation, context)
}

describe('a run', () => {
  test('has the CPU time without waiting, of a new flow and of a packet of a flow that exists', async () => {
    const { invocation, context, ran } = await scriptedNode('new-flows', { sendings: [fresh, existing] })
    expect(await runNewFlows(invocation, context)).toEqual({
      startedAt: 1,
      elapsedSeconds: 1,
      values: {
        cpuPerNewFlow: 5,
        cpuPerPacket: 2_000,
        forwardRate: 40_000,
        rulesLoadMs: null,
        lost: 0,
        hookShare: 1,
        elsewhere: 0,
        discarded: 0,
      },
      after: null,
    })
    expect(ran).toEqual([
      'client handshake --address 10.41.0.1 --port 30080 --timeout-ms 2000',
      'backend sink --method socket --device eth0 --port 8080',
      expect.stringMatching(/^client generate --method ring .* --new-flows 30000 --size 64 --seconds 0.5$/),
      expect.stringMatching(/^client generate --method ring .* --rate 30000 --flows 1 --size 64 --seconds 0.25$/),
    ])
  })

  test('opens no more flows in a longer time', async () => {
    const { invocation, context, ran } = await scriptedNode('new-flows', { sendings: [fresh, existing] })
    await runNewFlows({ ...invocation, seconds: 10 }, context)
    expect(ran[2]).toContain('--new-flows 3000 ')
  })

  test('counts if it loses one packet in a thousand, and has no cost if it loses more', async () => {
    expect((await measure(fresh, { ...existing, lost: 30 })).values).toMatchObject({
      lost: 30,
      discarded: 0,
      cpuPerNewFlow: 5,
    })
    expect((await measure({ ...fresh, lost: 20 }, { ...existing, lost: 11 })).values).toMatchObject({
      lost: 31,
      discarded: 1,
      cpuPerNewFlow: null,
      cpuPerPacket: null,
      forwardRate: 39_960,
    })
  })

  test('does not count if its generator waited for longer than it had the CPU', async () => {
    const stolen = { ...existing, cpuNs: 9_999_999 }
    for (const values of [await measure(fresh, stolen), await measure({ ...fresh, cpuNs: 90_000_000 }, existing)]) {
      expect(values.values).toMatchObject({ cpuPerNewFlow: null, cpuPerPacket: null, discarded: 1, lost: 0 })
    }
  })

  test('says which share of the flows the hook counted', async () => {
    expect((await measure({ ...fresh, counted: 19_000 }, existing)).values).toMatchObject({ hookShare: 0.95 })
  })

  test('is refused when another hook counted flows', async () => {
    const node = await scriptedNode('new-flows', { sendings: [fresh, existing], iptables: 3 })
    await expect(runNewFlows(node.invocation, node.context)).rejects.toMatchObject({
      code: 'datapath_not_taken',
      message: expect.stringMatching(/^6 packets/) as unknown,
    })
    // The flow that exists is not measured any more.
    expect(node.ran.filter((one) => one.startsWith('client generate'))).toHaveLength(1)
  })
})
