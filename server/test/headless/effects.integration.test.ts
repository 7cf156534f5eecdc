/**
 * The settings that help, asserted on the counted machine. Its repeats differ by 1 %, whatever else this machine does, and the
 * effects are 21 and 43 %. `opinion.integration.test.ts` asserts that BIG TCP helps. The labs of `effects` have no more than the
 * answer needs: four repeats, the fewest that a verdict is made of, and no second visit to an arm, because nothing drifts
 * there.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CaseComparison } from '@expresslane/shared/compare/comparison'
import { labResult } from '@expresslane/shared/wire/headless'
import { armProfile, contextsOf, type MadeProfile } from '@expresslane/shared/profile/made'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { lacksMachine } from '../testbeds/counted/here.ts'
import { dataFolder, lab } from './lab-process.ts'

/** Ends a lab that hangs: it takes 15 to 40 s of CPU time, on a busy machine many times as long. */
const HANGS_MS = 1_200_000

interface Profiled {
  /** In the order of the arms. */
  readonly profiles: readonly MadeProfile[]
  /** The collapsed stacks of the first arm. */
  readonly stacks: string
}

const files = z.object({ profiles: z.array(armProfile.extend({ step: z.string() })) })

/** Measures a lab's experiment on the counted machine. @returns the comparisons */
async function measured(data: string, labId: string, ...options: readonly string[]): Promise<CaseComparison[]> {
  const file = join(data, 'result.json')
  const { code, err } = await lab(data, [labId, '--testbed', 'counted', '--json', file, ...options], {
    EXPRESSLANE_LABS: join(import.meta.dirname, 'effects'),
  })
  expect(code, err.slice(-4_000)).toBe(0)
  return labResult.parse(JSON.parse(await readFile(file, 'utf8'))).comparisons
}

/** The files of `--profile`, which have a profile of every arm. */
async function profiledIn(data: string, file: string): Promise<Profiled> {
  const { profiles } = files.parse(JSON.parse(await readFile(file, 'utf8')))
  expect(profiles.map(({ reason }) => reason)).toEqual(profiles.map(() => null))
  const [first] = profiles
  const stacks = await readFile(join(data, `profile-${first?.step}-${first?.caseId}-${first?.arm}.folded`), 'utf8')
  return { profiles: profiles.flatMap(({ profile: one }) => one ?? []), stacks }
}

function sum(values: Iterable<number>): number {
  return [...values].reduce((all, one) => all + one, 0)
}

/** The bounds of every profile: nothing is lost, and its groups and its tree have the same instructions. */
function expectSound(made: MadeProfile): void {
  expect(made.lost).toBe(0)
  expect(made.unmatched).toBeLessThan(1_000)
  const tree = contextsOf(made).whole.instructions
  expect(Math.abs(sum(Object.values(made.groups)) / tree - 1)).toBeLessThan(0.005)
}

/** Each comparison's verdict, and whether the whole interval of the change is above 0, or below. */
function saidOf(comparisons: readonly CaseComparison[]): unknown[] {
  return comparisons.map(({ caseId, arm, against, comparison: { verdict, rows } }) => {
    const [row] = rows
    const { metric, interval } = row ?? { metric: null, interval: null }
    const change = interval === null ? 'unknown' : interval.low > 1 ? 'more' : interval.high < 1 ? 'less' : 'either'
    return [caseId, arm, against, verdict, change, metric]
  })
}

describe.skipIf(lacksMachine !== null)('on the counted machine', { timeout: HANGS_MS }, () => {
  test('eBPF host routing helps a small request', async () => {
    const data = await dataFolder()
    const file = join(data, 'profile.json')
    const comparisons = await measured(data, 'host-routing-helps', '--profile', file)
    expect(saidOf(comparisons)).toEqual([['ipv4', 'veth-bpf', 'veth', 'improved', 'more', 'countedTps']])
    const { profiles, stacks } = await profiledIn(data, file)
    const [without, withIt] = profiles
    if (without === undefined || withIt === undefined) throw new Error('each arm has a profile')
    for (const made of [without, withIt]) expectSound(made)
    // 10⁹ instructions by the rate are those of a transaction: the profile explains the measured difference.
    const [row] = comparisons.flatMap(({ comparison: { rows } }) => rows)
    const saved = 1e9 / (row?.off ?? Number.NaN) - 1e9 / (row?.on ?? Number.NaN)
    const [before, after] = [without, withIt].map((made) => contextsOf(made).whole.instructions)
    expect(Math.abs(((before ?? 0) - (after ?? 0)) / saved - 1)).toBeLessThan(0.1)
    // Host routing is a BPF program, and the kernel's own routing is not asked any more.
    const inGroup = (made: MadeProfile, group: string): number => made.groups[group] ?? 0
    expect(inGroup(withIt, 'BPF')).toBeGreaterThan(3 * inGroup(without, 'BPF'))
    expect(inGroup(withIt, 'IP, routing and neighbours')).toBeLessThan(inGroup(without, 'IP, routing and neighbours'))
    expect(stacks).toMatch(/^\[task\];entry_SYSCALL_64\S*;\S*tcp_sendmsg\S* \d+$/m)
  })

  test('XDP helps a forwarded packet, compared with TC', async () => {
    const comparisons = await measured(await dataFolder(), 'xdp-helps')
    expect(saidOf(comparisons)).toEqual([['ipv4', 'xdp', 'tc', 'improved', 'less', 'countedCpuPerPacket']])
  })
})
