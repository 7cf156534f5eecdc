/**
 * `npm run bench -- calibrate [--comparisons N] [--to FILE | --from FILE] [--simulations N] [--aa-sweeps N] [--sweeps N]`:
 * can the comparison be trusted? Takes comparisons of an arm with itself and whole sweeps of equal arms on the real netns
 * testbed, counts those that end in a claim, and then simulates experiments with a known truth. `--from` evaluates the saved
 * series again without measuring; 0 leaves a part out.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { compareAaSeries, judgeAaSeries, parseAaSeries, spreadOf, type AaSeries } from './aa-series.ts'
import { sweeps } from './aa-sweeps.ts'
import { openApp } from '../support/app.ts'
import { collect, pairs } from './collect.ts'
import { printAaSweeps, printSweeps } from './sweeps.ts'
import { printTruths } from './truth.ts'

const kept = join(import.meta.dirname, '../../test/fixtures/aa-netns.jsonl')
const keptSweeps = join(import.meta.dirname, '../../test/fixtures/aa-sweeps-netns.jsonl')
const CLAIMS_AT_MOST = 0.05

/** The bound applies to TPS; the other metrics are only shown. */
function judgeSeries(series: AaSeries): boolean {
  const comparisons = compareAaSeries(series)
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

/** TPS of the measured runs, in the order taken. */
export function tpsOf({ lines }: AaSeries): number[] {
  return lines.flatMap(({ runs }) => runs.flatMap(([, warmup, tps]) => (warmup === 1 ? [] : [tps])))
}

async function measure(file: string, comparisons: number, experiments: number): Promise<void> {
  const app = await openApp()
  try {
    await collect(app, file, comparisons, pairs)
    await collect(app, keptSweeps, experiments, sweeps)
  } finally {
    await app.close()
  }
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
      'aa-sweeps': { type: 'string', default: '20' },
      sweeps: { type: 'string', default: '400' },
    },
  })
  if (values.from === undefined) await measure(values.to, Number(values.comparisons), Number(values['aa-sweeps']))
  const series = parseAaSeries(await readFile(values.from ?? values.to, 'utf8'))
  const real = judgeSeries(series)
  const realSweeps = printAaSweeps(await readFile(keptSweeps, 'utf8'))
  const simulated = values.simulations === '0' || printTruths(Number(values.simulations))
  const simulatedSweeps = values.sweeps === '0' || printSweeps(Number(values.sweeps), tpsOf(series))
  return real && realSweeps && simulated && simulatedSweeps ? 0 : 1
}
