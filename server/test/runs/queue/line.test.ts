/** The next run, as a pure function of the runs that are not over. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aheadOf, lineOf, mayStart, placeAfter, type OpenRun, type QueueRules } from '../../../src/runs/queue/line.ts'
import { all } from '../../../src/runs/queue/resources.ts'
import type { Resource } from '../../../src/testbeds/resources.ts'

function run(
  id: string,
  person: string,
  queuedAt: number | null,
  testbed = id,
  shared: Resource[] = ['host'],
): OpenRun {
  return { id, person, queuedAt, jumpedAt: null, needs: { own: `testbed:${testbed}`, shared } }
}

/** Nobody used anything, and each run plans a second. */
const even: QueueRules<OpenRun> = {
  isHeld: () => false,
  goesFirst: () => false,
  usedBy: () => 0,
  plannedBy: () => 1,
}

const idsOf = (runs: readonly OpenRun[]): string[] => runs.map(({ id }) => id)

describe('the line', () => {
  it('is first come, first served; ids order runs of the same millisecond', () => {
    expect(
      idsOf(lineOf([run('c', 'cara', 2), run('a', 'adam', 1), run('b', 'bea', 1), run('r', 'rob', null)], even)),
    ).toEqual(['a', 'b', 'c'])
  })

  it('puts a person’s second run behind everyone’s first, and the third behind everyone’s second', () => {
    const open = [
      run('a1', 'adam', 1),
      run('a2', 'adam', 2),
      run('a3', 'adam', 3),
      run('b1', 'bea', 4),
      run('b2', 'bea', 5),
    ]
    expect(idsOf(lineOf(open, even))).toEqual(['a1', 'b1', 'a2', 'b2', 'a3'])
  })

  it('counts a running run as the person’s first', () => {
    expect(idsOf(lineOf([run('a1', 'adam', null), run('a2', 'adam', 1), run('b1', 'bea', 2)], even))).toEqual([
      'b1',
      'a2',
    ])
  })

  it('does not count a person’s runs for other resources', () => {
    const elsewhere = run('a1', 'adam', null, 'far', ['cluster:one'])
    expect(idsOf(lineOf([elsewhere, run('a2', 'adam', 1), run('b1', 'bea', 2)], even))).toEqual(['a2', 'b1'])
  })

  it('counts places among the runs that wait for the same resources', () => {
    const open = [
      run('r', 'rob', null),
      run('a', 'adam', 1),
      run('far', 'fay', 2, 'far', ['cluster:one']),
      run('b', 'bea', 3),
    ]
    const ahead = [...aheadOf(open, even)]
    expect(ahead.map(([one, before]) => [one.id, idsOf(before), placeAfter(before)])).toEqual([
      ['a', ['r'], 1],
      ['far', [], 1],
      ['b', ['r', 'a'], 2],
    ])
  })
})

describe('the seconds that people used', () => {
  const used = (seconds: Readonly<Record<string, number>>): QueueRules<OpenRun> => ({
    ...even,
    usedBy: (person) => seconds[person] ?? 0,
  })

  it('decide, not the number of their runs', () => {
    const open = [run('a', 'adam', 1), run('b', 'bea', 2), run('c', 'cara', 3)]
    expect(idsOf(lineOf(open, used({ adam: 400, bea: 60 })))).toEqual(['c', 'b', 'a'])
    // Adam's long run waits behind five short ones of Bea.
    const long = { ...run('a', 'adam', 1), id: 'a2' }
    const short = [2, 3, 4, 5, 6].map((at) => run(`b${at}`, 'bea', at))
    const plannedBy = ({ person }: OpenRun): number => (person === 'adam' ? 120 : 10)
    const running = run('a1', 'adam', null)
    expect(idsOf(lineOf([running, long, ...short], { ...even, plannedBy }))).toEqual([
      'b2',
      'b3',
      'b4',
      'b5',
      'b6',
      'a2',
    ])
  })

  it('do not decide while they differ by a few', () => {
    const open = [run('a', 'adam', 1), run('b', 'bea', 2), run('c', 'cara', 3)]
    expect(idsOf(lineOf(open, used({ adam: 35.2, bea: 34.8, cara: 36 })))).toEqual(['a', 'b', 'c'])
  })

  it('are those that a person’s earlier runs will use, too', () => {
    const plannedBy = ({ id }: OpenRun): number => (id === 'a1' ? 90 : 1)
    const open = [run('a1', 'adam', 1), run('a2', 'adam', 2), run('b', 'bea', 3)]
    expect(idsOf(lineOf(open, { ...used({ bea: 60 }), plannedBy }))).toEqual(['a1', 'b', 'a2'])
    expect(idsOf(lineOf(open, { ...used({ bea: 120 }), plannedBy }))).toEqual(['a1', 'a2', 'b'])
  })
})

