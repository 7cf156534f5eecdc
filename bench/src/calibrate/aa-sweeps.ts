/** Sweeps whose arms do not differ, saved to check that few of them make any claim: one JSON line each. Pure. */
import { z } from 'zod'
import { compareCases } from '@expresslane/shared/compare/cases'
import type { CaseComparison } from '@expresslane/shared/compare/comparison'
import { experimentPlan } from '@expresslane/shared/measure/experiment'
import { measurement, valueOf, type Measurement } from '@expresslane/shared/measure/measurement'
import { aaHeader, type AaHeader } from './aa-series.ts'
import type { Repeated } from './collect.ts'

/** arm, case, TPS; the runs in the order taken. */
const sweepRun = z.tuple([z.string(), z.string(), z.number().positive()])
const sweepLine = z.strictObject({ at: z.number().int(), runs: z.array(sweepRun).min(2) })
type SweepLine = z.infer<typeof sweepLine>

function lineOf(at: number, taken: readonly Measurement[]): SweepLine {
  return sweepLine.parse({ at, runs: taken.map((one) => [one.arm, one.caseId, valueOf(one, 'tps')]) })
}

const sizes = { 'rr-1': 1, 'rr-80000': 80_000, 'rr-500000': 500_000 }

/** A short sweep: three arms that are all off, three sizes, six comparisons. */
export const sweeps: Repeated = {
  plan: experimentPlan.parse({
    arms: ['a', 'b', 'c'].map((id) => ({ id, label: `off (${id})`, settings: { 'big-tcp-ipv4': false } })),
    cases: Object.entries(sizes).map(([id, bytes]) => ({
      id,
      label: `${bytes} bytes`,
      family: 'ipv4',
      benchmark: { tool: 'tcp-rr', requestBytes: bytes, responseBytes: bytes },
    })),
    design: { order: 'interleaved', repeats: 4, seconds: 1, warmups: 0, budget: null },
  }),
  quietMs: 36_000,
  lineOf,
}

function compareLine({ plan }: AaHeader, { at, runs }: SweepLine): CaseComparison[] {
  const taken = runs.flatMap(([arm, caseId, tps], index) => {
    const of = plan.cases.find(({ id }) => id === caseId)
    if (of === undefined) throw new Error(`the plan has no case ${caseId}`)
    const { family, benchmark } = of
    const run = { arm, caseId, family, benchmark, repeat: index + 1, startedAt: at, elapsedSeconds: 1, values: { tps } }
    return measurement.parse(run)
  })
  return compareCases(plan, 'interleaved', taken, 'main')
}

/** @throws ZodError or SyntaxError for an invalid line; a half-written last line is left out @returns each sweep's comparisons */
export function compareAaSweeps(text: string): CaseComparison[][] {
  const [first = '', ...rest] = text.split('\n').slice(0, -1)
  const header = aaHeader.parse(JSON.parse(first))
  return rest.map((line) => compareLine(header, sweepLine.parse(JSON.parse(line))))
}

interface AaSweepsJudged {
  readonly sweeps: number
  /** Sweeps with at least one claim, judged together as the app does. */
  readonly withClaims: number
  /** Sweeps that would have one if each comparison were judged by itself, by the rank test at 5 %. */
  readonly byThemselves: number
  /** Sweeps in which all simultaneous intervals contain the true ratio 1. */
  readonly covered: number
}

/** Every claim is wrong here. */
export function judgeAaSweeps(all: readonly CaseComparison[][]): AaSweepsJudged {
  const some = (holds: (one: CaseComparison) => boolean): number => all.filter((one) => one.some(holds)).length
  return {
    sweeps: all.length,
    withClaims: some(({ comparison: { verdict } }) => verdict === 'improved' || verdict === 'worse'),
    byThemselves: some(({ comparison: { rows } }) => (rows[0]?.p ?? 1) < 0.05),
    covered:
      all.length -
      some(({ comparison: { rows } }) => {
        const interval = rows[0]?.interval ?? null
        return interval === null || interval.low > 1 || interval.high < 1
      }),
  }
}
