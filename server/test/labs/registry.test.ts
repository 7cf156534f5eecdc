import { lab } from '@expresslane/shared/lab'
import { describe, expect, it } from 'vitest'
import { findLab, labs } from '../../src/labs/registry.ts'

describe.each(labs.map((one) => [one.id, one] as const))('%s', (id, one) => {
  it('is valid data', () => {
    expect(lab.parse(one)).toEqual(one)
    expect(findLab(id)).toBe(one)
  })

  it('has steps of different names, each with prose, and a label and a hint for each action', () => {
    expect(new Set(one.steps.map((step) => step.id)).size).toBe(one.steps.length)
    for (const step of one.steps) {
      expect(step.prose.length).toBeGreaterThan(40)
      expect(step.actionLabel === null).toBe(step.action === null)
      expect(step.hint === null).toBe(step.action === null)
    }
  })

  it('keeps to its families throughout, and ends with putting back what was there', () => {
    for (const { action } of one.steps) {
      if (action !== null && 'family' in action) expect(one.families).toContain(action.family)
    }
    expect(one.steps.at(-1)?.action?.kind).toBe('restore')
  })

  it.runIf(id.startsWith('big-tcp-'))('measures before and after switching', () => {
    const kinds = one.steps.map(({ action }) => (action?.kind === 'measure' ? action.arm : action?.kind))
    expect(kinds.indexOf('off')).toBeLessThan(kinds.indexOf('enable'))
    expect(kinds.indexOf('enable')).toBeLessThan(kinds.indexOf('on'))
  })

  it('expects no fixed size anywhere in its checks', () => {
    expect(JSON.stringify(one.steps.map((step) => step.action))).not.toContain('196608')
  })
})