describe('an instructor’s run', () => {
  it('is next, before those that were moved to the front, and the earlier one first', () => {
    const rules = { ...even, goesFirst: ({ person }: OpenRun) => person === 'ina', usedBy: () => 900 }
    const open = [run('a', 'adam', 1), { ...run('b', 'bea', 2), jumpedAt: 9 }, run('i', 'ina', 3), run('j', 'ina', 4)]
    expect(idsOf(lineOf(open, rules))).toEqual(['i', 'j', 'b', 'a'])
  })
})

describe('a run that was moved to the front', () => {
  it('goes before all others, and behind one that was moved later', () => {
    const [a, b, c] = [run('a', 'adam', 1), run('b', 'bea', 2), run('c', 'cara', 3)]
    expect(idsOf(lineOf([a, b, { ...c, jumpedAt: 9 }], even))).toEqual(['c', 'a', 'b'])
    expect(idsOf(lineOf([a, { ...b, jumpedAt: 10 }, { ...c, jumpedAt: 9 }], even))).toEqual(['b', 'c', 'a'])
    const second = { ...run('a2', 'adam', 4), jumpedAt: 9 }
    expect(idsOf(lineOf([a, b, second], even))).toEqual(['a2', 'a', 'b'])
  })
})

describe('runs that are held', () => {
  const open = [run('a', 'adam', 1), run('b', 'bea', 2), run('i', 'ina', 3), run('j', 'ina', 4, 'i')]
  const holding = { ...even, isHeld: ({ person }: OpenRun) => person !== 'ina' }

  it('do not start, and come after the others', () => {
    expect(idsOf(mayStart(open, new Map(), holding))).toEqual(['i'])
    expect(idsOf(lineOf(open, holding))).toEqual(['i', 'j', 'a', 'b'])
    expect(mayStart(open.slice(0, 2), new Map(), holding)).toEqual([])
  })
})

describe('the runs that can start', () => {
  it('include the first one, once everything that it needs is free', () => {
    const open = [run('r', 'rob', null), run('a', 'adam', 1), run('b', 'bea', 2)]
    const holds = new Map<Resource, string>([
      ['testbed:r', 'r'],
      ['host', 'r'],
    ])
    expect(mayStart(open, holds, even)).toEqual([])
    expect(idsOf(mayStart(open.slice(1), new Map(), even))).toEqual(['a'])
  })

  it('include runs that need nothing that others wait for', () => {
    const open = [run('r', 'rob', null), run('a', 'adam', 1), run('reads', 'rea', 2, 'mine', [])]
    const holds = new Map<Resource, string>([['host', 'r']])
    expect(idsOf(mayStart(open, holds, even))).toEqual(['reads'])
  })

  it('do not include runs that would overtake', () => {
    // Adam waits for the cluster, and for this machine, which is free.
    const open = [run('a', 'adam', 1, 'a', ['cluster:one', 'host']), run('b', 'bea', 2)]
    expect(mayStart(open, new Map([['cluster:one', 'r']]), even)).toEqual([])
  })

  it('include the run on a testbed that another queued run waits for', () => {
    // In the middle of a solve: the run has its testbed and needs this machine, too.
    const open = [run('other', 'oda', 1, 'shared'), run('solving', 'sol', 2, 'shared')]
    expect(idsOf(mayStart(open, new Map([['testbed:shared', 'solving']]), even))).toEqual(['solving'])
  })
})

