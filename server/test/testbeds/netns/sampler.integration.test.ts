/** Profiles of this machine's kernel from samples: a cost that is known, and a run that fails. */
import { bytes } from '@expresslane/shared/base/units'
import { compareGroups } from '@expresslane/shared/profile/difference'
import { byGroup, groupOf } from '@expresslane/shared/profile/groups'
import { perTransaction, type Context, type Side } from '@expresslane/shared/profile/profile'
import { expect, onTestFinished, test } from 'vitest'
import { countedTcpRrArgv } from '../../../src/tools/netperf/netperf.ts'
import type { Profiled, Profiler, Testbed } from '../../../src/testbeds/testbed.ts'
import { netperfAt, note, run } from '../../contract/contract-kit.ts'
import { netnsTestbed } from '../../support/netns.ts'
import { pair, pairOf } from '../../support/runs/pair.ts'
import { descendants } from './host.ts'

const [SHORT, LONG] = [5_000, 20_000]
const HERTZ = 999
/** A rule takes some 10 ns for each packet: together about as long as all else of a request. */
const RULES = 2_000

const isRoot = process.getuid?.() === 0

async function deployed(): Promise<{ readonly testbed: Testbed; argvOf(transactions: number): string[] }> {
  const testbed = netnsTestbed()
  onTestFinished(() => testbed.close())
  await testbed.deploy(pair, 'other-node', note())
  const address = pairOf((await testbed.read(note())).placement).server.addresses.ipv4 ?? ''
  const sizes = { address, requestBytes: bytes.parse(1), responseBytes: bytes.parse(1) }
  return { testbed, argvOf: (transactions) => countedTcpRrArgv(sizes, transactions) }
}

async function samplerOf(testbed: Testbed): Promise<Profiler> {
  const profiler = await testbed.profiler?.(note())
  if (profiler === undefined) throw new Error('this machine has a sampler')
  expect(profiler.exact).toBe(false)
  return profiler
}

/** The contexts for a transaction. */
async function sampled({ testbed, argvOf }: Awaited<ReturnType<typeof deployed>>): Promise<Context<Side>> {
  const { take } = await samplerOf(testbed)
  const sample = async (transactions: number): Promise<Profiled> => {
    const profiled = await take(async () => void (await netperfAt(testbed, argvOf(transactions))))
    expect(profiled.lost).toBe(0)
    // All samples are in the tree, each with its time.
    const time = profiled.profile.instructions.reduce((sum, one) => sum + one, 0)
    expect(time / (1e9 / HERTZ)).toBeCloseTo(profiled.samples ?? Number.NaN, 3)
    return profiled
  }
  const shorter = await sample(SHORT)
  return perTransaction(shorter.profile, (await sample(LONG)).profile, LONG - SHORT)
}

const groupsOf = (context: Context<Side>): Record<string, number> => Object.fromEntries(byGroup(context))

function named({ function: name, own, children }: Context<Side>): number {
  const inside = children.reduce((sum, child) => sum + named(child), 0)
  return inside + (groupOf(name) === null ? 0 : own.instructions)
}

test.skipIf(!isRoot)('samples name the cost of planted rules', async () => {
  const path = await deployed()
  expect(path.testbed.primitives.profile).toBeNull()
  const before = await sampled(path)
  expect(named(before) / before.whole.instructions).toBeGreaterThan(0.9)
  expect(groupsOf(before)['TCP']).toBeGreaterThan(0)

  const rules = 'add rule inet planted out meta mark 1 counter\n'.repeat(RULES)
  const table = 'add table inet planted\nadd chain inet planted out { type filter hook output priority 0; }\n'
  const { ended, stderr } = await run(path.testbed, 'client', ['nft', `${table}${rules}`])
  expect(ended.code, stderr.join('\n')).toBe(0)
  const [group] = compareGroups(groupsOf(before), groupsOf(await sampled(path)))
  expect(group).toMatchObject({ group: 'netfilter' })
})

test.skipIf(!isRoot)('the sampler ends with a run that fails', async () => {
  const { testbed } = await deployed()
  const { take } = await samplerOf(testbed)
  const here = (): string[] => descendants(process.pid).map(({ name }) => name)
  await expect(
    take(() => {
      expect(here()).toContainEqual(expect.stringMatching(/^nodeport/))
      return Promise.reject(new Error('the tool failed'))
    }),
  ).rejects.toThrow('the tool failed')
  expect(here()).not.toContainEqual(expect.stringMatching(/^nodeport/))
})
