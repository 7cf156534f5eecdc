// @vitest-environment happy-dom
import { compareCases } from '@expresslane/shared/compare/cases'
import { experimentPlan, type ExperimentPlan } from '@expresslane/shared/measure/experiment'
import { measured } from '@expresslane/shared/test/builders'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { ComparisonList } from '../../src/experiment/comparison-list.tsx'

afterEach(cleanup)

function planOf(sizes: readonly number[]): ExperimentPlan {
  return experimentPlan.parse({
    arms: ['off', 'on'].map((id) => ({ id, label: `arm ${id}`, settings: { 'big-tcp-ipv4': id === 'on' } })),
    cases: sizes.map((size) => ({
      id: `rr-${size}`,
      label: `${size} B`,
      family: 'ipv4',
      benchmark: { tool: 'tcp-rr', requestBytes: size, responseBytes: size },
    })),
    design: { order: 'interleaved', repeats: 1, seconds: 1, warmups: 0, budget: null },
  })
}

function headOf(plan: ExperimentPlan): string[] {
  const taken = plan.cases.flatMap(({ id: caseId }) =>
    plan.arms.map(({ id: arm }, index) => measured({ arm, caseId, repeat: index + 1 })),
  )
  const comparisons = compareCases(plan, 'interleaved', taken, 'all')
  render(
    <ComparisonList plan={plan} comparisons={comparisons} chosen={null} onChoose={() => {}} running={false} note />,
  )
  expect(screen.getAllByRole('row')).toHaveLength(plan.cases.length + 1)
  expect(screen.getAllByRole('rowheader').map(({ textContent }) => textContent)).toEqual(
    plan.cases.length === 1 ? ['arm on'] : plan.cases.map(({ label }) => label),
  )
  return screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
}

describe('the list of comparisons', () => {
  it('names the benchmark of each line only if there are several', () => {
    expect(headOf(planOf([1, 80]))).toContain('Benchmark')
    cleanup()
    expect(headOf(planOf([80]))).not.toContain('Benchmark')
  })

  it('has a button with a whole name in each line', () => {
    headOf(planOf([1, 80]))
    expect(screen.getByRole('button', { name: /^Open: 80 B, arm on, / })).toBeTruthy()
  })
})
