/** Labs, testbeds and sessions over the API. */
import { LabError } from '@expresslane/shared/base/errors'
import { RESET_STEP } from '@expresslane/shared/run/events'
import { sessionProgress } from '@expresslane/shared/run/progress'
import {
  healthResponse,
  labsResponse,
  runAccepted,
  sessionsResponse,
  sessionView,
  testbedsResponse,
  testbedView,
} from '@expresslane/shared/wire/protocol'
import { describe, expect, it } from 'vitest'
import { testClock } from '../support/clock.ts'
import { newSession, openApi, read, refused, startStep } from '../support/http/api.ts'

const short = { params: { repeats: 1, seconds: 1 } }

describe('GET /healthz, GET /api/labs', () => {
  it('answer', async () => {
    const api = await openApi()
    expect(read(await api.get('/healthz'), 200, healthResponse).status).toBe('ok')
    const { labs, problems, testbeds } = read(await api.get('/api/labs'), 200, labsResponse)
    expect(labs).toEqual(api.deps.labs.all())
    expect(problems).toEqual([])
    expect(testbeds).toEqual(['netns'])
  })
})

describe('GET /api/testbeds', () => {
  it('returns facts, preflight and path, and probes once until asked again', async () => {
    const api = await openApi()
    const look = async (query = '') => {
      const { testbeds } = read(await api.get(`/api/testbeds${query}`), 200, testbedsResponse)
      expect(testbeds).toHaveLength(1)
      return testbeds[0]
    }
    const first = await look()
    expect(first).toMatchObject({ id: 'netns', kind: 'netns', problem: null, busy: null })
    expect(first?.facts?.incarnation).toBe(api.fakes[0]?.id)
    expect(first?.preflight.map(({ id }) => id)).toEqual(['kernel'])
    expect(first?.datapath?.kernel.length).toBeGreaterThan(0)
    await look()
    const probes = () => api.fakes[0]?.passed.filter((door) => door === 'preflight').length
    expect(probes()).toBe(1)
    await look('?fresh=true')
    expect(probes()).toBe(2)
    refused(await api.get('/api/testbeds?fresh=yes'), 400)
    const one = read(await api.get('/api/testbeds/netns'), 200, testbedView)
    expect(one.facts?.incarnation).toBe(first?.facts?.incarnation)
    const none = read(await api.get('/api/testbeds/kubernetes'), 200, testbedView)
    expect(none).toMatchObject({ id: 'kubernetes', facts: null, problem: { code: 'testbed_unavailable' } })
    refused(await api.get('/api/testbeds/moon'), 400)
  })

  it('answers even if a testbed can’t be read, with the reason', async () => {
    const clock = testClock()
    const api = await openApi({ clock })
    await api.get('/api/testbeds')
    clock.advance(1000)
    const denied = new LabError('namespaces_denied', 'No namespaces.', 'Allow them.', { remedyCommand: 'sysctl' })
    api.fakes[0]?.fail('read', denied)
    const { testbeds } = read(await api.get('/api/testbeds'), 200, testbedsResponse)
    expect(testbeds[0]).toMatchObject({ datapath: null, problem: denied.toProblem() })
    expect(testbeds[0]?.facts).not.toBeNull()
  })

  it('reads a testbed once per second for all who ask, and again when a run has ended', async () => {
    const api = await openApi({ clock: testClock() })
    const look = async () => read(await api.get('/api/testbeds/netns'), 200, testbedView)
    const reads = () => api.fakes[0]?.passed.filter((door) => door === 'read').length ?? 0
    await look()
    await look()
    expect(reads()).toBe(1)
    const view = await newSession(api)
    const { runId } = await startStep(api, view, 'deploy')
    await api.deps.scheduler.settled(runId)
    const before = reads()
    await look()
    expect(reads()).toBe(before + 1)
  })

  it('reports the run that uses the testbed, and does not disturb a measurement', async () => {
    const api = await openApi()
    const view = await newSession(api)
    await api.get('/api/testbeds')
    const { runId: deployed } = await startStep(api, view, 'deploy')
    await api.deps.scheduler.settled(deployed)
    const measuring = api.fakes[0]?.hold('netperf')
    const { runId } = await startStep(api, view, 'baseline', short)
    await measuring?.reached
    const before = api.fakes[0]?.passed.length
    const { testbeds } = read(await api.get('/api/testbeds?fresh=true'), 200, testbedsResponse)
    expect(testbeds[0]?.busy).toEqual({ runId, sessionId: view.session.id, stepId: 'baseline' })
    expect(testbeds[0]?.facts).not.toBeNull()
    expect(api.fakes[0]?.passed.length).toBe(before)
    measuring?.open()
    await api.deps.scheduler.settled(runId)
  })
})

describe('POST /api/sessions', () => {
  it('creates a session that can be read', async () => {
    const api = await openApi()
    const made = await newSession(api)
    expect(made).toMatchObject({ runs: [], seq: 0, incarnation: api.fakes[0]?.id })
    expect(read(await api.get(`/api/sessions/${made.session.id}`), 200, sessionView)).toEqual(made)
  })

  it.each([
    [{ labId: 'no-such-lab' }, 404, 'not_found'],
    [{ labId: 'big-tcp-ipv4', testbed: 'kubernetes' }, 424, 'testbed_unavailable'],
    [{ labId: 'big-tcp-ipv4', testbed: 'moon' }, 400, 'bad_request'],
    [{ labId: 7 }, 400, 'bad_request'],
    [{ labId: 'big-tcp-ipv4', more: 1 }, 400, 'bad_request'],
    [{}, 400, 'bad_request'],
    [undefined, 400, 'bad_request'],
  ])('refuses %j', async (body, status, code) => {
    const api = await openApi()
    expect(refused(await api.post('/api/sessions', body), status).code).toBe(code)
    expect(api.deps.store.sessions.all()).toEqual([])
  })
})

