/** The difference of two profiles, by context, group and in words. */
import { describe, expect, it } from 'vitest'
import {
  added,
  compareContexts,
  compareFunctions,
  compareGroups,
  differs,
  isClear,
  largestBranch,
  profileDifference,
  profilePairs,
} from '../../src/profile/difference.ts'
import { contextsOf, profileMade, type ArmProfile, type MadeProfile } from '../../src/profile/made.ts'
import { perTransaction, REST, ROOT, TASK, type Context, type Side } from '../../src/profile/profile.ts'
import { bigTcp } from '../profiled.ts'
import { branchInWords, contextWords, differenceInWords, lossesInWords } from '../../src/profile/words.ts'

/** A request whose acknowledgements go with the change. */
function treeOf(acknowledgements: number, copied = 1_000): Context<Side> {
  const functions = [ROOT, TASK, 'tcp_recvmsg', '__tcp_transmit_skb', 'ip_output', 'rep_movs_alternative']
  const calls = [0, 0, 1, acknowledgements, acknowledgements, 1]
  const instructions = [0, 0, 100, 200 * acknowledgements, 300 * acknowledgements, copied]
  const empty = { functions: [ROOT], parents: [0], instructions: [0], calls: [0] }
  return perTransaction(empty, { functions, parents: [0, 0, 1, 2, 3, 2], instructions, calls }, 1)
}

const about = { unit: 'transaction', amount: 100, samples: null, kernel: '6.18.5', lost: 0, unmatched: 2 } as const
const made = (root: Context<Side>, over: Partial<MadeProfile> = {}): MadeProfile => ({
  ...profileMade(root, about),
  ...over,
})
const [two, none] = [made(treeOf(2)), made(treeOf(0))]

