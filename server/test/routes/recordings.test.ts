/** Recordings over the API: exported, imported, listed, chosen, played back, removed. */
import {
  formatRecording,
  RECORDING_BYTES,
  recordingsResponse,
  recordingView,
} from '@expresslane/shared/recordings/recording'
import { runAccepted, runResponse, sessionView, testbedView } from '@expresslane/shared/wire/protocol'
import { once } from 'node:events'
import { request, type ClientRequest } from 'node:http'
import { connect } from 'node:net'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { openDeps } from '../../src/deps.ts'
import { newSession, openApi, read, refused, startStep, type Api } from '../support/http/api.ts'
import { dataDir, testConfig } from '../support/deps.ts'
import { startServer, type TestServer } from '../support/http/server.ts'
import { createFakeTestbed } from '../support/fakes/fake-testbed.ts'
import { aRecording, aRun, progress, recordingFile } from '../support/runs/recordings.ts'

const outcome = { passed: true, sentence: 'It worked.', observations: [], hint: null }
const made = aRecording([
  aRun('preflight', [[0, { type: 'step.checked', outcome }]]),
  aRun('baseline', [
    [0, progress('one')],
    [3_600_000, progress('an hour later')],
  ]),
])
const file = formatRecording(made)

/** A server with its real testbeds; nothing here touches those that measure. */
async function openReal(data = dataDir()) {
  const deps = openDeps(testConfig(data))
  onTestFinished(() => deps.close())
  const { server, token } = await buildApp(deps)
  onTestFinished(() => server.close())
  const headers = { host: 'localhost:0', authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  async function call(method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object | string) {
    const answer = await server.inject({ method, url, headers, ...(payload !== undefined && { payload }) })
    const isJson = /^application\/json(;|$)/.test(String(answer.headers['content-type']))
    return { status: answer.statusCode, body: isJson ? answer.json<unknown>() : null, text: answer.body }
  }
  return { deps, data, call }
}

type Real = Awaited<ReturnType<typeof openReal>>

const listed = async ({ call }: Pick<Real, 'call'>) =>
  read(await call('GET', '/api/recordings'), 200, recordingsResponse).recordings

async function imported(real: Real, text = file) {
  return read(await real.call('POST', '/api/recordings', text), 201, recordingView)
}

async function chosen(real: Real) {
  const { id } = await imported(real)
  return read(await real.call('PUT', '/api/testbeds/recording/context', { context: id }), 200, testbedView)
}

async function started({ call }: Real, stepId: string) {
  const view = read(
    await call('POST', '/api/sessions', { labId: 'big-tcp-ipv4', testbed: 'recording' }),
    201,
    sessionView,
  )
  const answer = await call('POST', `/api/sessions/${view.session.id}/steps/${stepId}/run`, { params: { speed: 20 } })
  return { session: view.session, answer }
}

describe('importing', () => {
  it('stores the file, lists it after the shipped ones, and returns it unchanged', async () => {
    const real = await openReal()
    const shipped = await listed(real)
    expect(shipped.length).toBeGreaterThanOrEqual(2)
    expect(shipped.every((one) => one.shipped)).toBe(true)
    // Each picture has both sides of a comparison; a recording that compares nothing has none.
    const pictures = shipped.flatMap(({ picture }) => picture ?? [])
    expect(pictures.length).toBeGreaterThanOrEqual(2)
    expect(pictures.every(({ arms }) => arms.length > 1 && arms.every(({ at }) => at.length > 3))).toBe(true)
    const view = await imported(real)
    expect(view.picture).toBeNull()
    expect(view).toMatchObject({ name: 'By hand', lab: 'big-tcp-ipv4', testbed: 'netns', runs: 2, shipped: false })
    expect(view.lastsMs).toBe(3_600_000)
    expect(await listed(real)).toEqual([...shipped, view])
    expect((await real.call('GET', `/api/recordings/${view.id}`)).text).toBe(file)
  })

  it('the same file twice makes one recording, even after a restart', async () => {
    const real = await openReal()
    const view = await imported(real)
    expect(await imported(real)).toEqual(view)
    await real.deps.close()
    expect((await listed(await openReal(real.data))).filter((one) => !one.shipped)).toEqual([view])
  })

  it('refuses a broken file with line and field, and stores nothing', async () => {
    const real = await openReal()
    const broken = file.replace('"total":2', '"total":"two"')
    const line = broken.split('\n').findIndex((one) => one.includes('"two"')) + 1
    const problem = refused(await real.call('POST', '/api/recordings', broken), 400)
    expect(problem.code).toBe('recording_invalid')
    expect(problem.message).toContain(`Line ${line}, field event.total: `)
    expect((await listed(real)).filter((one) => !one.shipped)).toEqual([])
  })

  it('accepts more than other requests, up to a limit', async () => {
    const real = await openReal()
    const big = formatRecording({ ...made, runs: [...made.runs, ...Array(300).fill(made.runs[1])] })
    expect(big.length).toBeGreaterThan(128 * 1024)
    expect((await real.call('POST', '/api/recordings', big)).status).toBe(201)
    expect((await real.call('POST', '/api/sessions', { labId: 'x'.repeat(128 * 1024) })).status).toBe(400)
    const tooBig = refused(await real.call('POST', '/api/recordings', ' '.repeat(RECORDING_BYTES + 1)), 400)
    expect(tooBig).toMatchObject({ code: 'recording_invalid', message: 'This file is larger than 32 MB.' })
  })
})

describe('a file above the limit', () => {
  it('is answered although its sender goes on, and the connection stays', async () => {
    const { port, token } = await startServer()
    const half = Buffer.alloc(RECORDING_BYTES, ' ')
    const socket = connect(port, '127.0.0.1').setEncoding('utf8')
    onTestFinished(() => void socket.destroy())
    let said = ''
    socket.on('data', (part: string) => (said += part))
    const head = `Host: localhost:${port}\r\nAuthorization: Bearer ${token}\r\n`
    socket.write(
      `POST /api/recordings HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ${2 * half.length}\r\n\r\n`,
    )
    await expect.poll(() => said).toContain('This file is larger than 32 MB.')
    for (let sent = 0; sent < 2; sent++)
      await promisify((then: (error?: Error | null) => void) => socket.write(half, then))()
    socket.write(`GET /healthz HTTP/1.1\r\n${head}\r\n`)
    await expect.poll(() => said).toContain('HTTP/1.1 200 OK')
  })
})

/** Begins an import and sends no end. Resolves when the server has read its headers. */
async function beginImport({ port, token }: TestServer): Promise<ClientRequest> {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-length': '1000000',
    expect: '100-continue',
  }
  const upload = request({ host: '127.0.0.1', port, path: '/api/recordings', method: 'POST', headers, agent: false })
  upload.on('error', () => {}).flushHeaders()
  onTestFinished(() => void upload.destroy())
  await once(upload, 'continue')
  upload.write('{')
  return upload
}

