/** The stored form of a tool's values. */
import { asPrinted } from '@expresslane/shared/features/printed'
import { expect, test } from 'vitest'
import { runBenchmark } from '../../../src/runs/measuring/run-benchmark.ts'
import { scriptedNode } from '../../features/nodeport/scripted-node.ts'
import { notedTask } from '../../support/runs/perform.ts'

test('a value that can’t be right is an error of the tool, and never an event that can’t be read again', async () => {
  const stolen = { sent: 10_000, counted: 1, cpuNs: 30_000_000, spinNs: 30_000_001 }
  const { invocation, context } = await scriptedNode('forward-max', { sendings: [stolen, stolen] })
  const benchmark = { tool: 'forward-max', flows: 1, packetBytes: 64 }
  await expect(
    runBenchmark({ ...invocation, benchmark }, { ...notedTask(), ...context, testbed: context.testbed }),
  ).rejects.toMatchObject({
    code: 'tool_output_unreadable',
    message: 'forward-max measured a value that can’t be right.',
    detail: expect.stringContaining('cpuPerPacket') as unknown,
  })
})

test('where the clock counts instructions, what is stored does, and a tool finds what it printed before', async () => {
  const sending = { sent: 10_000, counted: 1, cpuNs: 30_000_000, spinNs: 5_000_000 }
  async function run(instructionsPerMicrosecond: number | null) {
    const { invocation, context } = await scriptedNode('forward-max', { sendings: [sending, sending] })
    const benchmark = { tool: 'forward-max', flows: 1, packetBytes: 64 }
    const fingerprint = { ...invocation.fingerprint, instructionsPerMicrosecond }
    const task = { ...notedTask(), ...context, testbed: context.testbed }
    return (await runBenchmark({ ...invocation, benchmark, fingerprint }, task)).measurement
  }
  const [inTime, counted] = [await run(null), await run(125)]
  const { cpuPerPacket = null, forwardRate = null, ...same } = inTime.values
  expect(counted.values).toEqual({
    ...same,
    countedCpuPerPacket: expect.closeTo(((cpuPerPacket ?? 0) * 125) / 1_000, 6) as unknown,
    countedForwardRate: expect.closeTo((forwardRate ?? 0) / 125, 6) as unknown,
  })
  expect(asPrinted(counted).values).toEqual({
    ...same,
    cpuPerPacket: expect.closeTo(cpuPerPacket ?? 0, 6) as unknown,
    forwardRate: expect.closeTo(forwardRate ?? 0, 6) as unknown,
  })
})
