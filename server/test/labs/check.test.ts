import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { programFile } from '../support/http/process.ts'
import { checkLabs } from '../../src/headless/check.ts'
import { good } from './good-lab.ts'

const headless = programFile('src/headless.ts')

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'labs-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'mine.md'), good)
  writeFileSync(join(folder, 'bad.md'), good.replace('minutes: 5', 'minutes: x').replace('kind: pre', 'kind: per'))
  return folder
}

interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** The command as `npm run lab` calls it. */
async function lab(folder: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const data = join(folder, 'data')
  return promisify(execFile)(process.execPath, [headless, ...args], {
    env: { ...process.env, INIT_CWD: folder, EXPRESSLANE_DATA: data, ...env },
  }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: Ended) => error,
  )
}

describe('checkLabs', () => {
  it('names files as in the arguments, and counts the labs of valid files', () => {
    const folder = makeFolder()
    expect(checkLabs(['mine.md'], folder)).toEqual({ lines: [], labs: 2 })
    expect(checkLabs(['./bad.md'], folder).lines).toEqual([
      './bad.md:7:10: "minutes": expected a number, found "x"',
      expect.stringMatching(
        /^\.\/bad\.md:41:7: "kind": expected one of .*did you mean "preflight"\?, found "perflight"$/,
      ),
    ])
  })

  it('checks every lab of a folder, and recognizes other files', () => {
    const folder = makeFolder()
    expect(checkLabs(['.'], folder)).toMatchObject({ lines: { length: 2 }, labs: 2 })
    expect(checkLabs(['x.txt', 'gone.md'], folder).lines).toEqual([
      'x.txt:1:1: expected a file that ends in .md, found x.txt',
      expect.stringMatching(/^gone\.md:1:1: this file can't be read: /),
    ])
  })
})

describe('npm run lab', () => {
  it('check prints one line per problem, exits with 1, and leaves nothing behind', async () => {
    const folder = makeFolder()
    const bad = await lab(folder, ['check', 'mine.md', 'bad.md'])
    expect(bad).toMatchObject({ code: 1, stderr: '' })
    expect(bad.stdout.split('\n').map((line) => line.split(': ')[0])).toEqual(['bad.md:7:10', 'bad.md:41:7', ''])
    expect(await lab(folder, ['check', 'mine.md'])).toMatchObject({
      code: 0,
      stdout: '',
      stderr: '2 labs, no errors\n',
    })
    expect(await lab(folder, ['check'])).toMatchObject({ code: 2, stdout: '' })
    expect(readdirSync(folder).toSorted()).toEqual(['bad.md', 'mine.md'])
  })

  it('--list includes own labs, and reports files with errors', async () => {
    const folder = makeFolder()
    const listed = await lab(folder, ['--list'], { EXPRESSLANE_LABS: `${folder}:nowhere` })
    expect(listed.code).toBe(0)
    expect(listed.stdout).toContain('big-tcp-ipv4\t')
    expect(listed.stdout).toContain('mine-ipv6\tIs it faster?')
    expect(listed.stderr).toMatch(/\/bad\.md:7:10: /)
    expect(listed.stderr).toMatch(/\/nowhere:1:1: this folder can't be read/)
  })
})
