/** Profiles as trees for each transaction, and their groups. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { byGroup, groupOf } from '../../src/profile/groups.ts'
import {
  collapsedStacks,
  perTransaction,
  PROGRAM,
  ROOT,
  TASK,
  type Context,
  type Profile,
  type Side,
} from '../../src/profile/profile.ts'

type Row = readonly [name: string, parent: number, instructions: number, calls: number]

function profileOf(...rows: readonly Row[]): Profile {
  const all: readonly Row[] = [[ROOT, 0, 0, 0], ...rows]
  return {
    functions: all.map(([name]) => name),
    parents: all.map(([, parent]) => parent),
    instructions: all.map(([, , instructions]) => instructions),
    calls: all.map(([, , , calls]) => calls),
  }
}

const shorter = profileOf([TASK, 0, 10, 0], ['tcp_sendmsg', 1, 3_000, 100], ['rep_movs_alternative', 2, 50_000, 100])
const longer = profileOf(
  [TASK, 0, 10, 0],
  ['tcp_sendmsg', 1, 4_000, 150],
  ['rep_movs_alternative', 2, 60_000, 150],
  ['ip_forward', 2, 500, 50],
  // A second context of the same path, as another task has it.
  [TASK, 0, 0, 0],
  ['tcp_sendmsg', 5, 1_000, 50],
)

function ownSum({ own, children }: Context<Side>): number {
  return children.reduce((sum, child) => sum + ownSum(child), own.instructions)
}

describe('a profile for each transaction', () => {
  const root = perTransaction(shorter, longer, 100)
  const [task] = root.children

  it('leaves out the start and the end of the programs', () => {
    expect(task).toMatchObject({ function: TASK, own: { instructions: 0, calls: 0 } })
  })

  it('adds up contexts of one path', () => {
    expect(task?.children.map(({ function: name, own, whole }) => [name, own, whole.instructions])).toEqual([
      ['tcp_sendmsg', { instructions: 20, calls: 1 }, 125],
    ])
  })

  it('is written as collapsed stacks, without what rounds to nothing', () => {
    expect([...collapsedStacks(root)]).toEqual([
      '[task];tcp_sendmsg 20',
      '[task];tcp_sendmsg;rep_movs_alternative 100',
      '[task];tcp_sendmsg;ip_forward 5',
    ])
  })

  it('sums up to the difference of both profiles, whatever their trees are', () => {
    const rows = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'tcp_ack'), fc.nat(), fc.nat(1_000_000), fc.nat(1_000)), {
      maxLength: 40,
    })
    const profiles = rows.map((all) =>
      profileOf(...all.map(([name, parent, ...rest], index): Row => [name, parent % (index + 1), ...rest])),
    )
    const sum = ({ instructions }: Profile): number => instructions.reduce((all, one) => all + one, 0)
    fc.assert(
      fc.property(profiles, profiles, (one, other) => {
        const made = perTransaction(one, other, 10)
        expect(made.whole.instructions).toBeCloseTo((sum(other) - sum(one)) / 10)
        expect(ownSum(made)).toBeCloseTo(made.whole.instructions)
        const groups = [...byGroup(made).values()].reduce((all, part) => all + part, 0)
        expect(groups).toBeCloseTo(made.whole.instructions)
      }),
    )
  })
})

describe('groups', () => {
  it('count a function without a pattern to its caller', () => {
    const inside = profileOf([TASK, 0, 0, 0], ['tcp_ack', 1, 100, 1], ['no_pattern_fits', 2, 50, 1], [PROGRAM, 1, 7, 1])
    expect([...byGroup(perTransaction(profileOf(), inside, 1))].filter(([, sum]) => sum > 0)).toEqual([
      ['TCP', 150],
      ['programs', 7],
    ])
  })

  it.each([
    ['rep_movs_alternative', 'copying to and from programs'],
    ['__tcp_transmit_skb', 'TCP'],
    ['ip_forward', 'IP, routing and neighbours'],
    ['br_handle_frame', 'virtual devices and bridge'],
    ['veth_xmit', 'virtual devices and bridge'],
    ['process_backlog', 'soft interrupts and backlog'],
    ['__schedule', 'scheduler'],
    ['aes_gcm_enc_256_avx10', 'encryption'],
    ['nft_do_chain', 'netfilter'],
    ['bpf_prog_7a1b_forward', 'BPF'],
    ['skb_segment', 'joining and cutting packets (GRO, GSO)'],
  ])('have %s in “%s”', (name, group) => {
    expect(groupOf(name)).toBe(group)
  })
})