describe('two profiles', () => {
  const [before, after] = [treeOf(2), treeOf(0)]

  it('are one tree, whose differences sum up', () => {
    const root = compareContexts(before, after)
    expect(added(root.whole)).toBe(-1_000)
    const [task] = root.children
    const [received] = task?.children ?? []
    expect(received?.children.map(({ function: name, whole }) => [name, added(whole)])).toEqual([
      ['__tcp_transmit_skb', -1_000],
      ['rep_movs_alternative', 0],
    ])
  })

  it('have the groups’ parts of the difference', () => {
    expect(compareGroups(two.groups, none.groups).slice(0, 2)).toEqual([
      { group: 'IP, routing and neighbours', before: 600, after: 0, share: 0.6 },
      { group: 'TCP', before: 500, after: 100, share: 0.4 },
    ])
    expect(compareGroups(two.groups, two.groups).every(({ share }) => share === null)).toBe(true)
  })

  it('have all contexts of a function as one, the largest difference first', () => {
    const [first, second] = compareFunctions(compareContexts(before, after))
    expect(first).toEqual({
      function: 'ip_output',
      before: { instructions: 600, calls: 2 },
      after: { instructions: 0, calls: 0 },
    })
    expect(second?.function).toBe('__tcp_transmit_skb')
  })

  it('name the function that is called less often, not the functions below it', () => {
    const { branch } = profileDifference(two, none)
    expect(branch?.path).toEqual([TASK, 'tcp_recvmsg', '__tcp_transmit_skb'])
    expect(branch === null ? null : branchInWords(branch, 'transaction')).toBe(
      '100 % of the difference is tcp_recvmsg → __tcp_transmit_skb: 2.0 → 0.0 calls a transaction.',
    )
  })

  it('name no call that is rare, and no interrupt', () => {
    const rare = made(treeOf(0.05))
    expect(profileDifference(rare, made(treeOf(0, 9_000))).branch?.path.at(-1)).toBe('rep_movs_alternative')
    const interrupted = (often: number): MadeProfile => ({
      ...made(treeOf(often)),
      functions: made(treeOf(often)).functions.map((name) =>
        name === '__tcp_transmit_skb' ? 'asm_common_interrupt' : name,
      ),
    })
    expect(profileDifference(interrupted(2), interrupted(0.5)).branch?.path.at(-1)).not.toBe('asm_common_interrupt')
  })

  it('name the function whose own instructions change where the calls are the same', () => {
    const { branch } = profileDifference(two, made(treeOf(2, 5_000)))
    expect(branch === null ? null : branchInWords(branch, 'megabyte')).toBe(
      '100 % of the difference is tcp_recvmsg → rep_movs_alternative: 1,000 → 5,000 instructions of its own a megabyte, in 1.0 calls.',
    )
  })

  it('without a clear difference have no branch, and no parts in words', () => {
    const same = profileDifference(two, two)
    expect(same.branch).toBeNull()
    expect(largestBranch(same.root)).toBeNull()
    expect(isClear(same)).toBe(false)
    const nearly = profileDifference(two, { ...two, groups: { ...two.groups, TCP: (two.groups['TCP'] ?? 0) + 1 } })
    expect(nearly.groups.map(({ share }) => share)).toEqual(nearly.groups.map(() => null))
    const [unclear, clear] = [two, none].map((other) => ({
      caseId: null,
      arm: 'on',
      profiles: { before: two, after: other },
      reasons: [],
    }))
    expect([unclear, clear].map((pair) => pair !== undefined && differs(pair))).toEqual([false, true])
    expect(differenceInWords(same)).toBe(
      'A transaction takes about as many instructions: two profiles of one arm can differ as much (0.0 %).',
    )
  })

  it('keep a context that one of them lacks', () => {
    expect(added(compareContexts(treeOf(0), treeOf(0, 5_000)).whole)).toBe(4_000)
    expect(compareContexts(null, after).whole).toEqual({ before: { instructions: 0, calls: 0 }, after: after.whole })
  })

  it('count a context near the limit to the rest that it is in in the other profile', () => {
    const leaf = (name: string, instructions: number): Context<Side> => {
      const side = { instructions, calls: 0 }
      return { function: name, own: side, whole: side, children: [] }
    }
    const of = (children: Context<Side>[]): Context<Side> => {
      const sum = children.reduce((all, { whole }) => all + whole.instructions, 0)
      const [own, whole] = [0, sum].map((instructions) => ({ instructions, calls: 0 }))
      return { function: ROOT, own: own ?? leaf('', 0).own, whole: whole ?? leaf('', 0).own, children }
    }
    const kept = of([leaf('a', 25_000), leaf('b', 6), leaf(REST, 10)])
    const lost = of([leaf('a', 25_000), leaf(REST, 15)])
    expect(compareContexts(kept, lost).children.map(({ function: name, whole }) => [name, added(whole)])).toEqual([
      [REST, -1],
      ['a', 0],
    ])
  })
})

describe('in words', () => {
  it('are groups, in each direction', () => {
    expect(differenceInWords(profileDifference(two, none))).toBe(
      'A transaction takes 1,000 instructions fewer (47.6 %). Of these: 60 % IP, routing and neighbours; 40 % TCP.',
    )
    expect(differenceInWords(profileDifference(none, two))).toMatch(
      /^A transaction takes 1,000 instructions more \(90\.9 %\)\./,
    )
  })

  it('are of time for samples, without calls, and say how many samples there are and which difference can be chance', () => {
    const [one, other] = [two, none].map((of) => ({ ...of, samples: 4_000 }))
    if (one === undefined || other === undefined) throw new Error('two profiles')
    const sampled = profileDifference(one, other)
    expect(sampled.branch).toBeNull()
    expect(differenceInWords(sampled)).toMatch(/^A transaction takes 1,000 ns of CPU time less \(47\.6 %\)\./)
    expect(lossesInWords(sampled)).toMatch(
      /^From 4,000 and 4,000 samples, 999 a second of each CPU; no sample lost\. Differences below 10\.0 % of the whole/,
    )
    // IP, routing and neighbours changes by 600 of 2,100, and TCP by 400: with fewer samples the smaller change can be chance.
    expect(differenceInWords(sampled)).toMatch(/Of these: 60 % IP, routing and neighbours; 40 % TCP\.$/)
    const fewer = profileDifference({ ...one, samples: 120 }, { ...other, samples: 120 })
    expect(differenceInWords(fewer)).toMatch(/Of these: 60 % IP, routing and neighbours\.$/)
    const few = profileDifference({ ...one, samples: 10 }, { ...other, samples: 10 })
    expect(differenceInWords(few)).toMatch(/^A transaction takes about as much CPU time:/)
  })

  it('take the unit of work', () => {
    const [one, other] = [two, none].map((of) => ({ ...of, unit: 'megabyte' as const }))
    expect(one && other ? differenceInWords(profileDifference(one, other)) : '').toMatch(/^A megabyte takes 1,000/)
  })

  it('are figures where the parts go against each other, because shares would be beyond 100 %', () => {
    expect(differenceInWords(profileDifference(two, made(treeOf(0, 2_500))))).toBe(
      'A transaction takes 500 instructions more (23.8 %). The largest changes: copying to and from programs +1,500; IP, routing and neighbours −600; TCP −400.',
    )
  })

  it('are functions where the kernels differ', () => {
    expect(differenceInWords(profileDifference(none, { ...two, kernel: '7.3.4' }))).toBe(
      'A transaction takes 90.9 % more instructions on Linux 7.3.4 than on 6.18.5. Of these: 60 % ip_output; 40 % __tcp_transmit_skb.',
    )
  })
})

