import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { experimentPlan, runsOf, visitsOf, type ExperimentPlan, type Order } from '../../src/measure/experiment.ts'

function planOf(arms: number, warmups = 0, repeats = 4): ExperimentPlan {
  return experimentPlan.parse({
    arms: Array.from({ length: arms }, (_, index) => ({
      id: String.fromCodePoint(97 + index),
      label: `arm ${index}`,
      settings: { 'big-tcp-ipv4': index > 0 },
    })),
    cases: [
      {
        id: 'one',
        label: 'one',
        family: 'ipv4',
        benchmark: { tool: 'tcp-rr', requestBytes: 1, responseBytes: 1 },
      },
    ],
    design: { order: 'auto', repeats, seconds: 1, warmups, budget: null },
  })
}

/** The arms of an order as text, a letter a round: a capital letter for a warm-up. */
function rounds(plan: ExperimentPlan, order: Order, repeats: number, from = 0): string {
  return visitsOf(plan, order, repeats, from)
    .map(({ arm, warmups, rounds: measured }) => arm.id.toUpperCase().repeat(warmups) + arm.id.repeat(measured))
    .join(' ')
}

const orders = fc.constantFrom<Order>('sequential', 'interleaved')
const small = fc.integer({ min: 1, max: 8 })

describe('visitsOf', () => {
  it('visits two arms in ABBA blocks, without a switch between blocks', () => {
    expect(rounds(planOf(2), 'interleaved', 4)).toBe('a bb aa bb a')
  })

  it('visits more arms forwards and backwards', () => {
    expect(rounds(planOf(3), 'interleaved', 2)).toBe('a b cc b a')
  })

  it('warms an arm up only at its first visit', () => {
    expect(rounds(planOf(2, 2), 'interleaved', 3)).toBe('AAa BBbb aa b')
    expect(rounds(planOf(2, 1), 'sequential', 3)).toBe('Aaaa Bbbb')
  })

  it('continues where an earlier schedule ended', () => {
    const plan = planOf(2, 1)
    expect(rounds(plan, 'interleaved', 4, 2)).toBe('a bb a')
  })

  it('measures every arm the requested number of times in any order, with as few switches as possible', () => {
    fc.assert(
      fc.property(orders, small, small, fc.integer({ min: 0, max: 3 }), (order, arms, repeats, warmups) => {
        const plan = planOf(arms, warmups, repeats)
        const visits = visitsOf(plan, order, repeats)
        for (const arm of plan.arms) {
          const own = visits.filter((one) => one.arm === arm)
          expect(own.reduce((sum, one) => sum + one.rounds, 0)).toBe(repeats)
          expect(own.map((one) => one.warmups)).toEqual(own.map((_, index) => (index === 0 ? warmups : 0)))
        }
        expect(visits.every((one, index) => one.arm !== visits[index - 1]?.arm)).toBe(true)
        expect(visits.reduce((sum, one) => sum + one.warmups + one.rounds, 0) * plan.cases.length).toBe(runsOf(plan))
      }),
    )
  })

  it('spreads a linear drift equally over all arms, in whole blocks', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 8 }), fc.integer({ min: 1, max: 6 }), (arms, blocks) => {
        const order = rounds(planOf(arms), 'interleaved', 2 * blocks).replaceAll(' ', '')
        const placesOf = (id: string): number =>
          order.split('').reduce((sum, one, place) => (one === id ? sum + place : sum), 0)
        expect(new Set(order.split('').map(placesOf)).size).toBe(1)
      }),
    )
  })

  it('is the same at once and block by block', () => {
    fc.assert(
      fc.property(small, small, (arms, blocks) => {
        const plan = planOf(arms)
        const apart = Array.from({ length: blocks }, (_, block) =>
          rounds(plan, 'interleaved', 2 * block + 2, 2 * block),
        )
        const whole = rounds(plan, 'interleaved', 2 * blocks)
        expect(apart.join('').replaceAll(' ', '')).toBe(whole.replaceAll(' ', ''))
      }),
    )
  })
})
