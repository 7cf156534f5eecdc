import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { isComing } from '../../src/testbeds/coming.ts'

test('a package is coming while the set-up that gets it runs', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'expresslane-coming-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'coming.json')
  const url = pathToFileURL(file)
  expect(await isComing('tayga', url)).toBe(false)
  writeFileSync(file, JSON.stringify({ pid: String(process.pid), packages: 'tayga unbound' }))
  expect(await isComing('tayga', url)).toBe(true)
  expect(await isComing('netperf', url)).toBe(false)
  // No process has this number: it is above the largest that the kernel gives.
  writeFileSync(file, JSON.stringify({ pid: String(2 ** 22 + 1), packages: 'tayga unbound' }))
  expect(await isComing('tayga', url)).toBe(false)
})
