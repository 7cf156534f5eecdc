/** A disk that is really full: a small tmpfs in a mount namespace of its own, which ends with the server. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { errorBody } from '@expresslane/shared/base/errors'
import { runAccepted, runResponse, sessionView } from '@expresslane/shared/wire/protocol'
import { door } from '@expresslane/shared/wire/board'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { openStore } from '../../src/store/open.ts'
import { dataDir } from '../support/deps.ts'
import { browser } from '../support/http/browser.ts'
import { startProgram } from '../support/http/process.ts'
import { ask, type Answer } from '../support/http/server.ts'

const where = z.object({ port: z.number(), token: z.string(), pid: z.number() })
const script = join(import.meta.dirname, '../support/fakes/fake-server.ts')

/** Mounts the disk on the data directory, and then becomes the server. @param servers one after the other on the same disk */
function startOnDisk(data: string, size: string, { servers = 1, env = {} } = {}) {
  const mount = `mount -t tmpfs -o size=${size},mode=700 tmpfs "$EXPRESSLANE_DATA"`
  const shell = [mount, ...Array.from({ length: servers - 1 }, () => '{ "$0" "$1" || true; }'), 'exec "$0" "$1"']
  const args = ['--user', '--map-root-user', '--mount', 'sh', '-c', shell.join(' && '), process.execPath, script]
  return startProgram('unshare', args, { EXPRESSLANE_DATA: data, ...env })
}

/** Takes all the space that is left. */
function fill(file: string): void {
  const piece = Buffer.alloc(4096)
  try {
    for (;;) writeFileSync(file, piece, { flag: 'a' })
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' })
  }
}

async function startServer() {
  const data = dataDir()
  const program = startOnDisk(data, '4m')
  const { port, token, pid } = where.parse(JSON.parse(await program.firstLine))
  const call = (path: string, body?: object): Promise<Answer> =>
    ask(port, path, {
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    })
  // The disk as the server sees it.
  return { program, call, filler: join(`/proc/${pid}/root`, data, 'filler') }
}

describe('a full disk', () => {
  it('makes the server not ready before it is full', async () => {
    const { call } = await startServer()
    const { status, text } = await call('/readyz')
    expect(status).toBe(503)
    expect(errorBody.parse(JSON.parse(text)).error).toMatchObject({
      code: 'data_full',
      message: expect.stringMatching(/is almost full: \d+ KiB are free\.$/),
      remedyCommand: 'npm run data -- info',
    })
  })

  it('has a code and a remedy, keeps what was stored, and is over when there is space', async () => {
    const { call, filler, program } = await startServer()
    const { session } = sessionView.parse(JSON.parse((await call('/api/sessions', { labId: 'big-tcp-ipv4' })).text))
    const start = `/api/sessions/${session.id}/steps/preflight/run`
    const first = runAccepted.parse(JSON.parse((await call(start, {})).text))
    const stateOf = async (id: string) => runResponse.parse(JSON.parse((await call(`/api/runs/${id}`)).text)).run
    while ((await stateOf(first.runId)).state !== 'completed');
    fill(filler)
    // SQLite still has room in its log for some writes.
    let answer = await call(start, {})
    for (let times = 0; answer.status === 202 && times < 500; times += 1) answer = await call(start, {})
    expect(answer.status).toBe(507)
    expect(errorBody.parse(JSON.parse(answer.text)).error).toMatchObject({
      code: 'data_full',
      message: expect.stringContaining('is full'),
      remedyCommand: 'npm run data -- info',
    })
    // Reading goes on.
    expect((await stateOf(first.runId)).state).toBe('completed')
    rmSync(filler)
    let again = await call(start, {})
    // The runs that could not be recorded are ended first.
    while (again.status !== 202) again = await call(start, {})
    const { runId } = runAccepted.parse(JSON.parse(again.text))
    let ended = await stateOf(runId)
    while (ended.state === 'queued' || ended.state === 'running') ended = await stateOf(runId)
    expect(ended.state).toBe('completed')
    program.child.kill('SIGTERM')
    expect((await program.ended).code).toBe(0)
  })

  it('is what a server says that can not start for it', async () => {
    const data = dataDir()
    const { code, err } = await startOnDisk(data, '64k').ended
    expect(code).not.toBe(0)
    expect(err).toContain('data_full')
    expect(err).toContain(`The disk with ${data} is full.`)
  })
})

