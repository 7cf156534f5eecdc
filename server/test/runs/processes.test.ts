/** Processes that are started, killed and started again for real. */
import { createServer } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import { writeFileSync } from 'node:fs'
import { runAccepted, runResponse, sessionView, testbedsResponse } from '@expresslane/shared/wire/protocol'
import { describe, expect, it, onTestFinished } from 'vitest'
import { beginSession, dataDir, openRig } from '../support/deps.ts'
import { start, startFakeServer, startMain } from '../support/http/process.ts'
import { ask } from '../support/http/server.ts'
import { connect, greeted, type Where } from '../support/http/stream-client.ts'

async function call({ port, token }: Where, path: string, body?: object): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const asked = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  const answer = await ask(port, path, { ...asked, headers })
  expect(answer.status, answer.text).toBeLessThan(300)
  return JSON.parse(answer.text)
}

/** Starts the lab's baseline with all that it needs. */
async function startBaseline(where: Where) {
  const { session } = sessionView.parse(await call(where, '/api/sessions', { labId: 'big-tcp-ipv4' }))
  const path = `/api/sessions/${session.id}/steps/baseline/run`
  runAccepted.parse(await call(where, path, { solve: true, params: { repeats: 1, seconds: 1 } }))
  return session
}

const sampled = (event: { type: string }): boolean => event.type === 'sample.taken'

describe('a server that is killed in mid-run', () => {
  it('marks the run as interrupted after a restart, and every client resumes', async () => {
    const data = dataDir()
    const first = await startFakeServer(data, { FAKE_HOLDS: 'netperf' })
    const before = connect(first, 0)
    await before.until(greeted)
    const session = await startBaseline(first)
    await before.until(() => before.events().some(({ event }) => sampled(event)))
    first.child.kill('SIGKILL')
    await before.closed
    const got = before.events()

    const second = await startFakeServer(data)
    expect(second.token).toBe(first.token)
    const after = connect(second, got.at(-1)?.seq ?? 0)
    await after.until(() => after.events().some(({ event }) => event.type === 'run.ended'))
    expect(after.frames[0]).not.toMatchObject({ boot: (before.frames[0] as { boot: string }).boot })
    const seqs = [...got, ...after.events()].map(({ seq }) => seq)
    expect(seqs).toEqual(seqs.map((_, index) => index + 1))

    const measuring = got.find(({ event }) => sampled(event))?.runId ?? 'r_00000000'
    const { run } = runResponse.parse(await call(second, `/api/runs/${measuring}`))
    expect(run).toMatchObject({ stepId: 'baseline', state: 'interrupted', problem: { code: 'server_restarted' } })
    expect(run.repeats[0]?.samples).toHaveLength(1)

    // The testbed is another one now: what was deployed is gone, and Solve knows.
    const [testbed] = testbedsResponse.parse(await call(second, '/api/testbeds')).testbeds
    expect(testbed).toMatchObject({ busy: null, problem: null, datapath: { placement: null } })
    const again = await call(second, `/api/sessions/${session.id}/steps/baseline/run`, { solve: true })
    expect(runAccepted.parse(again).stepId).toBe('deploy')
    await after.until(() => after.events().some(({ event }) => event.type === 'measurement.taken'))
  })

  it('keeps its testbed from other processes while it runs', async () => {
    const data = dataDir()
    const server = await startFakeServer(data, { FAKE_HOLDS: 'netperf' })
    const client = connect(server, 0)
    await startBaseline(server)
    await client.until(() => client.events().some(({ event }) => sampled(event)))
    const { deps } = openRig({ data })
    const session = await beginSession(deps)
    const request = { stepId: 'preflight', params: {}, solve: false }
    const { runId, queue } = await deps.scheduler.start(session, request)
    expect(queue?.place).toBe(1)
    server.child.kill('SIGKILL')
    await server.ended
    await deps.scheduler.settled(runId)
    expect(deps.log.state(runId)?.state).toBe('completed')
  })

  it('leaves its queued runs to the next one', async () => {
    const data = dataDir()
    const first = await startFakeServer(data, { FAKE_HOLDS: 'netperf' })
    const client = connect(first, 0)
    await startBaseline(first)
    await client.until(() => client.events().some(({ event }) => sampled(event)))
    const { session } = sessionView.parse(await call(first, '/api/sessions', { labId: 'big-tcp-ipv6' }))
    const asked = await call(first, `/api/sessions/${session.id}/steps/verify-off/run`, { solve: true })
    const { runId, queue } = runAccepted.parse(asked)
    expect(queue?.place).toBe(1)
    first.child.kill('SIGKILL')
    await first.ended
    const { deps } = openRig({ data })
    await deps.scheduler.settled(runId)
    const ended = deps.store.runs.ofSession(session.id).map(({ stepId, state }) => [stepId, state])
    expect(ended).toEqual([
      ['preflight', 'completed'],
      ['verify-off', 'completed'],
    ])
    expect(deps.store.runs.page({ limit: 50, state: 'interrupted' })).toHaveLength(1)
  })
})

describe('a server that is stopped', () => {
  it('records the running run as cancelled, reports that, and exits with 0', async () => {
    const server = await startFakeServer(dataDir(), { FAKE_HOLDS: 'netperf' })
    const client = connect(server, 0)
    await startBaseline(server)
    await client.until(() => client.events().some(({ event }) => sampled(event)))
    server.child.kill('SIGTERM')
    expect(await client.closed).toBe(1001)
    expect(client.events().at(-1)?.event).toMatchObject({ type: 'run.ended', state: 'cancelled', problem: null })
    expect((await server.ended).code).toBe(0)
  })

  it('does the same as main.ts', async () => {
    const main = startMain()
    const { port, token } = await main.ready
    expect((await ask(port, `/open?token=${token}`)).status).toBe(303)
    main.child.kill('SIGTERM')
    expect(await main.ended).toMatchObject({ code: 0, err: '' })
  })
})

describe('a server that can not start', () => {
  it('opens nothing to other machines without a token, and shows how to set one', async () => {
    const { code, out, err } = await start('src/main.ts', { EXPRESSLANE_DATA: dataDir(), HOST: '0.0.0.0' }).ended
    expect([code, out]).toEqual([1, ''])
    expect(err).toContain('HOST=0.0.0.0 opens this server to other machines')
    expect(err).toContain('EXPRESSLANE_TOKEN=')
  })

  it('reports that its port is in use, and names another', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void taken.close())
    await once(taken, 'listening')
    const address = taken.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const { code, err } = await start('src/main.ts', { EXPRESSLANE_DATA: dataDir(), PORT: String(port) }).ended
    expect(code).toBe(1)
    expect(err).toContain(`already listens on 127.0.0.1:${port}`)
    expect(err).toContain(`PORT=${port + 1} npm start`)
  })

  it('reports that it can’t write its data, and names another place', async () => {
    const file = join(dataDir(), 'file')
    writeFileSync(file, '')
    const { code, err } = await start('src/main.ts', { EXPRESSLANE_DATA: join(file, 'data') }).ended
    expect(code).toBe(1)
    expect(err).toContain('EXPRESSLANE_DATA=')
  })
})
