/** Other users of this machine can't read the data directory and the secrets in it. */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { LabError } from '@expresslane/shared/base/errors'
import { describe, expect, it } from 'vitest'
import { keptToken } from '../../src/access/token.ts'
import { openStore } from '../../src/store/open.ts'
import { dataDir } from '../support/deps.ts'
import { start } from '../support/http/process.ts'

function refusal(work: () => unknown): LabError {
  try {
    work()
  } catch (error) {
    if (error instanceof LabError) return error
    throw error
  }
  throw new Error('it was not refused')
}

/** Runs the command that an error shows, as a person would. */
function mend({ remedyCommand }: LabError): void {
  // Root needs no sudo, and not every machine has it.
  execFileSync('sh', ['-c', (remedyCommand ?? 'false').replace(/^sudo /, '')])
}

const asRoot = process.getuid?.() === 0
const SOMEBODY = 12_345

describe('a data directory', () => {
  it.each([0o755, 0o750, 0o701, 0o770])('with mode %o is refused with the command that mends it', (mode) => {
    const dir = join(dataDir(), 'it’s mine')
    mkdirSync(dir)
    chmodSync(dir, mode)
    const error = refusal(() => openStore(dir))
    expect(error.code).toBe('data_exposed')
    expect(error.message).toContain(mode.toString(8))
    mend(error)
    openStore(dir).close()
    expect(statSync(dir).mode & 0o777).toBe(0o700)
  })

  it.runIf(asRoot)('of another user is refused with the command that mends it', () => {
    const dir = dataDir()
    chownSync(dir, SOMEBODY, SOMEBODY)
    const error = refusal(() => openStore(dir))
    expect(error).toMatchObject({ code: 'data_exposed', message: expect.stringContaining(String(SOMEBODY)) })
    mend(error)
    openStore(dir).close()
  })

  it('gets a database for its owner alone, also where the umask allows more', () => {
    const dir = dataDir()
    const store = openStore(dir)
    for (const name of ['expresslane.db', 'expresslane.db-wal', 'expresslane.db-shm']) {
      expect([name, statSync(join(dir, name)).mode & 0o777]).toEqual([name, 0o600])
    }
    store.close()
  })
})

describe('the token’s file', () => {
  function withToken(): { dir: string; file: string; token: string } {
    const dir = dataDir()
    return { dir, file: join(dir, 'token'), token: keptToken(dir) }
  }

  it.each([0o644, 0o640, 0o660])('with mode %o is refused with the command that mends it', (mode) => {
    const { dir, file, token } = withToken()
    chmodSync(file, mode)
    const error = refusal(() => keptToken(dir))
    expect(error.code).toBe('data_exposed')
    expect(JSON.stringify(error.toProblem())).not.toContain(token)
    mend(error)
    expect(keptToken(dir)).toBe(token)
  })

  it.runIf(asRoot)('of another user is refused with the command that mends it', () => {
    const { dir, file, token } = withToken()
    chownSync(file, SOMEBODY, SOMEBODY)
    const error = refusal(() => keptToken(dir))
    expect(error.code).toBe('data_exposed')
    mend(error)
    expect(keptToken(dir)).toBe(token)
  })

  it.each(['a-token-of-somebody-else', null])('is not followed when it is a link to %j', (text) => {
    const dir = dataDir()
    const elsewhere = join(dataDir(), 'elsewhere')
    if (text !== null) writeFileSync(elsewhere, text, { mode: 0o600 })
    symlinkSync(elsewhere, join(dir, 'token'))
    const error = refusal(() => keptToken(dir))
    expect(error).toMatchObject({ code: 'data_exposed', message: expect.stringContaining('symbolic link') })
    if (text === null) expect(existsSync(elsewhere)).toBe(false)
    mend(error)
    expect(keptToken(dir)).toMatch(/^[\w-]{32}$/)
    if (text !== null) expect(readFileSync(elsewhere, 'utf8')).toBe(text)
  })

  it('is not waited for when it is a named pipe', () => {
    const dir = dataDir()
    execFileSync('mkfifo', ['-m', '600', join(dir, 'token')])
    expect(refusal(() => keptToken(dir))).toMatchObject({
      code: 'data_exposed',
      message: expect.stringContaining('not a file'),
    })
  })

  it('is replaced when it holds no token', () => {
    const dir = dataDir()
    writeFileSync(join(dir, 'token'), 'short\n', { mode: 0o600 })
    const token = keptToken(dir)
    expect(token).toMatch(/^[\w-]{32}$/)
    expect(keptToken(dir)).toBe(token)
    expect(statSync(join(dir, 'token')).mode & 0o777).toBe(0o600)
  })
})

describe('a server', () => {
  it('refuses an exposed data directory, and names the command', async () => {
    const dir = dataDir()
    chmodSync(dir, 0o755)
    const { code, err } = await start('src/main.ts', { EXPRESSLANE_DATA: dir }).ended
    expect(code).toBe(1)
    expect(err).toContain(`chmod 700 ${dir}`)
  })

  it('writes files for its own user alone', async () => {
    const main = start('src/main.ts', { EXPRESSLANE_DATA: dataDir() })
    await main.firstLine
    const status = readFileSync(`/proc/${main.child.pid}/status`, 'utf8')
    expect(/^Umask:\t(\d+)$/m.exec(status)?.[1]).toBe('0077')
  })
})
