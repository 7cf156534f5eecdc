/** Profiles as events have them. */
import { describe, expect, it } from 'vitest'
import { contextsOf, madeProfile, profileMade } from '../../src/profile/made.ts'
import { perTransaction, pruned, REST, ROOT, TASK, type Context, type Side } from '../../src/profile/profile.ts'

/** 100 transactions with a large context, and with thousands of small contexts below it. */
function treeOf(small: number): Context<Side> {
  const names = Array.from({ length: small }, (_, index) => `small_${index}`)
  const functions = [ROOT, TASK, 'tcp_sendmsg', 'rep_movs_alternative', ...names]
  const parents = [0, 0, 1, 2, ...names.map(() => 2)]
  const instructions = [0, 100, 5_000_000, 4_000_000, ...names.map(() => 100)]
  const calls = functions.map(() => 100)
  const empty = { functions: [ROOT], parents: [0], instructions: [0], calls: [0] }
  return perTransaction(empty, { functions, parents, instructions, calls }, 100)
}

const about = { unit: 'transaction', amount: 100, samples: null, lost: 0, unmatched: 3, kernel: '6.12.117' } as const

describe('the profile of an arm', () => {
  it('keeps every instruction: small contexts are summed up below their caller', () => {
    const root = treeOf(3_000)
    const small = pruned(root)
    expect(small.whole).toEqual(root.whole)
    const [task] = small.children
    const [send] = task?.children ?? []
    expect(send?.children.map(({ function: name, whole }) => [name, whole.instructions])).toEqual([
      ['rep_movs_alternative', 40_000],
      [REST, 3_000],
    ])
  })

  it('is the same tree after its way through an event', () => {
    const made = madeProfile.parse(JSON.parse(JSON.stringify(profileMade(treeOf(3_000), about))))
    expect(made.contexts).toHaveLength(5)
    const tree = contextsOf(made)
    expect(tree.whole.instructions).toBeCloseTo(93_001, 6)
    expect(tree.children[0]?.children[0]).toMatchObject({
      function: 'tcp_sendmsg',
      own: { instructions: 50_000, calls: 1 },
    })
    const sum = Object.values(made.groups).reduce((all, one) => all + one, 0)
    expect(sum).toBeCloseTo(tree.whole.instructions, 6)
  })

  it('of a hostile file is a tree, too', () => {
    const made = profileMade(treeOf(0), about)
    const loops: typeof made.contexts = [
      [0, 0, 1, 1],
      [1, 2, 5, 1],
      [2, 1, 7, 1],
      [9, 0, 3, 1],
    ]
    expect(contextsOf({ ...made, contexts: loops }).whole.instructions).toBe(4)
    expect(madeProfile.safeParse({ ...made, contexts: [] }).success).toBe(false)
    expect(madeProfile.safeParse({ ...made, contexts: made.contexts.map((row) => row.slice(1)) }).success).toBe(false)
  })
})
