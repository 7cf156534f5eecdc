/** Checks the comparison with simulated experiments, whose true ratio is known. */
import { judgeTruth, type Truth } from './simulate.ts'

/**
 * The default design, with values that were measured on netns with client and server on one CPU: a spread of 0.024 with
 * a disturbance in one of twenty runs.
 */
const usual: Truth = { order: 'interleaved', repeats: 8, ratio: 1.05, spread: 0.0185, drift: 0, outliers: 0.05 }
const SEED = 1

interface Case {
  readonly name: string
  readonly truth: Truth
  /**
   * Only the default number of runs must meet the bounds. The other cases show the effect of the design and the number.
   */
  readonly bound: boolean
}

const cases: readonly Case[] = [
  { name: 'noise alone, spread 0.0235', truth: { ...usual, spread: 0.0235, outliers: 0 }, bound: true },
  { name: 'with outliers', truth: usual, bound: true },
  { name: 'drift −5 %', truth: { ...usual, drift: -0.05 }, bound: true },
  { name: 'drift −10 %', truth: { ...usual, drift: -0.1 }, bound: true },
  { name: 'drift −20 %', truth: { ...usual, drift: -0.2 }, bound: true },
  ...[4, 5, 6, 12, 20].map((repeats) => ({ name: `${repeats} repeats`, truth: { ...usual, repeats }, bound: false })),
  { name: 'sequential', truth: { ...usual, order: 'sequential' }, bound: false },
  { name: 'sequential, drift −10 %', truth: { ...usual, order: 'sequential', drift: -0.1 }, bound: false },
]

/** Prints one line per case, as in docs/statistics.md. @returns whether all bounds are met */
export function printTruths(count: number): boolean {
  console.log(
    `\n${count} simulated experiments per line, twice: without a difference and with +5 %; seeds ${SEED} and ${SEED + 1}\n`,
  )
  console.log('| truth | coverage | false claims | +5 % found | holds |\n| --- | --- | --- | --- | --- |')
  const held = cases.map(({ name, truth, bound }) => {
    const same = judgeTruth({ ...truth, ratio: 1 }, count, SEED)
    const more = judgeTruth(truth, count, SEED + 1)
    const claims = same.improved + same.worse
    const holds = more.covered >= 0.93 && more.covered <= 0.97 && more.improved >= 0.9 && claims <= 0.05
    const shares = [more.covered, claims, more.improved].map((share) => `${(share * 100).toFixed(1)} %`)
    console.log(`| ${name} | ${shares.join(' | ')} | ${bound ? (holds ? 'yes' : '**no**') : '–'} |`)
    return holds || !bound
  })
  return held.every(Boolean)
}
