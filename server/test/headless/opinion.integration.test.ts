/**
 * A second opinion with the real counted machine: its verdict on BIG TCP does not depend on this machine's noise. So that
 * BIG TCP helps is an assertion here, as the other effects are in `effects.integration.test.ts`.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { labResult } from '@expresslane/shared/wire/headless'
import { describe, expect, test } from 'vitest'
import { lacksMachine } from '../testbeds/counted/here.ts'
import { dataFolder, lab } from './lab-process.ts'

/** Ends a lab that hangs: the counted part takes 15 to 40 s of CPU time, on a busy machine many times as long. */
const HANGS_MS = 1_200_000

describe.skipIf(lacksMachine !== null)('--opinion', { timeout: HANGS_MS }, () => {
  test('measures the same plan on the counted machine, and prints both', async () => {
    const data = await dataFolder()
    const file = join(data, 'result.json')
    const { code, err } = await lab(data, ['big-tcp-helps', '--opinion', '--json', file], {
      EXPRESSLANE_LABS: join(import.meta.dirname, 'effects'),
    })
    expect(code, err.slice(-4_000)).toBe(0)
    const { testbed, comparisons, opinions } = labResult.parse(JSON.parse(await readFile(file, 'utf8')))
    expect(testbed.kind).toBe('netns')
    expect(comparisons.map(({ comparison }) => comparison.rows[0]?.metric)).toEqual(['tps'])
    expect(opinions).toHaveLength(1)
    expect(opinions?.[0]).toMatchObject({ step: 'measure', state: 'completed', problem: null, leftOut: [] })
    const said = opinions?.[0]?.comparisons.map(({ caseId, arm, counted }) => [
      caseId,
      arm,
      counted?.metric,
      counted?.verdict,
      (counted?.interval?.low ?? 0) > 1,
    ])
    expect(said).toEqual([['ipv4', 'on', 'countedTps', 'improved', true]])
    expect(err).toContain('Second opinion, of the counted machine:')
    expect(err).toMatch(/on, ipv4: .* here.*; \d+(\.\d)? % fewer instructions \(/)
  })
})
