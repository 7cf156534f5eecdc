import { describe, expect, it } from 'vitest'
import { judge, judgeProof } from '../../../src/runs/perform/step-context.ts'

const ok = { label: 'node1 eth0', expected: '1', seen: '1', ok: true }
const other = { label: 'node2 eth0', expected: '1', seen: '2', ok: false }
const bad = (wrong: number): string => `${wrong} wrong.`

describe.each([
  ['judge', judge],
  ['judgeProof', judgeProof],
])('%s', (_, judged) => {
  it('passes when every observation does', () => {
    expect(judged([ok, ok], 'Good.', bad)).toMatchObject({ passed: true, sentence: 'Good.' })
    expect(judged([ok, other], 'Good.', bad)).toMatchObject({ passed: false, sentence: '1 wrong.' })
  })
})

it('a check that saw nothing does not pass', () => {
  expect(judge([], 'Good.', bad)).toEqual({
    passed: false,
    sentence: 'No value was checked, so it is unknown whether this step worked.',
    observations: [],
  })
})

it('a feature that has nothing to prove passes, and the sentence says so', () => {
  expect(judgeProof([], 'Measured.', bad)).toEqual({
    passed: true,
    sentence: 'Measured. Its values do not show whether the settings had an effect.',
    observations: [],
  })
})
