/** The lab "Who keeps the flows?" without a browser, from its first step to its last. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { labResult } from '@expresslane/shared/wire/headless'
import { expect, test } from 'vitest'
import { dataFolder, lab } from './lab-process.ts'

test('each way is measured with each event, and replies go both ways', { timeout: 600_000 }, async () => {
  const data = await dataFolder()
  const file = join(data, 'result.json')
  const { code, err } = await lab(data, ['load-balancing', '--repeats', '1', '--json', file])
  expect(code, err.slice(-4_000)).toBe(0)
  expect(err).toContain('13. Restore')
  const { arms } = labResult.parse(JSON.parse(await readFile(file, 'utf8')))
  const held = arms.filter(({ measurements }) => 'keptConnections' in (measurements[0]?.values ?? {}))
  // Four ways with four events, and nftables, TC and XDP with two.
  expect(held).toHaveLength(4 * 4 + 3 * 2)
  for (const { measurements } of held) {
    const { keptConnections, brokenNeedlessly, brokenWithBackend } = measurements[0]?.values ?? {}
    expect((keptConnections ?? 0) + (brokenNeedlessly ?? 0) + (brokenWithBackend ?? 0)).toBe(1_000)
  }
  // Two tools with replies both ways, by nftables and by XDP.
  expect(arms).toHaveLength(held.length + 2 * 4)
})
