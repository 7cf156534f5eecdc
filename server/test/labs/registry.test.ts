import { capabilitiesFor } from '@expresslane/shared/features/settings'
import { lab } from '@expresslane/shared/labs/lab'
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
})

describe.each(labs.filter(({ id }) => id.startsWith('big-tcp-')).map((one) => [one.id, one] as const))(
  '%s, a classic walk',
  (_id, one) => {
    it('measures before and after switching', () => {
      const kinds = one.steps.map(({ action }) => (action?.kind === 'measure' ? action.arm : action?.kind))
      expect(kinds.indexOf('off')).toBeLessThan(kinds.indexOf('switch'))
      expect(kinds.indexOf('switch')).toBeLessThan(kinds.indexOf('on'))
    })

    it('expects no fixed size anywhere in its checks', () => {
      expect(JSON.stringify(one.steps.map((step) => step.action))).not.toContain('196608')
    })
  },
)

describe('the labs that measure by an experiment', () => {
  const plans = labs.flatMap(({ id, steps }) =>
    steps.flatMap(({ action }) =>
      action?.kind === 'experiment' && action.plan !== null ? [[id, action] as const] : [],
    ),
  )

  it.each(plans)('%s begins with an arm without BIG TCP, which all others are compared with', (_id, { plan }) => {
    expect(plan?.arms[0]).toMatchObject({ settings: { 'big-tcp-ipv4': false } })
    expect(plan?.arms.slice(1).some(({ settings }) => settings['big-tcp-ipv4'] === true)).toBe(true)
  })

  it.each(plans)('%s offers its own design within its own bounds', (_id, { plan, repeats, seconds }) => {
    expect(plan?.design.repeats).toBe(repeats.default)
    expect(plan?.design.seconds).toBe(seconds.default)
    expect(repeats.default).toBeGreaterThanOrEqual(4)
  })

  it('needs of its testbed what its arms set', () => {
    for (const { needs, steps } of labs.filter(({ listed }) => listed)) {
      for (const { action } of steps) {
        const arms = action?.kind === 'experiment' ? (action.plan?.arms ?? []) : []
        for (const { settings } of arms) expect(needs).toEqual(expect.arrayContaining(capabilitiesFor(settings)))
      }
    }
  })
})