describe('the pairs of a run', () => {
  const of = (arm: string, profile: MadeProfile | null, over: Partial<ArmProfile> = {}): ArmProfile => ({
    arm,
    caseId: null,
    profile,
    reason: profile === null ? 'The machine made no profile.' : null,
    ...over,
  })

  it('are every other arm beside the first, by case', () => {
    const all = ['a', 'b'].flatMap((caseId) => ['off', 'on', 'more'].map((arm) => of(arm, two, { caseId })))
    expect(profilePairs(all, 'off').map(({ caseId, arm, profiles }) => [caseId, arm, profiles !== null])).toEqual([
      ['a', 'on', true],
      ['a', 'more', true],
      ['b', 'on', true],
      ['b', 'more', true],
    ])
  })

  it('have the last profile of an arm that was profiled again', () => {
    const [pair] = profilePairs([of('off', none), of('on', none), of('off', two)], 'off')
    expect(pair?.profiles?.before).toBe(two)
  })

  it('say why there is none', () => {
    expect(profilePairs([of('off', two), of('on', null)], 'off')[0]?.reasons).toEqual([
      { arm: 'on', reason: 'The machine made no profile.' },
    ])
    expect(profilePairs([of('on', two)], 'off')[0]?.reasons).toEqual([{ arm: 'off', reason: 'It was not profiled.' }])
    const [pair] = profilePairs([of('off', two), of('on', { ...two, unit: 'megabyte' })], 'off')
    expect(pair?.profiles).toBeNull()
    expect(pair?.reasons[0]?.reason).toMatch(/of a transaction, and the other of a megabyte/)
    expect(() => profileDifference(two, { ...two, unit: 'megabyte' })).toThrow('megabyte')
  })
})

describe('BIG TCP', () => {
  const difference = profileDifference(bigTcp.off, bigTcp.on)

  it('saves the acknowledgements, above all', () => {
    expect(difference.branch?.path.slice(-2)).toEqual(['tcp_recvmsg_locked', '__tcp_transmit_skb'])
    expect(differenceInWords(difference)).toMatch(/^A transaction takes [\d,]+ instructions fewer/)
  })

  it('has groups, functions and a tree that sum to the difference', () => {
    const all = added(difference.root.whole)
    const groups = difference.groups.reduce((sum, { before, after }) => sum + after - before, 0)
    const functions = difference.functions.reduce((sum, one) => sum + added(one), 0)
    const whole = (of: MadeProfile): number => contextsOf(of).whole.instructions
    expect(groups / all).toBeCloseTo(1, 3)
    expect(functions / all).toBeCloseTo(1, 9)
    expect(whole(bigTcp.on) - whole(bigTcp.off)).toBeCloseTo(all, 6)
  })

  it('has contexts in words', () => {
    expect(contextWords(difference.root, 'instructions')).toMatch(
      /^everything: [\d,]+ → [\d,]+ instructions \(−[\d,]+\)$/,
    )
  })
})
