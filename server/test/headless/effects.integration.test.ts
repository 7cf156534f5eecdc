/**
 * The settings that help, asserted on the counted machine. Its repeats differ by 1 %, whatever else this machine does, and the
 * effects are 19 and 41 %. `opinion.integration.test.ts` asserts that BIG TCP helps. The labs of `effects` have no more than the
 * answer needs: four repeats, the fewest that a verdict is made of, and no second visit to an arm, because nothing drifts
 * there.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CaseComparison } from '@expresslane/shared/compare/comparison'
import { labResult } from '@expresslane/shared/wire/headless'
import { describe, expect, test } from 'vitest'
import { lacksMachine } from '../testbeds/counted/here.ts'
import { dataFolder, lab } from './lab-process.ts'

/** Ends a lab that hangs: it takes 15 to 40 s of CPU time, on a busy machine many times as long. */
const HANGS_MS = 1_200_000

/** The comparisons of a lab's experiment, on the counted machine. */
async function measured(labId: string): Promise<CaseComparison[]> {
  const data = await dataFolder()
  const file = join(data, 'result.json')
  const { code, err } = await lab(data, [labId, '--testbed', 'counted', '--json', file], {
    EXPRESSLANE_LABS: join(import.meta.dirname, 'effects'),
  })
  expect(code, err.slice(-4_000)).toBe(0)
  return labResult.parse(JSON.parse(await readFile(file, 'utf8'))).comparisons
}

/** Each comparison's verdict, and whether the whole interval of the change is above 0, or below. */
function saidOf(comparisons: readonly CaseComparison[]): unknown[] {
  return comparisons.map(({ caseId, arm, against, comparison: { verdict, rows } }) => {
    const [row] = rows
    const { metric, interval } = row ?? { metric: null, interval: null }
    const change = interval === null ? 'unknown' : interval.low > 1 ? 'more' : interval.high < 1 ? 'less' : 'either'
    return [caseId, arm, against, verdict, change, metric]
  })
}

describe.skipIf(lacksMachine !== null)('on the counted machine', { timeout: HANGS_MS }, () => {
  test('eBPF host routing helps a small request', async () => {
    expect(saidOf(await measured('host-routing-helps'))).toEqual([
      ['ipv4', 'veth-bpf', 'veth', 'improved', 'more', 'countedTps'],
    ])
  })

  test('XDP helps a forwarded packet, compared with TC', async () => {
    expect(saidOf(await measured('xdp-helps'))).toEqual([
      ['ipv4', 'xdp', 'tc', 'improved', 'less', 'countedCpuPerPacket'],
    ])
  })
})
