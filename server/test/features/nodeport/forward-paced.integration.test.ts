/** The idle CPU of a node with every hook, in the real kernel. */
import { NODEPORT_HOOK } from '@expresslane/shared/features/nodeport/settings'
import { LabError } from '@expresslane/shared/base/errors'
import { expect, test } from 'vitest'
import { hooksHere, measureOnce } from './node.ts'

const benchmark = { tool: 'forward-paced', rate: 20_000, flows: 2, packetBytes: 128 }

/** Kernel threads, their CPUs and their priorities are root's. */
const isPossible = process.getuid?.() === 0

test.runIf(isPossible).each(hooksHere)('%s', async (by) => {
  // On a busy machine all runs may be discarded, which must be said and nothing else.
  const ran = await measureOnce({ [NODEPORT_HOOK]: by }, benchmark, 0.5).catch((error: unknown) => error)
  if (ran instanceof LabError) {
    expect(ran).toMatchObject({ code: 'machine_busy' })
    return
  }
  const { measured, events } = ran as Awaited<ReturnType<typeof measureOnce>>
  process.stdout.write(`${by}: ${JSON.stringify(measured.values)}\n`)
  expect(measured.values['elsewhere']).toBe(0)
  // A sender that was late catches up in a burst, of which netfilter counts several packets as new flows.
  expect(measured.values['hookShare']).toBeGreaterThanOrEqual(1)
  const cpuPerPacket = Number(measured.values['cpuPerPacket'])
  expect(cpuPerPacket).toBeGreaterThan(0)
  expect(measured.values['cpuIdle']).toBeCloseTo(Math.max(0, 100 - (cpuPerPacket * benchmark.rate) / 1e7), 6)
  expect(measured.values['cpuIdle']).toBeLessThan(100)
  expect(measured.values['cpuWaiting']).toBeLessThan(10)
  const typed = events.flatMap((event) => (event.type === 'command.started' ? [event.typed] : []))
  expect(typed.filter((line) => /^taskset -pc \d+ \d+$/.test(line))).toHaveLength(1)
  expect(typed.filter((line) => /^chrt --fifo --pid 1 \d+$/.test(line))).toHaveLength(1)
  expect(typed.some((line) => /^cat \/proc\/\d+\/schedstat$/.test(line))).toBe(true)
})
