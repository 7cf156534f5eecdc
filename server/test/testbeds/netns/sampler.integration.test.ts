/** Profiles of this machine's kernel from samples: a cost that is known, and a user without the right. */
import { bytes } from '@expresslane/shared/base/units'
import { compareGroups } from '@expresslane/shared/profile/difference'
import { byGroup, groupOf } from '@expresslane/shared/profile/groups'
import { noProfile, perTransaction, type Context, type Side } from '@expresslane/shared/profile/profile'
import { expect, onTestFinished, test } from 'vitest'
import { countedTcpRrArgv } from '../../../src/tools/netperf/netperf.ts'
import type { Profiled, Testbed } from '../../../src/testbeds/testbed.ts'
import { netperfAt, note, run } from '../../contract/contract-kit.ts'
import { netnsTestbed } from '../../support/netns.ts'
import { pair, pairOf } from '../../support/runs/pair.ts'

const TRANSACTIONS = 20_000
/** A rule takes some 10 ns for each packet: together about as long as all else of a request. */
const RULES = 2_000

const isRoot = process.getuid?.() === 0

async function deployed(): Promise<{ readonly testbed: Testbed; readonly argv: readonly string[] }> {
  const testbed = netnsTestbed()
  onTestFinished(() => testbed.close())
  await testbed.deploy(pair, 'other-node', note())
  const address = pairOf((await testbed.read(note())).placement).server.addresses.ipv4 ?? ''
  const one = bytes.parse(1)
  return { testbed, argv: countedTcpRrArgv({ address, requestBytes: one, responseBytes: one }, TRANSACTIONS) }
}

async function sampled(testbed: Testbed, argv: readonly string[]): Promise<Profiled> {
  const profiler = await testbed.profiler?.(note())
  if (profiler === undefined) throw new Error('this machine has a sampler')
  expect(profiler.exact).toBe(false)
  return profiler.take(async () => void (await netperfAt(testbed, argv)))
}

const contextsOf = ({ profile }: Profiled): Context<Side> => perTransaction(noProfile, profile, TRANSACTIONS)
const groupsOf = (context: Context<Side>): Record<string, number> => Object.fromEntries(byGroup(context))

function named({ function: name, own, children }: Context<Side>): number {
  const inside = children.reduce((sum, child) => sum + named(child), 0)
  return inside + (groupOf(name) === null ? 0 : own.instructions)
}

test.skipIf(!isRoot)('samples name the cost of planted rules', async () => {
  const { testbed, argv } = await deployed()
  expect(testbed.primitives.profile).toBeNull()
  const first = await sampled(testbed, argv)
  expect(first.lost).toBe(0)
  const before = contextsOf(first)
  // All samples are in the tree, each with its time.
  expect(before.whole.instructions * TRANSACTIONS).toBeCloseTo((first.samples ?? 0) * (1e9 / 999), 0)
  expect(named(before) / before.whole.instructions).toBeGreaterThan(0.9)
  expect(groupsOf(before)['TCP']).toBeGreaterThan(0)

  const rules = 'add rule inet planted out meta mark 1 counter\n'.repeat(RULES)
  const table = 'add table inet planted\nadd chain inet planted out { type filter hook output priority 0; }\n'
  const { ended, stderr } = await run(testbed, 'client', ['nft', `${table}${rules}`])
  expect(ended.code, stderr.join('\n')).toBe(0)
  const [group] = compareGroups(groupsOf(before), groupsOf(contextsOf(await sampled(testbed, argv))))
  expect(group).toMatchObject({ group: 'netfilter' })
})

test.skipIf(!isRoot)('the sampler ends with a run that fails, and the next profile is whole', async () => {
  const { testbed, argv } = await deployed()
  const profiler = await testbed.profiler?.(note())
  await expect(profiler?.take(() => Promise.reject(new Error('the tool failed')))).rejects.toThrow('the tool failed')
  expect((await sampled(testbed, argv)).samples).toBeGreaterThan(0)
})
