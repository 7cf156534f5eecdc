/** The history and the way to stop a run, over the API; and what every route answers to nonsense. */
import { runAccepted, runResponse, runsResponse } from '@expresslane/shared/wire/protocol'
import { reduceRun } from '@expresslane/shared/test/reduce-run'
import type { RunState } from '@expresslane/shared/run/run-state'
import { describe, expect, it } from 'vitest'
import { newSession, openApi, read, refused, startStep, type Api } from '../support/http/api.ts'

const short = { params: { repeats: 1, seconds: 1 } }

async function list(api: Api, query = '') {
  return read(await api.get(`/api/runs${query}`), 200, runsResponse)
}

describe('GET /api/runs', () => {
  it('pages through the history, newest first, each line once', async () => {
    const api = await openApi()
    const view = await newSession(api)
    const { runId } = await startStep(api, view, 'compare', { ...short, solve: true })
    await api.deps.scheduler.settled(runId)
    const all = await list(api)
    expect(all.next).toBeNull()
    expect(all.runs.map((run) => run.stepId)).toEqual(
      (api.deps.labs.all()[0]?.steps ?? [])
        .filter(({ action, id }) => action !== null && id !== 'restore')
        .map(({ id }) => id)
        .toReversed(),
    )
    const pages: string[] = []
    for (let query = '?limit=3'; query !== '';) {
      const { runs, next } = await list(api, query)
      expect(runs.length).toBeLessThanOrEqual(3)
      pages.push(...runs.map(({ id }) => id))
      query = next === null ? '' : `?limit=3&before=${next}`
    }
    expect(pages).toEqual(all.runs.map(({ id }) => id))
  })

  it('has the session of its runs, with the latest verdict also where its run is filtered out', async () => {
    const api = await openApi()
    const view = await newSession(api)
    const { runId } = await startStep(api, view, 'compare', { params: { repeats: 4, seconds: 1 }, solve: true })
    await api.deps.scheduler.settled(runId)
    const { runs, sessions } = await list(api, '?measured=true&recorded=false')
    expect(runs.map(({ verdict }) => verdict)).toEqual([undefined, undefined])
    const { owner: _owner, ...head } = view.session
    const [last] = (await list(api)).runs
    const { comparisons } = read(await api.get(`/api/runs/${last?.id}`), 200, runResponse).run
    const { rows: [row] = [], sentence } = comparisons[0]?.comparison ?? {}
    expect(row?.metric).toBe('tps')
    expect(sessions).toEqual([
      {
        ...head,
        verdict: expect.objectContaining({
          metric: row?.metric,
          verdict: row?.verdict,
          changePercent: row?.changePercent,
          comparisons: 1,
          sentence,
        }),
      },
    ])
    expect((await list(api, '?recorded=true')).runs).toEqual([])
  })

  it('filters, and returns what was measured', async () => {
    const api = await openApi()
    const view = await newSession(api)
    const { runId } = await startStep(api, view, 'baseline', { ...short, solve: true })
    await api.deps.scheduler.settled(runId)
    const { runs } = await list(api, '?measured=true')
    expect(runs).toMatchObject([
      {
        stepId: 'baseline',
        passed: true,
        measured: { arms: ['off'], family: 'ipv4', repeats: 1, tool: 'tcp-rr', values: { packetsPerRequest: 2 } },
      },
    ])
    expect((await list(api, '?measured=false')).runs.some((run) => run.measured !== null)).toBe(false)
    expect((await list(api, '?lab=big-tcp-ipv6')).runs).toEqual([])
    expect((await list(api, '?state=completed')).runs).toHaveLength(5)
    expect((await list(api, '?state=failed')).runs).toEqual([])
  })

  it.each(['?limit=0', '?limit=201', '?limit=x', '?state=lost', '?before=1', '?measured=1', '?recorded=1', '?more=1'])(
    'refuses %s',
    async (query) => {
      const api = await openApi()
      expect(refused(await api.get(`/api/runs${query}`), 400).detail).toMatch(/^querystring/)
    },
  )
})

describe('GET /api/runs/:id', () => {
  it('returns the run and its events', async () => {
    const api = await openApi()
    const { runId } = await startStep(api, await newSession(api), 'preflight')
    await api.deps.scheduler.settled(runId)
    const { run, events = [] } = read(await api.get(`/api/runs/${runId}`), 200, runResponse)
    expect(events[0]?.event.type).toBe('run.started')
    expect(events.at(-1)?.event.type).toBe('run.ended')
    expect(events.reduce<RunState | null>(reduceRun, null)).toEqual(run)
  })

  it('does not find a run that does not exist', async () => {
    const api = await openApi()
    expect(refused(await api.get('/api/runs/r_00000000'), 404).code).toBe('not_found')
    expect(refused(await api.get('/api/runs/1'), 400).detail).toMatch(/^params\/id/)
  })
})