/** An arbitrary event: a run arrives, or a running run ends. */
const happening = fc.oneof(
  fc.record({
    person: fc.constantFrom('adam', 'bea', 'cara'),
    testbed: fc.constantFrom('one', 'two', 'three'),
    shared: fc.subarray<Resource>(['host', 'cluster:one']),
  }),
  fc.record({ ends: fc.nat(9) }),
)

describe('over any arrivals', () => {
  it('a resource never has two runs, the queue never stalls, and every waiting run is served', () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 60 }), (happenings) => {
        const holds = new Map<Resource, string>()
        let open: OpenRun[] = []
        const arrived: OpenRun[] = []
        const started: string[] = []
        const leave = (one: OpenRun | undefined, at: number): void => {
          if (one === undefined) return
          for (const [resource, holder] of holds) if (holder === one.id) holds.delete(resource)
          // As queue.ts has it: the person's others go to the end of the line as it is now.
          open = open
            .filter(({ id }) => id !== one.id)
            .map((each) => {
              const waits = each.queuedAt !== null && each.person === one.person
              return waits && all(each.needs).some((need) => all(one.needs).includes(need))
                ? { ...each, queuedAt: at }
                : each
            })
        }
        const begin = (): void => {
          for (const { id, needs } of mayStart(open, holds, even)) {
            for (const resource of all(needs)) {
              expect(holds.get(resource) ?? id).toBe(id)
              holds.set(resource, id)
            }
            started.push(id)
            open = open.map((one) => (one.id === id ? { ...one, queuedAt: null } : one))
          }
          // No run waits while everything is free.
          if (open.length > 0) expect(open.some(({ queuedAt }) => queuedAt === null)).toBe(true)
        }
        for (const [at, what] of happenings.entries()) {
          const running = open.filter(({ queuedAt }) => queuedAt === null)
          if ('ends' in what) leave(running[what.ends % Math.max(1, running.length)], at)
          else {
            const one = run(`r${String(at).padStart(3, '0')}`, what.person, at, what.testbed, what.shared)
            arrived.push(one)
            open.push(one)
          }
          begin()
        }
        for (let at = happenings.length; open.length > 0; at += 1) {
          leave(
            open.find(({ queuedAt }) => queuedAt === null),
            at,
          )
          begin()
        }
        expect(started.toSorted()).toEqual(idsOf(arrived))
        // A person's earlier run goes before their later run that needs the same resources.
        for (const [index, one] of arrived.entries()) {
          const later = arrived.slice(index + 1).filter((two) => two.person === one.person)
          const same = later.filter((two) => JSON.stringify(two.needs) === JSON.stringify(one.needs))
          for (const two of same) expect(started.indexOf(one.id)).toBeLessThan(started.indexOf(two.id))
        }
      }),
      { numRuns: 300 },
    )
  })

  it('no run waits forever, however many others arrive', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('adam', 'bea', 'cara'), { minLength: 30, maxLength: 60 }), (persons) => {
        // Another run arrives with each turn; Dora's only run came third.
        const arrivals = [...persons.slice(0, 2), 'dora', ...persons.slice(2)].map((person, at) =>
          run(`r${String(at).padStart(3, '0')}`, person, at, `t${at}`),
        )
        let open: OpenRun[] = arrivals.slice(0, 3)
        const order: OpenRun[] = []
        for (const next of arrivals.slice(3)) {
          const [first] = mayStart(open, new Map(), even)
          if (first === undefined) throw new Error('nobody is next')
          order.push(first)
          open = [...open.filter(({ id }) => id !== first.id), next]
        }
        const turn = order.findIndex(({ person }) => person === 'dora')
        // At most the two before her, and nobody who came later.
        expect(turn).toBeGreaterThanOrEqual(0)
        expect(turn).toBeLessThanOrEqual(2)
      }),
      { numRuns: 50 },
    )
  })
})