describe('POST /api/sessions/:id/steps/:step/run', () => {
  it('runs a step; the session then contains the run, folded up to seq', async () => {
    const api = await openApi()
    const view = await newSession(api)
    const { runId, stepId } = await startStep(api, view, 'preflight')
    expect(stepId).toBe('preflight')
    await api.deps.scheduler.settled(runId)
    const after = read(await api.get(`/api/sessions/${view.session.id}`), 200, sessionView)
    expect(after.runs).toMatchObject([{ id: runId, state: 'completed', outcome: { passed: true } }])
    expect(after.seq).toBe(after.runs[0]?.lastSeq)
  })

  it('solves: all steps up to this one, each with the parameters given', async () => {
    const api = await openApi()
    const view = await newSession(api)
    const { runId, stepId } = await startStep(api, view, 'compare', { ...short, solve: true })
    expect(stepId).toBe('preflight')
    await api.deps.scheduler.settled(runId)
    const { runs, incarnation } = read(await api.get(`/api/sessions/${view.session.id}`), 200, sessionView)
    const [lab] = api.deps.labs.all()
    if (lab === undefined) throw new Error('no lab')
    const statuses = sessionProgress(lab, runs, incarnation).map(({ status }) => status)
    expect(statuses).toEqual(['read', ...Array<string>(10).fill('passed'), 'open'])
    expect(runs.every((run) => run.params.repeats === 1 && run.solveTo === 'compare')).toBe(true)
    const again = await api.post(`/api/sessions/${view.session.id}/steps/compare/run`, { solve: true })
    expect(refused(again, 409).message).toContain('already done')
  })

  it('queues a run whose testbed is in use, and returns its place', async () => {
    const api = await openApi()
    const [one, other] = [await newSession(api), await newSession(api, 'big-tcp-ipv6')]
    const deploying = api.fakes[0]?.hold('deploy')
    const first = await startStep(api, one, 'deploy')
    expect(first.queue).toBeNull()
    await deploying?.reached
    const { runId, queue } = await startStep(api, other, 'preflight')
    expect(queue).toEqual({ place: 1, expectedSeconds: null, paused: false })
    deploying?.open()
    await api.deps.scheduler.settled(runId)
    expect(api.deps.log.state(runId)).toMatchObject({ state: 'completed', queue: null })
  })

  it.each([
    ['nothing', {}, 404, 'not_found'],
    ['why', {}, 400, 'bad_request'],
    ['baseline', { params: { repeats: 0 } }, 400, 'bad_request'],
    ['baseline', { params: { seconds: 121 } }, 400, 'bad_request'],
    ['baseline', { params: { command: 'reboot' } }, 400, 'bad_request'],
    ['baseline', { solve: 'yes' }, 400, 'bad_request'],
  ])('refuses %s with %j', async (step, body, status, code) => {
    const api = await openApi()
    const { session } = await newSession(api)
    expect(refused(await api.post(`/api/sessions/${session.id}/steps/${step}/run`, body), status).code).toBe(code)
    expect(api.deps.store.runs.ofSession(session.id)).toEqual([])
  })

  it('names the field that is wrong', async () => {
    const api = await openApi()
    const { session } = await newSession(api)
    const answer = await api.post(`/api/sessions/${session.id}/steps/baseline/run`, { params: { seconds: 121 } })
    expect(refused(answer, 400).detail).toMatch(/^body\/params\/seconds: .*120/)
  })

  it.each(['s_00000000', 'x', 'r_00000000'])('does not find the session %s', async (id) => {
    const api = await openApi()
    const expected = id === 's_00000000' ? 404 : 400
    refused(await api.get(`/api/sessions/${id}`), expected)
    refused(await api.post(`/api/sessions/${id}/steps/deploy/run`), expected)
    refused(await api.post(`/api/sessions/${id}/reset`), expected)
  })
})

describe('POST /api/sessions/:id/reset, GET /api/sessions', () => {
  it('begins the session again, and lists the passed steps', async () => {
    const api = await openApi()
    const view = await newSession(api)
    const list = async () => read(await api.get('/api/sessions'), 200, sessionsResponse).sessions
    expect(await list()).toMatchObject([{ id: view.session.id, lastRunAt: null, passedSteps: [], verdict: null }])
    const { runId } = await startStep(api, view, 'preflight')
    await api.deps.scheduler.settled(runId)
    const newer = await newSession(api, 'big-tcp-ipv6')
    expect(await list()).toMatchObject([
      { id: newer.session.id, passedSteps: [] },
      { id: view.session.id, passedSteps: ['preflight'] },
    ])
    const reset = read(await api.post(`/api/sessions/${view.session.id}/reset`), 202, runAccepted)
    expect(reset.stepId).toBe(RESET_STEP)
    await api.deps.scheduler.settled(reset.runId)
    expect((await list())[1]?.passedSteps).toEqual([])
  })
})