describe('POST /api/runs/:id/cancel', () => {
  it('cancels a running run, once', async () => {
    const api = await openApi()
    const view = await newSession(api)
    const deploying = api.fakes[0]?.hold('deploy')
    const { runId } = await startStep(api, view, 'deploy')
    await deploying?.reached
    expect(read(await api.post(`/api/runs/${runId}/cancel`), 202, runAccepted)).toEqual({
      runId,
      stepId: 'deploy',
      queue: null,
    })
    await api.deps.scheduler.settled(runId)
    const { runs } = await list(api, '?state=cancelled')
    expect(runs).toMatchObject([{ id: runId, passed: null, problem: null }])
    const problem = refused(await api.post(`/api/runs/${runId}/cancel`), 409)
    expect(problem.code).toBe('run_not_running')
    expect(problem.message).toContain('cancelled')
    refused(await api.post('/api/runs/r_00000000/cancel'), 404)
  })
})

describe('every route', () => {
  it('treats a missing body as an empty one, even with a JSON header', async () => {
    const api = await openApi()
    const { session } = await newSession(api)
    const url = `/api/sessions/${session.id}/steps/preflight/run`
    const { runId } = read(await api.send(url, '', 'application/json'), 202, runAccepted)
    await api.deps.scheduler.settled(runId)
    const reset = await api.send(`/api/sessions/${session.id}/reset`, '', 'application/json; charset=utf-8')
    await api.deps.scheduler.settled(read(reset, 202, runAccepted).runId)
  })

  it('answers invalid requests with an error code', async () => {
    const api = await openApi()
    const asJson = 'application/json'
    expect(refused(await api.send('/api/sessions', '{"labId":', asJson), 400).code).toBe('bad_request')
    expect(refused(await api.send('/api/sessions', '', asJson), 400).code).toBe('bad_request')
    expect(refused(await api.send('/api/sessions', 'labId=big-tcp-ipv4', 'text/plain'), 400).code).toBe('bad_request')
    const form = 'application/x-www-form-urlencoded'
    expect(refused(await api.send('/api/sessions', 'labId=big-tcp-ipv4', form), 400).code).toBe('bad_request')
    const huge = JSON.stringify({ labId: 'x'.repeat(100_000) })
    expect(refused(await api.send('/api/sessions', huge, asJson), 400).code).toBe('bad_request')
    const poisoned = '{"labId":"big-tcp-ipv4","__proto__":{"testbed":"moon"}}'
    expect(refused(await api.send('/api/sessions', poisoned, asJson), 400).code).toBe('bad_request')
    expect(refused(await api.get('/api/nothing'), 404).code).toBe('not_found')
    const wrong = await api.post('/api/labs')
    expect(refused(wrong, 405).code).toBe('method_not_allowed')
    expect(refused(await api.get('/api/runs/%E0%A4%A'), 400).code).toBe('bad_request')
  })

  it('reveals nothing about an internal error', async () => {
    const api = await openApi()
    api.sql('PRAGMA foreign_keys = OFF; DROP TABLE runs')
    const problem = refused(await api.get('/api/runs'), 500)
    expect(problem.code).toBe('internal')
    expect(JSON.stringify(problem)).not.toMatch(/SELECT|no such table|\.ts:/)
  })

  it('cancels a queued run at once', async () => {
    const api = await openApi()
    const [one, other] = [await newSession(api), await newSession(api, 'big-tcp-ipv6')]
    const deploying = api.fakes[0]?.hold('deploy')
    const { runId: first } = await startStep(api, one, 'deploy')
    await deploying?.reached
    const { runId } = await startStep(api, other, 'preflight')
    expect((await list(api, '?state=queued')).runs).toMatchObject([{ id: runId, endedAt: null, passed: null }])
    read(await api.post(`/api/runs/${runId}/cancel`), 202, runAccepted)
    expect((await list(api, '?state=queued')).runs).toEqual([])
    expect((await list(api, '?state=cancelled')).runs).toMatchObject([{ id: runId, measured: null, problem: null }])
    expect(refused(await api.post(`/api/runs/${runId}/cancel`), 409).code).toBe('run_not_running')
    deploying?.open()
    await api.deps.scheduler.settled(first)
    expect((await list(api, '?state=completed')).runs).toMatchObject([{ id: first }])
  })
})
