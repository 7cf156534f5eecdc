/** Plans of the Bench page. */
import type { ExperimentPlan } from '@expresslane/shared/measure/experiment'

interface Shape {
  readonly arms: number
  readonly cases: number
  readonly repeats: number
  readonly warmups: number
  /** Of each repeat. */
  readonly seconds: number
}

/** The most of each that a plan can have. */
export const HUGE: Shape = { arms: 8, cases: 16, repeats: 50, warmups: 5, seconds: 120 }
export const LEAST: Shape = { arms: 1, cases: 1, repeats: 1, warmups: 0, seconds: 1 }
export function planOf({ arms, cases, repeats, warmups, seconds }: Shape): ExperimentPlan {
  return {
    arms: Array.from({ length: arms }, (_, index) => ({
      id: `a${index}`,
      label: `Arm ${index}`,
      settings: { 'big-tcp-ipv4': index % 2 === 1 },
    })),
    cases: Array.from({ length: cases }, (_, index) => ({
      id: `c${index}`,
      label: `Case ${index}`,
      family: 'ipv4',
      benchmark: { tool: 'tcp-rr', requestBytes: 1000 * (index + 1), responseBytes: 1000 },
    })),
    design: { order: 'sequential', repeats, warmups, seconds, budget: null },
  }
}
