/**
 * `npm run bench -- calibrate --counted CASE [--comparisons N] [--to FILE | --from FILE]`: how often does the counted
 * machine claim a difference between an arm and itself, in one experiment and between two? How often does it find a
 * real effect? Each comparison has a machine of its own. `--from` judges a file again without measuring.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunState } from '@expresslane/shared/run/run-state'
import { openApp } from '../support/app.ts'
import { judgeAaSeries, spreadOf } from './aa-series.ts'
import { countedApart, countedCases, countedClaims, countedRepeated } from './aa-counted.ts'
import { compareValuesSeries, parseValuesSeries } from './aa-values.ts'
import { collect, measureIn, type Repeated } from './collect.ts'

const CLAIMS_AT_MOST = 0.05
/** At least a share of {@link FOUND_AT_LEAST} of the comparisons must find this effect. */
const SURE_EFFECT = 1.02
const FOUND_AT_LEAST = 0.95

const percent = (share: number, digits = 1): string => `${(share * 100).toFixed(digits)} %`

/** In a server of its own, and so on a machine of its own. */
async function measureAnew(what: Repeated): Promise<RunState> {
  const app = await openApp()
  try {
    return await measureIn(app, what)
  } finally {
    await app.close()
  }
}

/** @returns whether the bounds hold */
function judge(text: string): boolean {
  const series = parseValuesSeries(text)
  const comparisons = compareValuesSeries(series)
  const judged = judgeAaSeries(comparisons)
  const [main] = judged
  if (main === undefined) return false
  console.log(`\n${comparisons.length} comparisons of ${series.header.plan.arms[0]?.label} with itself`)
  console.log(`Spread within an arm: ${percent(spreadOf(comparisons), 3)}\n`)
  console.log('| metric | improved | worse | claims | intervals with 1 |\n| --- | --- | --- | --- | --- |')
  for (const { metric, comparisons: all, improved, worse, covered } of judged) {
    const claims = percent((improved + worse) / all)
    console.log(`| ${metric} | ${improved} | ${worse} | ${claims} | ${percent(covered / all)} |`)
  }
  console.log('\n| equal medians differ by | 95 of 100 | 99 of 100 | most | pairs |\n| --- | --- | --- | --- | --- |')
  for (const [where, { p95, p99, most, pairs }] of Object.entries(countedApart(series))) {
    console.log(`| ${where} | ${percent(p95, 2)} | ${percent(p99, 2)} | ${percent(most, 2)} | ${pairs} |`)
  }
  console.log('\n| effect | claims in one experiment | claims across two |\n| --- | --- | --- |')
  for (const ratio of [1, 1.005, 1.01, 1.02, 1.05]) {
    const { within, across } = countedClaims(series, main.metric, ratio)
    console.log(`| +${((ratio - 1) * 100).toFixed(1)} % | ${percent(within)} | ${percent(across)} |`)
  }
  const none = countedClaims(series, main.metric, 1)
  const sure = countedClaims(series, main.metric, SURE_EFFECT)
  return Math.max(none.within, none.across) <= CLAIMS_AT_MOST && Math.min(sure.within, sure.across) >= FOUND_AT_LEAST
}

export interface CountedOptions {
  /** A name in `countedCases`. */
  readonly name: string
  readonly comparisons: number
  /** The file that keeps the series. @defaultValue that of the tests' fixtures */
  readonly to: string | undefined
  /** Judges this file, and measures nothing. */
  readonly from: string | undefined
}

const isCase = (name: string): name is keyof typeof countedCases => name in countedCases

/** @returns the exit code: 1 if a bound is exceeded, 2 for a case that does not exist */
export async function calibrateCounted({ name, comparisons, to, from }: CountedOptions): Promise<number> {
  if (!isCase(name)) {
    console.error(`There is no case named ${name}. Available: ${Object.keys(countedCases).join(', ')}.`)
    return 2
  }
  const file = from ?? to ?? join(import.meta.dirname, `../../test/fixtures/aa-counted-${name}.jsonl`)
  if (from === undefined) await collect(measureAnew, file, comparisons, countedRepeated(countedCases[name]))
  return judge(await readFile(file, 'utf8')) ? 0 : 1
}