describe('many imports at once', () => {
  it('wait with their bodies for the two that are being read, and others are answered', async () => {
    const server = await startServer()
    const uploads = [await beginImport(server), await beginImport(server)]
    let answered = false
    const third = server
      .call('/api/recordings', { method: 'POST', headers: { 'content-type': 'application/json' }, body: file })
      .finally(() => (answered = true))
    for (let times = 0; times < 20; times += 1) expect((await server.call('/api/recordings')).status).toBe(200)
    expect(answered).toBe(false)
    // The first upload's sender goes away.
    uploads[0]?.destroy()
    expect((await third).status).toBe(201)
  })
})

describe('playing back', () => {
  it('reports that no recording is chosen yet', async () => {
    const real = await openReal()
    const view = read(await real.call('GET', '/api/testbeds/recording'), 200, testbedView)
    expect(view).toMatchObject({ context: null, facts: null, problem: { code: 'context_not_chosen' } })
    expect(view.contexts.map(({ name }) => name)).toEqual((await listed(real)).map(({ id }) => id))
  })

  it('works for the recorded lab only', async () => {
    const real = await openReal()
    const view = await chosen(real)
    expect(view).toMatchObject({ labs: ['big-tcp-ipv4'], facts: { kind: 'recording', kernel: '6.18.0' } })
    const other = await real.call('POST', '/api/sessions', { labId: 'big-tcp-ipv6', testbed: 'recording' })
    expect(refused(other, 409)).toMatchObject({ code: 'step_not_ready' })
  })

  it("runs a step, and keeps the testbed's readings", async () => {
    const real = await openReal()
    const { id, facts } = await chosen(real)
    const { answer } = await started(real, 'preflight')
    const { runId } = read(answer, 202, runAccepted)
    await real.deps.scheduler.settled(runId)
    const { run } = read(await real.call('GET', `/api/runs/${runId}`), 200, runResponse)
    expect(run).toMatchObject({ testbed: id, state: 'completed', outcome, params: { speed: 20 } })
    const after = read(await real.call('GET', '/api/testbeds/recording'), 200, testbedView)
    expect(after.facts).toEqual(facts)
    expect(refused(await real.call('GET', `/api/runs/${run.id}/recording`), 409).message).toContain(
      'replays a recording',
    )
  })

  it('continues with the session’s recording when another one is chosen', async () => {
    const real = await openReal()
    const { id } = await chosen(real)
    const { session, answer } = await started(real, 'preflight')
    await real.deps.scheduler.settled(read(answer, 202, runAccepted).runId)
    const other = await imported(real, formatRecording({ ...made, lab: 'big-tcp-ipv6' }))
    expect(await real.deps.scheduler.useContext('recording', other.id)).toBe(`recording:${other.id}`)
    const { runId } = await real.deps.scheduler.start(session, { stepId: 'preflight', params: {}, solve: false })
    await real.deps.scheduler.settled(runId)
    expect(real.deps.log.state(runId)).toMatchObject({ testbed: id, state: 'completed', outcome })
  })

  it('uses the recording of the session, chosen or not', async () => {
    const real = await openReal()
    const { id } = await imported(real)
    const asked = { labId: 'big-tcp-ipv4', testbed: `recording:${id}` }
    const { session } = read(await real.call('POST', '/api/sessions', asked), 201, sessionView)
    expect(session.testbed).toBe(`recording:${id}`)
    const none = await real.call('POST', '/api/sessions', { ...asked, testbed: 'recording:none' })
    expect(refused(none, 404).code).toBe('not_found')
  })

  it('can be cancelled, and uses its recording until then', async () => {
    const real = await openReal()
    const { context } = await chosen(real)
    await started(real, 'baseline')
    expect(refused(await real.call('DELETE', `/api/recordings/${context ?? ''}`), 409).code).toBe('testbed_busy')
    const [run] = real.deps.store.runs.running()
    if (run === undefined) throw new Error('nothing runs')
    real.deps.scheduler.cancel(run.id)
    await real.deps.scheduler.settled(run.id)
    expect(real.deps.log.state(run.id)).toMatchObject({ state: 'cancelled', progress: null })
    expect((await real.call('DELETE', `/api/recordings/${context ?? ''}`)).status).toBe(204)
    const view = read(await real.call('GET', '/api/testbeds/recording'), 200, testbedView)
    expect(view).toMatchObject({ context: null, problem: { code: 'context_not_chosen' } })
  })
})

