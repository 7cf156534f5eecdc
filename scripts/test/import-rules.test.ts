import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { routeFolders } from '../../walls/server.ts'
import { sharedOrder } from '../../walls/shared.ts'
import { below, rooms } from '../../walls/web.ts'
import { inRoot } from '../base/paths.mjs'
import { allowed, forbidden } from './import-lines.ts'

const checkouts = mkdtempSync(join(tmpdir(), 'expresslane-imports-'))
afterAll(() => rmSync(checkouts, { recursive: true }))

/** The public file of a room, seen from another room. */
const faceOf = (room: string): string => `../${room}/index.ts`

/** Every pair of folders in the page, as the table of rooms allows it or not. */
const betweenFolders = [
  ...Object.entries(rooms).flatMap(([from, may]) =>
    Object.keys(rooms)
      .filter((to) => to !== from)
      .map((to) => ({ line: `web/src/${from}/new.ts: ${faceOf(to)}`, allowed: to === 'base' || may.includes(to) })),
  ),
  ...Object.entries(below).flatMap(([from, may]) => [
    ...Object.keys(rooms).map((to) => ({ line: `web/src/${from}/new.ts: ${faceOf(to)}`, allowed: false })),
    ...Object.keys(below)
      .filter((to) => to !== from)
      .map((to) => ({ line: `web/src/${from}/new.ts: ../${to}/new.ts`, allowed: to === 'base' || may.includes(to) })),
  ]),
]

/** A checkout with only the lint rules and these files. */
function checkoutOf(files: ReadonlyMap<string, string>): string {
  const checkout = mkdtempSync(join(checkouts, 'checkout-'))
  for (const config of ['oxlint.config.ts', 'walls'])
    cpSync(inRoot(config), join(checkout, config), { recursive: true })
  for (const [file, text] of files) {
    mkdirSync(dirname(join(checkout, file)), { recursive: true })
    writeFileSync(join(checkout, file), text)
  }
  return checkout
}

function lint(checkout: string): string[] {
  const { stdout } = spawnSync(inRoot('node_modules', '.bin', 'oxlint'), ['--format=unix'], {
    cwd: checkout,
    encoding: 'utf8',
  })
  return stdout.split('\n')
}

/** Lints files with these imports under this project's rules. Returns the imports that the rules refuse. */
function refused(imports: readonly string[]): string[] {
  const files = new Map<string, string[]>()
  for (const line of imports) {
    const [file = '', specifier = ''] = line.split(': ')
    files.set(file, [...(files.get(file) ?? []), specifier])
  }
  const texts = [...files].map(
    ([file, specifiers]) => [file, specifiers.map((specifier) => `export * from '${specifier}'\n`).join('')] as const,
  )
  const found = lint(checkoutOf(new Map(texts))).flatMap((line) => {
    const match = /^([^:]+):(\d+):\d+: .*no-restricted-imports/.exec(line)
    const file = match?.[1] ?? ''
    const specifier = files.get(file)?.[Number(match?.[2]) - 1]
    return specifier === undefined ? [] : [`${file}: ${specifier}`]
  })
  return [...new Set(found)]
}

test('each import across a wall is refused', () => {
  expect(refused(forbidden).toSorted()).toEqual(forbidden.toSorted())
})

test('other imports are not', () => {
  expect(refused(allowed)).toEqual([])
})

test("the page's rooms import each other as their table says, and nothing below them imports a room", () => {
  const no = betweenFolders.filter((one) => !one.allowed).map(({ line }) => line)
  expect(refused(betweenFolders.map(({ line }) => line)).toSorted()).toEqual(no.toSorted())
})

test("shared's folders import each other in the order of their table", () => {
  const pairs = Object.entries(sharedOrder).flatMap(([from, may]) =>
    Object.keys(sharedOrder)
      .filter((to) => to !== from)
      .map((to) => ({
        line: `shared/src/${from}/new.ts: ../${to}/new.ts`,
        allowed: to === 'base' || may.includes(to),
      })),
  )
  const no = pairs.filter((one) => !one.allowed).map(({ line }) => line)
  expect(refused(pairs.map(({ line }) => line)).toSorted()).toEqual(no.toSorted())
})

test("the folders of routes import http's alone", () => {
  const pairs = routeFolders.flatMap((from) =>
    routeFolders
      .filter((to) => to !== from)
      .map((to) => ({ line: `server/src/routes/${from}/new.ts: ../${to}/new.ts`, allowed: to === 'http' })),
  )
  const no = pairs.filter((one) => !one.allowed).map(({ line }) => line)
  expect(refused(pairs.map(({ line }) => line)).toSorted()).toEqual(no.toSorted())
})

function foldersIn(...path: string[]): string[] {
  const entries = readdirSync(inRoot(...path), { withFileTypes: true })
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted()
}

test('every folder is in the tables', () => {
  expect(foldersIn('web', 'src')).toEqual([...Object.keys(rooms), ...Object.keys(below), 'pages'].toSorted())
  expect(foldersIn('server', 'src', 'routes')).toEqual([...routeFolders].toSorted())
  expect(foldersIn('shared', 'src')).toEqual(Object.keys(sharedOrder).toSorted())
})

test('a cycle is refused, one of types too', () => {
  const files = new Map([
    ['shared/src/one.ts', "import type { Two } from './two.ts'\nexport type One = Two | null\n"],
    ['shared/src/two.ts', "import type { One } from './one.ts'\nexport type Two = One[]\n"],
  ])
  expect(lint(checkoutOf(files)).filter((line) => line.includes('no-cycle'))).toHaveLength(2)
})
