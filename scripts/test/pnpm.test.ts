import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHash } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { inRoot } from '../base/paths.mjs'
import { assertPinned, pinnedPnpm } from '../setup/pnpm.mjs'

test('package.json names pnpm by version and hash', () => {
  const { packageManager }: { packageManager: string } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'))
  expect(pinnedPnpm(packageManager)).toEqual({
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    sha512: expect.stringMatching(/^[0-9a-f]{128}$/),
  })
})

test.each(['pnpm@10.34.8', 'pnpm@10.34.8+sha1.00', 'pnpm@latest', 'npm@11.0.0', `pnpm@10+sha512.${'0'.repeat(128)}`])(
  'a package manager without its hash is refused: %s',
  (name) => {
    expect(() => pinnedPnpm(name)).toThrow('must name pnpm with its hash')
  },
)

test('a package with one other byte is refused, and the error says not to use it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'expresslane-pnpm-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'pnpm.tgz')
  writeFileSync(file, 'the package')
  const pinned = { version: '1.2.3', sha512: createHash('sha512').update('the package').digest('hex') }
  expect(() => assertPinned(file, pinned)).not.toThrow()
  writeFileSync(file, 'the packagE')
  expect(() => assertPinned(file, pinned)).toThrow(
    expect.objectContaining({
      message: expect.stringContaining('not the one'),
      remedy: expect.stringMatching(/^Do not use it/),
    }),
  )
})