describe('removing', () => {
  it('refuses shipped and missing recordings', async () => {
    const real = await openReal()
    const [shipped] = await listed(real)
    expect(refused(await real.call('DELETE', `/api/recordings/${shipped?.id ?? ''}`), 409).code).toBe(
      'recording_shipped',
    )
    expect(refused(await real.call('DELETE', '/api/recordings/none'), 404).code).toBe('not_found')
    expect(refused(await real.call('GET', '/api/recordings/none'), 404).code).toBe('not_found')
  })
})

describe('exporting', () => {
  async function solved(api: Api, step: string) {
    const view = await newSession(api)
    const { runId } = await startStep(api, view, step, { params: { repeats: 1, seconds: 1 }, solve: true })
    await api.deps.scheduler.settled(runId)
    return { view, runId }
  }

  it('contains all runs of a session in order, with their environment', async () => {
    const api = await openApi()
    const { view } = await solved(api, 'baseline')
    const exported = read(await api.get(`/api/sessions/${view.session.id}/recording`), 200, recordingFile)
    expect(exported).toMatchObject({ name: 'BIG TCP over IPv4', lab: 'big-tcp-ipv4', facts: { name: 'a fake' } })
    const rows = api.deps.store.runs.ofSession(view.session.id)
    expect(exported.runs.map(({ stepId }) => stepId)).toEqual(rows.map(({ stepId }) => stepId))
    expect(exported.runs.map(({ events }) => events.map(({ event }) => event))).toEqual(
      rows.map(({ id }) => api.deps.store.events.ofRun(id).map(({ event }) => event)),
    )
  })

  it('is one run; one without facts takes them from an earlier run', async () => {
    const api = await openApi()
    const { view } = await solved(api, 'deploy')
    const deploy = api.deps.store.runs.ofSession(view.session.id).find(({ stepId }) => stepId === 'deploy')
    const exported = read(await api.get(`/api/runs/${deploy?.id ?? ''}/recording`), 200, recordingFile)
    expect(exported).toMatchObject({ name: 'BIG TCP over IPv4: Deploy netperf', facts: { name: 'a fake' } })
    expect(exported.runs.map(({ stepId }) => stepId)).toEqual(['deploy'])
  })

  it('leaves out running runs, and is refused if nothing is left', async () => {
    const fake = createFakeTestbed()
    const door = fake.hold('preflight')
    const api = await openApi({ fakes: [fake] })
    const view = await newSession(api)
    expect(refused(await api.get(`/api/sessions/${view.session.id}/recording`), 409).code).toBe('step_not_ready')
    const { runId } = await startStep(api, view, 'preflight')
    await door.reached
    expect(refused(await api.get(`/api/runs/${runId}/recording`), 409).code).toBe('step_not_ready')
    door.open()
    await api.deps.scheduler.settled(runId)
    expect((await api.get(`/api/runs/${runId}/recording`)).status).toBe(200)
    expect(refused(await api.get('/api/runs/r_00000009/recording'), 404).code).toBe('not_found')
    expect(refused(await api.get('/api/sessions/s_00000009/recording'), 404).code).toBe('not_found')
  })
})
