import { allBenchmarks } from '@expresslane/shared/features/metrics'
import { expect, it } from 'vitest'
import { benchmarkRunners } from '../../src/features/runners.ts'

it('has a runner for each tool, and a tool for each runner', () => {
  expect([...benchmarkRunners().keys()].toSorted()).toEqual(
    allBenchmarks()
      .map(({ tool }) => tool)
      .toSorted(),
  )
})
