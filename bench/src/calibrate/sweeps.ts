/** Checks how sweeps are judged: simulated sweeps of known truth by several methods, and real sweeps of equal arms. */
import type { Random } from '@expresslane/shared/compare/stats/random'
import { compareAaSweeps, judgeAaSweeps } from './aa-sweeps.ts'
import { methods } from './methods.ts'
import { claimsOf, judgeSweeps, simulateSweep, sweepFrom, type SweepTruth, type SweepValues } from './sweep.ts'

/** The noise of netns on a quiet machine, as for single comparisons, at the lab's default number of repeats. */
const usual: SweepTruth = { repeats: 6, gain: 0, spread: 0.037, firstSpread: 1, drift: 0, outliers: 0.05 }
const FALSE_AT_MOST = 0.05
const SEED = 1

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

interface Case {
  readonly name: string
  readonly draw: (repeats: number) => (random: Random) => SweepValues
  /** Only bound where the method's assumptions hold. */
  readonly bound: boolean
}

function simulated(name: string, over: Partial<SweepTruth>, bound = true): Case {
  return { name, bound, draw: (repeats) => (random) => simulateSweep({ ...usual, ...over, repeats }, random) }
}

/** @param series TPS of consecutive runs, really measured under load */
function casesOf(series: readonly number[]): readonly Case[] {
  return [
    simulated('noise alone, spread 0.047', { spread: 0.047, outliers: 0 }),
    simulated('with outliers', {}),
    simulated('drift −10 %', { drift: -0.1 }),
    simulated('drift −20 %', { drift: -0.2 }),
    { name: 'bursts, really measured', bound: true, draw: (repeats) => (random) => sweepFrom(series, repeats, random) },
    simulated('first arm with twice the spread', { firstSpread: 2 }, false),
  ]
}

/** By method: sweeps with a false claim, and how many of the cells with a gain are found. */
function printMethods(count: number, series: readonly number[]): void {
  console.log(
    `\n${count} sweeps per cell, 6 repeats: sweeps with a false claim, then cells with a gain that are found\n`,
  )
  console.log(
    `| truth | ${methods.map(({ name }) => name).join(' | ')} |\n| --- | ${methods.map(() => '---').join(' | ')} |`,
  )
  for (const { name, draw } of casesOf(series)) {
    const shares = methods.map(({ judge }) =>
      percent(judgeSweeps(count, SEED, draw(usual.repeats), judge, false).falseSweeps),
    )
    console.log(`| ${name} | ${shares.join(' | ')} |`)
  }
  for (const gain of [0.1, 0.15, 0.2]) {
    const draw = simulated('', { gain }).draw(usual.repeats)
    const found = methods.map(({ judge }) => percent(judgeSweeps(count, SEED + 1, draw, judge, true).found))
    console.log(`| found: +${(gain * 100).toFixed(0)} % | ${found.join(' | ')} |`)
  }
}

/** The effects that the chosen method finds, by number of repeats. @returns whether no sweep truth exceeds the bound */
function printRepeats(count: number, series: readonly number[]): boolean {
  console.log(`\n${count} sweeps per cell, with the chosen method\n`)
  const head = ['repeats', ...casesOf(series).map(({ name }) => name), '+10 %', '+15 %', '+20 %', '+30 %']
  console.log(`| ${head.join(' | ')} |\n| ${head.map(() => '---').join(' | ')} |`)
  let holds = true
  for (const repeats of [4, 5, 6, 8, 10, 12]) {
    const wrong = casesOf(series).map(({ draw, bound }) => {
      const { falseSweeps } = judgeSweeps(count, SEED, draw(repeats), claimsOf, false)
      // A count's own chance: two standard errors.
      if (bound && falseSweeps > FALSE_AT_MOST + 2 * Math.sqrt((FALSE_AT_MOST * (1 - FALSE_AT_MOST)) / count))
        holds = false
      return percent(falseSweeps)
    })
    const found = [0.1, 0.15, 0.2, 0.3].map((gain) =>
      percent(judgeSweeps(count, SEED + 1, simulated('', { gain }).draw(repeats), claimsOf, true).found),
    )
    console.log(`| ${[`${repeats}`, ...wrong, ...found].join(' | ')} |`)
  }
  return holds
}

/** Real sweeps whose arms do not differ. @returns whether at most 5 % of them make any claim */
export function printAaSweeps(text: string): boolean {
  const { sweeps, withClaims, byThemselves, covered } = judgeAaSweeps(compareAaSweeps(text))
  console.log(
    `\n${sweeps} real sweeps of equal arms: ${withClaims} with any claim (${byThemselves} if each comparison were judged by itself), ${covered} whose intervals all contain 1`,
  )
  return withClaims <= FALSE_AT_MOST * sweeps
}

/**
 * Prints the tables of docs/statistics.md.
 *
 * @param count simulated sweeps per cell of the second table; the first has fewer, because permutations take long
 * @param series TPS of consecutive runs of equal arms, really measured
 */
export function printSweeps(count: number, series: readonly number[]): boolean {
  printMethods(Math.ceil(count / 2), series)
  return printRepeats(count, series)
}
