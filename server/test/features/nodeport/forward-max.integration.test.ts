/** The greatest rate with every hook, and without forwarding, in the real kernel. */
import { measurement } from '@expresslane/shared/measure/measurement'
import { nodeport } from '@expresslane/shared/features/nodeport/feature'
import { NODEPORT_HOOK } from '@expresslane/shared/features/nodeport/settings'
import { datapathState } from '@expresslane/shared/testbed/reading'
import { expect, test } from 'vitest'
import { hooksHere, measureOnce } from './node.ts'

const benchmark = { tool: 'forward-max', flows: 1_000, packetBytes: 128 }
const datapath = datapathState.parse({ at: 1, settings: {}, agents: null, kernel: [], placement: null })

const cases = [...hooksHere, 'none' as const].flatMap((by) => [
  { by, family: 'ipv4' as const },
  { by, family: 'ipv6' as const },
])

test.each(cases)('$by over $family', async ({ by, family }) => {
  const settings = { [NODEPORT_HOOK]: by }
  const { measured, events } = await measureOnce(settings, benchmark, 0.5, { family })
  const { values } = measured
  process.stdout.write(`${by}, ${family}: ${JSON.stringify(values)}\n`)
  expect(values).toMatchObject({ elsewhere: 0, hookShare: by === 'none' ? null : 1 })
  // A busy machine can discard all of its runs; it must say so then.
  if (values['lost'] === 0) expect(values['forwardRate']).toBeGreaterThan(0)
  else expect(values).toMatchObject({ forwardRate: null, cpuPerPacket: null, discarded: 3 })
  expect(events.some(({ type }) => type === 'sample.taken')).toBe(true)
  const { after: _, ...taken } = measured
  const one = measurement.parse({ ...taken, arm: by, family, repeat: 1, benchmark })
  const proof = nodeport.proof({ settings, benchmark, family, measurements: [one], datapath })
  expect(proof.map(({ ok }) => ok)).toEqual(by === 'none' ? [true] : [true, true])
})
