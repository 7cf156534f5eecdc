/** Sending, counting and calling through a NodePort, on a node whose tools answer as scripted. */
import { bytes } from '@expresslane/shared/base/units'
import { describe, expect, test } from 'vitest'
import { requireAnswer, send, startSink, type Sent } from '../../../src/features/nodeport/traffic.ts'
import { scriptedNode, type Sending } from './scripted-node.ts'

const load = { load: { rate: 100, flows: 1 }, frameBytes: bytes.parse(64), seconds: 0.5 }
const error = { type: 'error', code: 'no_neighbour', message: 'The neighbour table has no MAC address.' }

async function sendOnce(sending: Sending): Promise<Sent> {
  const { invocation, context } = await scriptedNode('new-flows', { sendings: [sending] })
  return send(invocation, load, context, true)
}

describe('the answer before a measurement', () => {
  test.each([
    [[false, true], 'over TCP,'],
    [[true, false], 'over UDP,'],
    [[false, false], 'over TCP and UDP,'],
  ] as const)('must come over both protocols: %j', async (answers, words) => {
    const { context } = await scriptedNode('new-flows', { sendings: [], answers })
    const refused = expect(requireAnswer('10.41.0.1', context)).rejects
    await refused.toMatchObject({ code: 'datapath_not_taken', message: expect.stringContaining(words) as unknown })
  })

  test('is enough when both come', async () => {
    const { context } = await scriptedNode('new-flows', { sendings: [] })
    await expect(requireAnswer('10.41.0.1', context)).resolves.toBeUndefined()
  })
})

describe('sending', () => {
  test('gives what was sent, and its rate while it runs', async () => {
    const { invocation, context } = await scriptedNode('new-flows', {
      sendings: [{ sent: 5_000, cpuNs: 90, spinNs: 30 }],
    })
    const sent = await send(invocation, load, context, true)
    expect(sent).toMatchObject({ seconds: 0.5, packets: 5_000, flows: 5_000, cpuNs: 60 })
    const samples = context.events.flatMap((event) => (event.type === 'sample.taken' ? [event.sample] : []))
    expect(samples).toMatchObject([
      { atSeconds: 0.2, seconds: 0.2, values: { forwardRate: 5_000 } },
      { atSeconds: 0.4, seconds: 0.2, values: { forwardRate: 10_000 } },
    ])
  })

  test('emits no samples when they are not asked for', async () => {
    const { invocation, context } = await scriptedNode('new-flows', { sendings: [{ sent: 5_000 }] })
    await send(invocation, load, context, false)
    expect(context.events.filter(({ type }) => type === 'sample.taken')).toEqual([])
  })

  test.each([
    ['nothing was sent', { sent: 0 }],
    ['the generator had no last line', { sent: 5_000, ended: null }],
    ['somebody ended the generator', { sent: 5_000, ended: 'signal' }],
  ] as const)('fails when %s', async (_why, sending) => {
    await expect(sendOnce(sending)).rejects.toMatchObject({ code: 'tool_failed' })
  })

  test('fails with the helper’s words', async () => {
    await expect(sendOnce({ sent: 0, ended: null, error })).rejects.toMatchObject({
      message: `Sending packets to the NodePort failed: ${error.message}.`,
    })
  })

  test('takes the driver where BPF is allowed', async () => {
    const { invocation, context, ran } = await scriptedNode('new-flows', { sendings: [{ sent: 1 }], root: true })
    await send(invocation, load, context, false)
    expect(ran).toEqual([expect.stringMatching(/^net:client generate --method xdp /)])
  })
})

describe('the sink', () => {
  test('counts until it is stopped', async () => {
    const { invocation, context, ran } = await scriptedNode('new-flows', { sendings: [{ sent: 5_000, lost: 7 }] })
    const sink = await startSink('nftables', context)
    expect(await sink.count()).toBe(0)
    await send(invocation, load, context, false)
    expect(await sink.count()).toBe(4_993)
    await sink.stop()
    expect(ran[0]).toBe('backend sink --method socket --device eth0 --port 8080')
  })

  test('fails with the helper’s words if it can’t start', async () => {
    const { context } = await scriptedNode('new-flows', { sendings: [], sinkError: error })
    await expect(startSink('nftables', context)).rejects.toMatchObject({
      code: 'tool_failed',
      message: `Counting the packets at the backend failed: ${error.message}.`,
    })
  })
})