describe('a person who is removed while the disk is full', () => {
  it('is out at once, and after kill -9 on the full disk too', async () => {
    const data = dataDir()
    const env = { EXPRESSLANE_WORKSHOP: '1', HOST: '127.0.0.1' }
    const { child, firstLine } = startOnDisk(data, '80m', { servers: 2, env })
    const { port, token, pid } = where.parse(JSON.parse(await firstLine))
    const owner = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const opened = await ask(port, '/api/room/doors/participant', {
      method: 'PUT',
      headers: owner,
      body: '{"open":true}',
    })
    const { code } = door.parse(JSON.parse(opened.text))
    const guest = browser(port)
    await guest.send('POST', '/api/join', { code, name: 'Anna' })
    const anna = await guest.me()
    const key = guest.cookies.get(`expresslane_${port}`) ?? ''
    const disk = join(`/proc/${pid}/root`, data)
    await vi.waitUntil(() => existsSync(join(disk, 'reserve')), { timeout: 60_000 })
    fill(join(disk, 'filler'))
    // SQLite still has room in its log for some writes.
    const save = { method: 'POST', headers: owner, body: '{"labId":"big-tcp-ipv4"}' }
    while ((await ask(port, '/api/sessions', save)).status === 201);
    expect((await ask(port, '/api/sessions', save)).status).toBe(507)
    const removal = { method: 'DELETE', headers: { authorization: `Bearer ${token}` } }
    expect((await ask(port, `/api/room/participants/${anna?.id}`, removal)).status).toBe(204)
    expect(await guest.me()).toBeNull()
    const next = new Promise<string>((resolve) => createInterface(child.stdout ?? process.stdin).once('line', resolve))
    process.kill(pid, 'SIGKILL')
    const again = where.parse(JSON.parse(await next))
    expect((await ask(again.port, '/api/me', { headers: { authorization: `Bearer ${token}` } })).status).toBe(200)
    expect((await ask(again.port, '/api/me', { headers: { authorization: `Bearer ${key}` } })).status).toBe(401)
  })
})

describe('a disk that is too small for the file that a command writes', () => {
  /** Runs a program of the server with a small disk on `to`. @returns what it said, and the files that are on that disk then */
  async function writeTo(to: string, data: string, program: string, ...args: string[]) {
    const run = `"$@" >&2; ls -A "$SMALL"`
    const shell = `mount -t tmpfs -o size=64k,mode=700 tmpfs "$SMALL" && { ${run}; }`
    const path = join(import.meta.dirname, '../..', program)
    const argv = ['--user', '--map-root-user', '--mount', 'sh', '-c', shell, 'sh', process.execPath, path, ...args]
    return await startProgram('unshare', argv, { SMALL: to, EXPRESSLANE_DATA: data }).ended
  }

  it('is named by a backup, of which nothing stays', async () => {
    const [to, data] = [dataDir(), dataDir()]
    openStore(data).close()
    const { err, out } = await writeTo(to, data, 'src/data.ts', 'backup', join(to, 'history.db'))
    expect(err).toContain(`The disk of ${join(to, 'history.db')} is full.`)
    expect(out).toBe('')
  })

  it('is named by a lab’s result, of which nothing stays', async () => {
    const to = dataDir()
    const { err, out } = await writeTo(to, to, 'test/support/fakes/large-result.ts', join(to, 'result.json'))
    expect(err).toContain(`The disk of ${join(to, 'result.json')} is full.`)
    expect(out).toBe('')
  })
})

describe('a limit of the size of files', () => {
  it('is a disk that refuses to be written, and not a damaged database', async () => {
    const data = dataDir()
    const shell = 'ulimit -f 16; trap "" XFSZ; exec "$0" "$1"'
    const { code, err } = await startProgram('sh', ['-c', shell, process.execPath, script], { EXPRESSLANE_DATA: data })
      .ended
    expect(code).not.toBe(0)
    expect(err).toMatch(/data_unwritable|data_full/)
    expect(readFileSync(join(data, 'expresslane.db')).length).toBeLessThanOrEqual(16 * 1024)
  })
})
