import { describe, expect, it } from 'vitest'
import { groupChecks } from '../../src/components/checks/check-groups.ts'
import { check } from '@expresslane/shared/test/builders'

const passed = (count: number) => Array.from({ length: count }, (_, at) => check('passed', { id: `passed-${at}` }))
const ids = (checks: readonly { id: string }[]): string[] => checks.map(({ id }) => id)

describe('groupChecks', () => {
  it('puts what failed first, then warnings, each in its order', () => {
    const checks = [
      check('warning', { id: 'helm' }),
      ...passed(1),
      check('failed', { id: 'kernel' }),
      check('failed', { id: 'routing' }),
    ]
    const groups = groupChecks(checks)
    expect(ids(groups.wanting)).toEqual(['kernel', 'routing', 'helm'])
    expect(ids(groups.passed)).toEqual(['passed-0'])
  })

  it('folds the passed ones where they would bury the others, and not before', () => {
    expect(groupChecks(passed(12)).folded).toBe(false)
    expect(groupChecks(passed(13)).folded).toBe(true)
    expect(groupChecks([check('failed'), ...passed(3)]).folded).toBe(false)
  })
})
