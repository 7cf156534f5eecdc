/** Exact profiles of requests between two pods in the counted machine: the same again, and a cost that is known. */
import { bytes } from '@expresslane/shared/base/units'
import { compareGroups } from '@expresslane/shared/profile/difference'
import { byGroup, groupOf } from '@expresslane/shared/profile/groups'
import { perTransaction, type Context, type Side } from '@expresslane/shared/profile/profile'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nodeportProgram } from '../../../src/tools/nodeport/argv.ts'
import { countedTcpRrArgv } from '../../../src/tools/netperf/netperf.ts'
import type { Profiled, Profiler } from '../../../src/testbeds/testbed.ts'
import { netperfAt, note, run } from '../../contract/contract-kit.ts'
import { netnsTestbed } from '../../support/netns.ts'
import { pair, pairOf } from '../../support/runs/pair.ts'
import { lacksMachine, machineHere, runOn } from './here.ts'

const [SHORT, LONG] = [50, 850]
const sizes = { requestBytes: bytes.parse(80_000), responseBytes: bytes.parse(80_000) }
/** A rule takes some 60 instructions for each packet: together more than the noise of a request's 200,000. */
const RULES = 300

/** Nftables rules that every forwarded packet passes. */
function planted(rules: number): string {
  const rule = 'add rule inet planted forward meta mark 1 counter\n'
  return `add table inet planted\nadd chain inet planted forward { type filter hook forward priority 0; }\n${rule.repeat(rules)}`
}

const groupsOf = (context: Context<Side>): Record<string, number> => Object.fromEntries(byGroup(context))

function sumOf(context: Context<Side>, counts: (name: string) => boolean): number {
  const own = counts(context.function) ? context.own.instructions : 0
  return own + context.children.reduce((sum, child) => sum + sumOf(child, counts), 0)
}

describe.skipIf(lacksMachine !== null)('a profile of the counted machine', () => {
  const machine = machineHere()
  const testbed = netnsTestbed({ machine })
  let address = ''
  beforeAll(async () => {
    await testbed.deploy(pair, 'other-node', note())
    address = pairOf((await testbed.read(note())).placement).server.addresses.ipv4 ?? ''
  })
  afterAll(() => testbed.close())

  const argvOf = (transactions: number): string[] => countedTcpRrArgv({ address, ...sizes }, transactions)
  const profiledRun = (profiler: Profiler, transactions: number): Promise<Profiled> =>
    profiler.take(async () => void (await run(testbed, 'client', [nodeportProgram, 'mark', ...argvOf(transactions)])))

  async function profile(): Promise<Context<Side>> {
    const profiler = await testbed.profiler?.(note())
    if (profiler === undefined) throw new Error('the counted machine makes profiles')
    const shorter = await profiledRun(profiler, SHORT)
    const longer = await profiledRun(profiler, LONG)
    expect([shorter.lost, longer.lost]).toEqual([0, 0])
    expect(Math.max(shorter.unmatched, longer.unmatched)).toBeLessThan(1_000)
    return perTransaction(shorter.profile, longer.profile, LONG - SHORT)
  }

  /** Instructions of a transaction by netperf's own clock, without a profile. */
  async function measured(): Promise<number> {
    const { tps } = await netperfAt(testbed, argvOf(LONG))
    return ((machine.instructionsPerMicrosecond ?? Number.NaN) * 1e6) / tps
  }

  test('is the same again, and names the cost of planted rules and its size', async () => {
    // As in a lab, where an arm is profiled after its repeats: until then the kernel's memory is not settled.
    const before = await measured()
    const [first, again] = [await profile(), await profile()]
    expect(Math.abs(again.whole.instructions / first.whole.instructions - 1)).toBeLessThan(0.006)
    const named = sumOf(first, (name) => groupOf(name) !== null)
    expect(named / first.whole.instructions).toBeGreaterThan(0.97)

    // All neighbours have answered: no packet takes the longer way.
    expect(Math.abs(sumOf(first, (name) => name === 'neigh_resolve_output'))).toBeLessThan(1)

    const { code, stderr } = await runOn(machine, ['nft', '-f', '-'], { namespace: 'node1', input: planted(RULES) })
    expect(code, stderr.join('\n')).toBe(0)
    const cost = (await measured()) - before
    const slower = await profile()
    const added = slower.whole.instructions - again.whole.instructions
    expect(Math.abs(added / cost - 1)).toBeLessThan(0.02)
    const [group] = compareGroups(groupsOf(again), groupsOf(slower))
    expect(group).toMatchObject({ group: 'netfilter' })
    expect(group?.share).toBeGreaterThan(0.95)
  })
})
