/** `npm run data` as a program, beside a server that runs. */
import { existsSync, readFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { dataResponse } from '@expresslane/shared/wire/data'
import { LabError } from '@expresslane/shared/base/errors'
import { runAccepted, runsResponse, sessionView } from '@expresslane/shared/wire/protocol'
import { describe, expect, it } from 'vitest'
import { readDataArguments } from '../../src/data/arguments.ts'
import { dataDir } from '../support/deps.ts'
import { start, startFakeServer, startMain, type Ended } from '../support/http/process.ts'
import { ask } from '../support/http/server.ts'

function data(dir: string, ...args: string[]): Promise<Ended> {
  return start('src/data.ts', { EXPRESSLANE_DATA: dir, INIT_CWD: dir }, args).ended
}

interface Running {
  readonly dir: string
  readonly session: string
  call(path: string, body?: object): Promise<unknown>
  stop(): Promise<void>
}

async function serve(dir = dataDir()): Promise<Omit<Running, 'session'>> {
  const { port, token, child, ended } = await startFakeServer(dir)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return {
    dir,
    async call(path, body) {
      const asked = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
      const { status, text } = await ask(port, path, { ...asked, headers })
      expect(status, text).toBeLessThan(300)
      const answered: unknown = JSON.parse(text)
      return answered
    },
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** A server with some runs in its history. */
async function withRuns(count: number): Promise<Running> {
  const server = await serve()
  const { session } = sessionView.parse(await server.call('/api/sessions', { labId: 'big-tcp-ipv4' }))
  for (let times = 0; times < count; times += 1) await runOne(server, session.id)
  return { ...server, session: session.id }
}

async function runOne(server: Pick<Running, 'call'>, session: string): Promise<string> {
  const { runId } = runAccepted.parse(await server.call(`/api/sessions/${session}/steps/preflight/run`, {}))
  const ended = async (): Promise<boolean> =>
    runsResponse.parse(await server.call('/api/runs')).runs.every(({ endedAt }) => endedAt !== null)
  while (!(await ended()));
  return runId
}

async function idsOf(server: Pick<Running, 'call'>): Promise<string[]> {
  return runsResponse.parse(await server.call('/api/runs')).runs.map(({ id }) => id)
}

describe('npm run data', () => {
  it('shows what the history holds, for people and for programs', async () => {
    const server = await withRuns(3)
    const { code, out } = await data(server.dir, 'info')
    expect(code).toBe(0)
    expect(out).toContain(server.dir)
    expect(out).toMatch(/History +3 runs since \d{4}-\d\d-\d\d, \d+ events/)
    expect(out).toMatch(new RegExp(`${server.session} .* 3 runs, .* big-tcp-ipv4`))
    const json: unknown = JSON.parse((await data(server.dir, 'info', '--json')).out)
    expect(json).toMatchObject({ directory: server.dir, runs: 3, sessions: 1, damaged: [] })
    const shown = dataResponse.parse(await server.call('/api/data'))
    expect(shown).toMatchObject({ directory: server.dir, runs: 3, damaged: [], problem: null })
    expect(shown.bytes).toBeGreaterThan(100_000)
    await server.stop()
  })

  it('prunes beside a server, which runs on and shows what is left', async () => {
    const server = await withRuns(4)
    const [newest = ''] = await idsOf(server)
    expect((await data(server.dir, 'prune', '--keep', '1', '--dry-run')).out).toMatch(
      /This would prune 3 runs with \d+ events/,
    )
    expect(await idsOf(server)).toHaveLength(4)
    const { code, out } = await data(server.dir, 'prune', '--keep', '1')
    expect(code).toBe(0)
    expect(out).toMatch(/Pruned 3 runs with \d+ events, and 0 empty sessions/)
    expect(await idsOf(server)).toEqual([newest])
    const next = await runOne(server, server.session)
    expect(await idsOf(server)).toEqual([next, newest])
    const old = await data(server.dir, 'prune', '--older-than', '1d')
    expect(old.out).toContain('Nothing to prune.')
    const all = await data(server.dir, 'prune', '--session', server.session)
    expect(all.out).toContain('1 empty session.')
    expect(await idsOf(server)).toEqual([])
    await server.stop()
  })

  it('gives space back, beside a server that runs on', async () => {
    const server = await withRuns(2)
    const { code, out } = await data(server.dir, 'vacuum')
    expect([code, out]).toEqual([0, expect.stringMatching(/^The database takes .*; before it took /)])
    await runOne(server, server.session)
    expect(await idsOf(server)).toHaveLength(3)
    await server.stop()
  })

  it('makes a backup beside a server, from which a server starts', async () => {
    const server = await withRuns(2)
    const before = await idsOf(server)
    const file = join(server.dir, 'copy.db')
    const { code, out } = await data(server.dir, 'backup', 'copy.db')
    expect([code, out]).toEqual([0, expect.stringContaining(file)])
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(existsSync(`${file}.part`)).toBe(false)
    await runOne(server, server.session)
    const again = await data(server.dir, 'backup', 'copy.db')
    expect([again.code, again.err]).toEqual([1, expect.stringContaining('exists already')])
    await server.stop()
    const dir = dataDir()
    renameSync(file, join(dir, 'expresslane.db'))
    const restored = await serve(dir)
    expect(await idsOf(restored)).toEqual(before)
    await restored.stop()
  })

  it('prints the link beside a server, which logs in, and through a proxy, too', async () => {
    const main = startMain({ EXPRESSLANE_DATA: dataDir(), EXPRESSLANE_ORIGINS: 'https://labs.example' })
    const { port, token, dir } = await main.ready
    const { code, out, err } = await data(dir, 'link')
    expect([code, err]).toEqual([0, ''])
    const path = `/open?token=${token}`
    expect(out).toBe(`http://127.0.0.1:${port}${path}\nhttps://labs.example${path}\n`)
    expect((await ask(port, path)).status).toBe(303)
    expect(statSync(join(dir, 'server.json')).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(dir, 'server.json'), 'utf8')).not.toContain(token)
  })

  it('prints the link with a token from the environment only to a command that knows it', async () => {
    const token = 'a-token-of-my-own'
    const dir = dataDir()
    const { port } = await startMain({ EXPRESSLANE_DATA: dir, EXPRESSLANE_TOKEN: token }).ready
    const without = await data(dir, 'link')
    expect([without.code, without.out]).toEqual([1, ''])
    expect(without.err).toContain('Set EXPRESSLANE_TOKEN as it is set for the server.')
    const env = { EXPRESSLANE_DATA: dir, EXPRESSLANE_TOKEN: token }
    expect((await start('src/data.ts', env, ['link']).ended).out).toBe(`http://127.0.0.1:${port}/open?token=${token}\n`)
  })

  it('prints no link where no server has started', async () => {
    const { code, err } = await data(dataDir(), 'link')
    expect([code, err]).toEqual([1, expect.stringContaining('No server has started with the data in')])
  })

  it('creates nothing where there is no history', async () => {
    const dir = join(dataDir(), 'none')
    const { code, err } = await data(dir, 'info')
    expect([code, err]).toEqual([1, expect.stringContaining('holds no history')])
    expect(existsSync(dir)).toBe(false)
  })
})

describe('the arguments of npm run data', () => {
  it.each([
    [['info'], { what: 'info', json: false }],
    [['prune', '--older-than', '2w'], { what: 'prune', by: { by: 'age', ms: 14 * 86_400_000 }, dryRun: false }],
    [['prune', '--keep', '0', '--dry-run'], { what: 'prune', by: { by: 'count', keep: 0 }, dryRun: true }],
    [['link'], { what: 'link' }],
    [['backup', 'a file'], { what: 'backup', file: 'a file' }],
  ])('%j are understood', (argv, asked) => {
    expect(readDataArguments(argv)).toEqual(asked)
  })

  it.each([
    [],
    ['clean'],
    ['prune'],
    ['prune', '--keep', '1', '--older-than', '1d'],
    ['prune', '--older-than', 'yesterday'],
    ['prune', '--keep', '-1'],
    ['prune', '--all'],
    ['vacuum', '--keep', '1'],
    ['backup'],
    ['backup', 'a', 'b'],
    ['vacuum', '--json'],
    ['link', 'me'],
  ])('%j %j are refused with the usage', (...argv) => {
    expect(() => readDataArguments(argv)).toThrow(LabError)
  })
})
