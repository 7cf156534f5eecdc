import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { allTools } from '../setup/system-tools.mjs'
import { lockFile } from '../tools/bundle.mjs'
import { asked, formatLock, parseIndex, parseLock, resolve } from '../tools/lock.mjs'

const locked = parseLock(readFileSync(lockFile, 'utf8'))

test('the lock has every tool in its set, for each processor that the set is for', () => {
  const has = (arch: string, name: string, set: string): boolean =>
    locked.some((one) => one.arch === arch && one.name === name && one.sets.some((its) => its === set))
  for (const { package: name, set } of allTools) {
    expect(asked[set], name).toContain(name)
    expect(has('amd64', name, set), name).toBe(true)
    expect(has('arm64', name, set), `${name} for arm64`).toBe(set !== 'counted')
  }
})

test('each line of the lock names a package by version, size, SHA-256 and place', () => {
  for (const { name, version, size, sha256, path } of locked) {
    expect(version, name).toMatch(/^\d/)
    expect(size, name).toBeGreaterThan(0)
    expect(sha256, name).toMatch(/^[0-9a-f]{64}$/)
    expect(path, name).toMatch(/^pool\/main\/.*\.deb$/)
  }
  const text = readFileSync(lockFile, 'utf8')
  expect(formatLock(parseLock(text))).toBe(text)
})

/** An index of these packages, each with its section and what it depends on. */
const indexOf = (packages: Readonly<Record<string, readonly [section: string, depends: string]>>): string =>
  Object.entries(packages)
    .map(([name, [section, depends]]) =>
      [`Package: ${name}`, 'Version: 1', `Depends: ${depends}`, `Section: ${section}`, 'Size: 1'].join('\n'),
    )
    .join('\n\n')

test('a set has its tools with their libraries, and not what serves an installed system', () => {
  const index = parseIndex(
    indexOf({
      netperf: ['net', 'libc6 (>= 2.38), init-system-helpers'],
      'init-system-helpers': ['admin', 'libx1'],
      libc6: ['libs', ''],
      unbound: ['net', 'libssl3t64 (>= 3) | libssl3, libc6:any'],
      curl: ['web', 'libssl3t64, libgone1'],
      libssl3t64: ['libs', 'libz1'],
      libz1: ['libs', 'libssl3t64'],
      kmod: ['admin', 'libz1'],
    }),
  )
  const sets = (arch: string): Record<string, string> =>
    Object.fromEntries(resolve(arch, index).map(({ name, sets: its }) => [name, its.join(' ')]))
  const everywhere = { netperf: 'core', libc6: 'core', curl: 'families', unbound: 'families', libssl3t64: 'families' }
  expect(sets('arm64')).toEqual({ ...everywhere, libz1: 'families' })
  expect(sets('amd64')).toEqual({
    ...everywhere,
    libz1: 'families counted',
    libssl3t64: 'families counted',
    kmod: 'counted',
  })
})
