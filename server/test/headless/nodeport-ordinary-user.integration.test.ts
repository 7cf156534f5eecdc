import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { labResult } from '@expresslane/shared/wire/headless'
import { expect, test } from 'vitest'
import { dataFolder, lab } from './lab-process.ts'

const NOBODY = 65_534

/** As root, this file's own process becomes an ordinary user, who may load no BPF program. */
if (process.getuid?.() === 0) {
  process.setgroups?.([])
  process.setgid?.(NOBODY)
  process.setuid?.(NOBODY)
}

test('an ordinary user measures nftables and iptables; TC and XDP are left out, with the reason', async () => {
  const data = await dataFolder()
  const file = join(data, 'result.json')
  const { code, err } = await lab(data, ['nodeport-rate', '--repeats', '1', '--duration', '0.5', '--json', file])
  expect(err).toContain('8. Restore')
  expect(code, err.slice(-4_000)).toBe(0)
  const { arms } = labResult.parse(JSON.parse(await readFile(file, 'utf8')))
  expect(arms.map(({ id }) => id)).toEqual(['nftables', 'iptables', 'none'])
  for (const arm of ['TC', 'XDP']) {
    expect(err).toMatch(new RegExp(`^ {3}left out here: ${arm}: BPF needs root here`, 'm'))
  }
})
