/**
 * `npm run bench -- calibrate [--comparisons N] [--to FILE | --from FILE] [--simulations N] [--aa-sweeps N] [--sweeps
 * N]`: can the comparison be trusted? Takes comparisons of an arm with itself and whole sweeps of equal arms on the
 * real netns testbed, counts the claims among them, and then simulates experiments with a known truth. `--from`
 * evaluates the saved series again without measuring; 0 leaves a part out. `--candidate NAME [--rounds N]` measures one
 * thing that could make repeats vary less ({@link tryCandidate}), `--nodeport TOOL` judges NodePort's arms ({@link
 * calibrateNodePort}), and `--counted CASE` the counted machine ({@link calibrateCounted}).
 */
import { seeded } from '@expresslane/shared/compare/stats/random'
import type { RunState } from '@expresslane/shared/run/run-state'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  compareAaSeries,
  judgeAaSeries,
  parseAaSeries,
  relabelled,
  spreadOf,
  withEffect,
  type AaSeries,
} from './aa-series.ts'
import { sweeps } from './aa-sweeps.ts'
import { openApp } from '../support/app.ts'
import { tryCandidate } from './candidates.ts'
import { collect, measureIn, pairs, type Repeated } from './collect.ts'
import { calibrateCounted } from './counted.ts'
import { calibrateNodePort } from './nodeport.ts'
import { printAaSweeps, printSweeps } from './sweeps.ts'
import { printTruths } from './truth.ts'

const kept = join(import.meta.dirname, '../../test/fixtures/aa-one-cpu.jsonl')
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

const EFFECT = 1.05
const SEED = 1
const FOUND_AT_LEAST = 0.9

function shareOf(series: AaSeries, verdicts: readonly string[]): number {
  const all = compareAaSeries(series)
  return all.filter(({ verdict }) => verdicts.includes(verdict)).length / all.length
}

/** Claims and power by TPS, in the comparisons themselves and in 1,000 that are drawn from their runs. */
function judgePower(series: AaSeries): boolean {
  const drawn = relabelled(series, 1_000, seeded(SEED))
  console.log('\n| comparisons | false claims | +5 % found |\n| --- | --- | --- |')
  const judged = [
    ['as measured', series],
    ['drawn from them', drawn],
  ] as const
  const held = judged.map(([name, one]) => {
    const [claims, found] = [shareOf(one, ['improved', 'worse']), shareOf(withEffect(one, EFFECT), ['improved'])]
    console.log(`| ${one.lines.length} ${name} | ${(claims * 100).toFixed(1)} % | ${(found * 100).toFixed(1)} % |`)
    return claims <= CLAIMS_AT_MOST && found >= FOUND_AT_LEAST
  })
  return held.every(Boolean)
}

/** TPS of the measured runs, in the order taken. */
function tpsOf({ lines }: AaSeries): number[] {
  return lines.flatMap(({ runs }) => runs.flatMap(([, warmup, tps]) => (warmup === 1 ? [] : [tps])))
}

async function measure(file: string, comparisons: number, experiments: number): Promise<void> {
  const app = await openApp()
  try {
    const once = async (what: Repeated): Promise<RunState> => await measureIn(app, what)
    await collect(once, file, comparisons, pairs)
    await collect(once, keptSweeps, experiments, sweeps)
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
      to: { type: 'string' },
      from: { type: 'string' },
      simulations: { type: 'string', default: '5000' },
      'aa-sweeps': { type: 'string', default: '20' },
      sweeps: { type: 'string', default: '400' },
      candidate: { type: 'string' },
      rounds: { type: 'string', default: '5' },
      nodeport: { type: 'string' },
      counted: { type: 'string' },
      repeats: { type: 'string', default: '4' },
      seconds: { type: 'string', default: '0.5' },
      services: { type: 'string', default: '1' },
    },
  })
  if (values.candidate !== undefined) return tryCandidate(values.candidate, Number(values.rounds))
  if (values.nodeport !== undefined) {
    const { nodeport: tool, to, from, repeats, seconds, services, comparisons } = values
    const design = { tool, repeats: Number(repeats), seconds: Number(seconds), services: Number(services) }
    return calibrateNodePort({ ...design, comparisons: Number(comparisons), to, from })
  }
  if (values.counted !== undefined) {
    const { counted: name, to, from, comparisons } = values
    return calibrateCounted({ name, comparisons: Number(comparisons), to, from })
  }
  const { to = kept } = values
  if (values.from === undefined) await measure(to, Number(values.comparisons), Number(values['aa-sweeps']))
  const series = parseAaSeries(await readFile(values.from ?? to, 'utf8'))
  const real = judgeSeries(series)
  const power = judgePower(series)
  const realSweeps = printAaSweeps(await readFile(keptSweeps, 'utf8'))
  const simulated = values.simulations === '0' || printTruths(Number(values.simulations))
  const simulatedSweeps = values.sweeps === '0' || printSweeps(Number(values.sweeps), tpsOf(series))
  return real && power && realSweeps && simulated && simulatedSweeps ? 0 : 1
}
