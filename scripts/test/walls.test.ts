import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { inRoot } from '../base/paths.mjs'
import { acrossWalls, importsOf, readLists, refusedBy } from '../walls/lists.mjs'
import { allowed, forbidden } from './import-lines.ts'

const texts = ['server/src', 'shared/src', 'web/src', 'e2e', 'bench'].flatMap((folder) =>
  readdirSync(inRoot(folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path}`)
    .filter((file) => file.endsWith('/DEPS.list') && !file.includes('node_modules'))
    .map((file) => ({ file, text: readFileSync(inRoot(file), 'utf8') })),
)
const lists = readLists(texts)

function refused(imports: readonly string[]): string[] {
  return imports.filter((line) => {
    const [file = '', specifier = ''] = line.split(': ')
    return refusedBy(file, specifier, lists) !== null
  })
}

test('each import across a wall is refused', () => {
  expect(refused(forbidden)).toEqual(forbidden)
})

test('other imports are not', () => {
  expect(refused(allowed)).toEqual([])
})

test.each(['server/src', 'shared/src', 'web/src'])('every folder of %s has a list', (folder) => {
  const folders = readdirSync(inRoot(folder), { withFileTypes: true }).filter((entry) => entry.isDirectory())
  expect(folders.map(({ name }) => name).filter((name) => !lists.has(`${folder}/${name}`))).toEqual([])
})

test('imports of every kind count, imports of types too', () => {
  const text = [
    "import type { One } from './one.ts'",
    "import './two.css'",
    "export * from './three.ts'",
    'import {',
    '  four,',
    "} from '@four/four'",
    "const five = () => import('./five.ts')",
    "// import { no } from './no.ts'",
  ].join('\n')
  expect(importsOf(text)).toEqual(['./one.ts', './two.css', './three.ts', '@four/four', './five.ts'])
})

const small = {
  'src/DEPS.list': '[**]\nzod # everywhere\n[*]\n./low/',
  'src/low/DEPS.list': '[*]\n',
  'src/parts/DEPS.list': '[registry.ts]\n./*/\n[*/run-*.ts]\n../low/\n[*/]\n./*.ts\n!./secret.ts\n[*]\n',
}

test.each([
  ['src/main.ts: ./low/deep/one.ts', true],
  ['src/main.ts: ./other/one.ts', true],
  ['src/main.ts: ./parts/registry.ts', false],
  ['src/main.ts: fastify', false],
  ['src/low/one.ts: zod/mini', true],
  ['src/low/one.ts: zodiac', false],
  ['src/low/one.ts: ../main.ts', false],
  ['src/low/one.ts: ./deep/two.ts', true],
  ['src/low/deep/two.ts: ../one.ts', true],
  ['src/parts/registry.ts: ./one/part.ts', true],
  ['src/parts/beside.ts: ./one/part.ts', false],
  ['src/parts/beside.ts: ./registry.ts', true],
  ['src/parts/one/part.ts: ../beside.ts', true],
  ['src/parts/one/part.ts: ../secret.ts', false],
  ['src/parts/one/part.ts: ../two/part.ts', false],
  ['src/parts/one/deep/part.ts: ../part.ts', true],
  ['src/parts/one/run-one.ts: ../../low/one.ts', true],
  ['src/parts/one/part.ts: ../../low/one.ts', false],
])('%s is allowed: %s', (line, isAllowed) => {
  const [file = '', specifier = ''] = line.split(': ')
  const module = { file, text: `export * from '${specifier}'\n` }
  const found = acrossWalls([...Object.entries(small).map(([at, text]) => ({ file: at, text })), module])
  expect(found).toHaveLength(isAllowed ? 0 : 1)
})

test('a list without a section is refused', () => {
  expect(() => readLists([{ file: 'src/DEPS.list', text: 'zod\n' }])).toThrow('src/DEPS.list')
})

test('a cycle is refused, one of types too', () => {
  const checkout = mkdtempSync(join(tmpdir(), 'expresslane-imports-'))
  afterAll(() => rmSync(checkout, { recursive: true }))
  cpSync(inRoot('oxlint.config.ts'), join(checkout, 'oxlint.config.ts'))
  const files = {
    'shared/src/one.ts': "import type { Two } from './two.ts'\nexport type One = Two | null\n",
    'shared/src/two.ts': "import type { One } from './one.ts'\nexport type Two = One[]\n",
  }
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(checkout, file)), { recursive: true })
    writeFileSync(join(checkout, file), text)
  }
  const { stdout } = spawnSync(inRoot('node_modules', '.bin', 'oxlint'), ['--format=unix'], {
    cwd: checkout,
    encoding: 'utf8',
  })
  expect(stdout.split('\n').filter((line) => line.includes('no-cycle'))).toHaveLength(2)
})
