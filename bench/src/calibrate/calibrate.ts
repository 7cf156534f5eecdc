/**
 * `npm run bench -- calibrate [--comparisons N] [--to FILE | --from FILE] [--simulations N]`: can the comparison be
 * trusted? Takes comparisons of an arm with itself on the real netns testbed and counts those that end in a claim, then
 * simulates experiments with a known truth. `--from` evaluates a saved series again without measuring.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { compareAaSeries, judgeAaSeries, parseAaSeries, spreadOf } from './aa-series.ts'
import { openApp } from '../support/app.ts'
import { collect } from './collect.ts'
import { printTruths } from './truth.ts'

const kept = join(import.meta.dirname, '../../test/fixtures/aa-netns.jsonl')
const CLAIMS_AT_MOST = 0.05

/** The bound applies to TPS; the other metrics are only shown. */
async function judgeFile(file: string): Promise<boolean> {
  const comparisons = compareAaSeries(parseAaSeries(await readFile(file, 'utf8')))
  console.log(
    `\n${comparisons.length} A/A comparisons; TPS spread within an arm ${spreadOf(comparisons).toFixed(3)} (log)\n`,
  )
  console.log('| metric | improved | worse | claims | intervals with 1 |\n| --- | --- | --- | --- | --- |')
  let holds = true
  for (const { metric, comparisons: all, improved, worse, covered } of judgeAaSeries(comparisons)) {
    const claims = (improved + worse) / all
    if (metric === 'tps') holds = claims <= CLAIMS_AT_MOST
    const percent = (share: number): string => `${(share * 100).toFixed(1)} %`
    console.log(`| ${metric} | ${improved} | ${worse} | ${percent(claims)} | ${percent(covered / all)} |`)
  }
  return holds
}

/** @param argv the arguments after the bench's name @returns the exit code: 1 if a bound is exceeded */
export async function calibrate(argv: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      comparisons: { type: 'string', default: '200' },
      to: { type: 'string', default: kept },
      from: { type: 'string' },
      simulations: { type: 'string', default: '5000' },
    },
  })
  if (values.from === undefined) {
    const app = await openApp()
    try {
      await collect(app, values.to, Number(values.comparisons))
    } finally {
      await app.close()
    }
  }
  const real = await judgeFile(values.from ?? values.to)
  const simulated = printTruths(Number(values.simulations))
  return real && simulated ? 0 : 1
}
