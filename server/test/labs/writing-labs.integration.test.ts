/** Follows docs/writing-labs.md: saves the file that it shows, and runs its commands as they stand there. */
import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { createLabCatalogue } from '../../src/labs/catalogue.ts'
import { programFile } from '../support/http/process.ts'

const root = join(import.meta.dirname, '../../..')
const page = readFileSync(join(root, 'docs/writing-labs.md'), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'writing-labs-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The blocks of a section, by its heading. */
function blocks(heading: string, language: string): string[] {
  const [, after = ''] = page.split(`\n## ${heading}\n`)
  const [section = ''] = after.split(/\n## \d|\n## The parts/)
  return [...section.matchAll(/^(`{3,4})(\w+)\n(.*?)^\1$/gms)]
    .filter(([, , word]) => word === language)
    .map(([, , , text = '']) => text)
}

function only(heading: string, language: string): string {
  const found = blocks(heading, language)
  expect(found, heading).toHaveLength(1)
  return found[0] ?? ''
}

/** `npm` as in a checkout: `npm run lab -- ARGUMENTS` calls the command itself, from the folder where the author is. */
function makeNpm(): string {
  const bin = join(folder, 'bin')
  mkdirSync(bin, { recursive: true })
  const headless = programFile('src/headless.ts')
  writeFileSync(
    join(bin, 'npm'),
    `#!/bin/sh\n[ "$1 $2 $3" = "run lab --" ] || exit 99\nshift 3\nINIT_CWD=$PWD exec "${process.execPath}" "${headless}" "$@"\n`,
  )
  chmodSync(join(bin, 'npm'), 0o755)
  return bin
}

interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

async function type(commands: string): Promise<Ended> {
  const env = { ...process.env, PATH: `${makeNpm()}:${process.env['PATH']}`, EXPRESSLANE_DATA: join(folder, 'data') }
  return promisify(execFile)('sh', ['-ec', commands], { cwd: folder, env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: Ended) => error,
  )
}

describe('docs/writing-labs.md', () => {
  const [, file = ''] = /Save this as `([^`]+)`/.exec(page) ?? []
  const text = only('2. Write the file', 'markdown')

  it('creates a folder with a lab, which passes the check', async () => {
    expect(await type(only('1. Make a folder', 'sh'))).toMatchObject({ code: 0 })
    writeFileSync(join(folder, file), text)
    const check = only('3. Check it', 'sh')
    expect(await type(check)).toMatchObject({ code: 0, stdout: '', stderr: '1 lab, no errors\n' })
    expect(page).toContain('It prints `1 lab, no errors`')
  })

  it('shows the error of a misspelt key', async () => {
    expect(text.split('\n')[7]).toBe('minutes: 2')
    writeFileSync(join(folder, file), text.replace('minutes: 2', 'minuts: 2'))
    const { code, stdout } = await type(only('3. Check it', 'sh'))
    expect(stdout).toBe(only('3. Check it', 'text'))
    expect(code).toBe(1)
    writeFileSync(join(folder, file), text)
  })

  it('runs it on this machine’s kernel, and compares both sizes', async () => {
    const { code, stdout, stderr } = await type(only('4. Run it without a browser', 'sh'))
    expect(code, stderr).toBe(0)
    expect(stderr).toContain('Restore')
    const comparisons: unknown = JSON.parse(stdout)
    expect(comparisons).toEqual([
      expect.objectContaining({ caseId: 'small', arm: 'on', against: 'off' }),
      expect.objectContaining({ caseId: 'large', arm: 'on', against: 'off' }),
    ])
  }, 180_000)

  it('shows it on the page as an own lab', async () => {
    expect(only('5. Run it in the browser', 'sh')).toBe(`EXPRESSLANE_LABS=${dirname(file)} npm start\n`)
    const catalogue = createLabCatalogue([{ path: join(folder, dirname(file)), origin: 'own', watched: false }], [])
    expect(catalogue.all()).toMatchObject([{ id: 'request-sizes', origin: 'own', file }])
    await catalogue.close()
  })

  it('lists all actions and all keys', () => {
    const { actions, keys } = { actions: [...page.matchAll(/^\| `(\w+)` +\|/gm)].map(([, kind]) => kind), keys: page }
    const kinds = [
      'preflight',
      'verify',
      'switch',
      'deploy',
      'read',
      'measure',
      'compare',
      'experiment',
      'capture',
      'restore',
    ]
    expect(actions).toEqual(expect.arrayContaining(kinds))
    for (const key of only('3. Check it', 'text')
      .match(/one of ([^;]+);/)?.[1]
      ?.split(', ') ?? []) {
      expect(keys).toContain(`\`${key}\``)
    }
  })
})
