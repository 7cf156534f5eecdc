import type { RunEvent } from '../../src/run/events.ts'
import { experimentPlan } from '../../src/measure/experiment.ts'
import { runState } from '../../src/run/run-state.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { choicesOf, formatSideName, parseSideName, sideOf } from '../../src/run/sides.ts'
import { ended, logged, measured, repeatStarted, runOf, started } from '../builders.ts'

const id = 'r_00000001'

function taking(
  repeat: number,
  over: { arm: string; caseId?: string; warmup?: boolean; seconds?: number },
): RunEvent[] {
  const { seconds = 2, ...rest } = over
  return [
    repeatStarted(repeat, { ...rest, seconds }),
    { type: 'measurement.taken', measurement: measured({ ...rest, repeat }) },
  ]
}

const plan = experimentPlan.parse({
  arms: [
    { id: '64k', label: '64K', settings: { 'big-tcp-ipv4': false } },
    { id: '128k', label: '128K', settings: { 'big-tcp-ipv4': true, 'size-limit': 131_072 } },
  ],
  cases: ['small', 'large'].map((name) => ({
    id: name,
    label: `${name} requests`,
    family: 'ipv4',
    benchmark: { tool: 'tcp-rr', requestBytes: 1, responseBytes: 1 },
  })),
  design: { order: 'interleaved', repeats: 1, seconds: 2, warmups: 1, budget: null },
})

const classic = runOf(logged([started(), ...taking(1, { arm: 'off' }), ...taking(2, { arm: 'off' }), ended]))
const sweep = runOf(
  logged([
    started(),
    { type: 'experiment.planned', plan },
    ...taking(1, { arm: '64k', caseId: 'small', warmup: true }),
    ...taking(2, { arm: '64k', caseId: 'small' }),
    ...taking(3, { arm: '64k', caseId: 'large' }),
    ...taking(4, { arm: '128k', caseId: 'small' }),
    ended,
  ]),
)

describe('a side by its name in a link', () => {
  const part = fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,30}$/)
  const name = fc.oneof(
    fc.constant({ arm: null, caseId: null }),
    fc.record({ arm: part, caseId: fc.constant(null) }),
    fc.record({ arm: part, caseId: part }),
  )

  it('is the same one when it is read again', () => {
    fc.assert(
      fc.property(name, (of) => {
        const side = { run: runState.shape.id.parse(id), ...of }
        expect(parseSideName(formatSideName(side))).toEqual(side)
      }),
    )
  })

  it.each([null, '', 'run', `${id}.`, `${id}.a.b.c`, `${id}.A`, `${id}./x`])('is none: %s', (text) => {
    expect(parseSideName(text)).toBeNull()
  })
})

describe('sideOf', () => {
  const unnamed = { arm: null, caseId: null }

  it('needs no name where a run measured one thing', () => {
    const side = sideOf(classic, unnamed)
    expect(side).toMatchObject({ arm: { id: 'off', label: 'Without BIG TCP' }, measuredCase: null, seconds: 2 })
    expect(side?.taken).toHaveLength(2)
  })

  it('leaves the choice open where a run has several, and offers them as the plan calls them', () => {
    expect(sideOf(sweep, unnamed)).toBeNull()
    expect(sideOf(sweep, { arm: '64k', caseId: null })).toBeNull()
    expect(sideOf(sweep, { arm: '512k', caseId: 'small' })).toBeNull()
    expect(choicesOf(sweep)).toEqual({
      arms: [
        { id: '64k', label: '64K' },
        { id: '128k', label: '128K' },
      ],
      cases: [
        { id: 'small', label: 'small requests' },
        { id: 'large', label: 'large requests' },
      ],
    })
  })

  it('takes one arm and one case, with warm-up runs', () => {
    const side = sideOf(sweep, { arm: '64k', caseId: 'small' })
    expect(side?.taken.map(({ repeat, warmup }) => [repeat, warmup])).toEqual([
      [1, true],
      [2, false],
    ])
    expect(side).toMatchObject({ arm: { label: '64K' }, measuredCase: { label: 'small requests' } })
  })
})
