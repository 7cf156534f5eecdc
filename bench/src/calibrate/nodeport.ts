/**
 * `npm run bench -- calibrate --nodeport TOOL [--comparisons N] [--repeats N] [--seconds S] [--services N] [--to FOLDER | --from FOLDER]`:
 * how often do NodePort's verdicts claim a difference between a hook and itself? Takes comparisons of each hook through the
 * app, in turn, and keeps them in a file for each; `--from` judges such files again without measuring.
 */
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { mainMetricOf } from '@expresslane/shared/features/metrics'
import { openApp } from '../support/app.ts'
import { nodePortHooks, repeatedFor, type NodePortDesign } from './aa-nodeport.ts'
import { judgeAaSeries, spreadOf } from './aa-series.ts'
import { compareValuesSeries, parseValuesSeries } from './aa-values.ts'
import { collect, measureIn } from './collect.ts'

const CLAIMS_AT_MOST = 0.05
const PREFIX = 'aa-nodeport-'

const kept = join(import.meta.dirname, '../../test/fixtures')

/** Hooks in turn, so that all of them have the same machine, and a series that is interrupted has all of them. */
async function measure(folder: string, comparisons: number, design: NodePortDesign): Promise<void> {
  await mkdir(folder, { recursive: true })
  const app = await openApp()
  try {
    for (let count = 1; count <= comparisons; count += 1) {
      for (const hook of nodePortHooks) {
        const file = join(folder, `${PREFIX}${design.tool}-${hook}.jsonl`)
        await collect((what) => measureIn(app, what), file, count, repeatedFor(hook, design))
      }
    }
  } finally {
    await app.close()
  }
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

/** The bound applies to the main metric; the other metrics are only shown. @returns whether it holds in all files */
async function judge(folder: string, tool: string): Promise<boolean> {
  const files = (await readdir(folder)).filter((name) => name.startsWith(`${PREFIX}${tool}-`)).toSorted()
  console.log('| arms | metric | comparisons | improved | worse | claims | intervals with 1 | spread in an arm |')
  console.log('| --- | --- | --- | --- | --- | --- | --- | --- |')
  const held: boolean[] = []
  for (const file of files) {
    const series = parseValuesSeries(await readFile(join(folder, file), 'utf8'))
    const comparisons = compareValuesSeries(series)
    const judged = judgeAaSeries(comparisons)
    // The metrics of the counted machine are in instructions.
    const main = mainMetricOf({ tool }, Object.fromEntries(judged.map(({ metric }) => [metric, null])))
    for (const { metric, comparisons: all, improved, worse, covered } of judged) {
      const claims = (improved + worse) / all
      if (metric === main) held.push(claims <= CLAIMS_AT_MOST)
      const spread = metric === main ? spreadOf(comparisons).toFixed(4) : ''
      const cells = [
        series.header.plan.arms[0]?.label,
        metric,
        all,
        improved,
        worse,
        percent(claims),
        percent(covered / all),
      ]
      console.log(`| ${[...cells, spread].join(' | ')} |`)
    }
  }
  return held.length > 0 && held.every(Boolean)
}

export interface NodePortOptions extends NodePortDesign {
  readonly comparisons: number
  /** The folder for the files. @defaultValue that of the tests' fixtures */
  readonly to: string | undefined
  /** Judges this folder's files, and measures nothing. */
  readonly from: string | undefined
}

/** @returns the exit code: 1 if a bound is exceeded */
export async function calibrateNodePort({ comparisons, to, from, ...design }: NodePortOptions): Promise<number> {
  if (from === undefined) await measure(to ?? kept, comparisons, design)
  return (await judge(from ?? to ?? kept, design.tool)) ? 0 : 1
}
