/** The answers of a page without a server: each is what the page reads from a server. */
import type { Route } from '@expresslane/shared/wire/route'
import {
  getRun,
  listLabs,
  listRuns,
  listSessions,
  readOpinion,
  readOutput,
  readSession,
  readTestbed,
  runAccepted,
} from '@expresslane/shared/wire/protocol'
import { listRecordings } from '@expresslane/shared/wire/recordings'
import { readMe } from '@expresslane/shared/wire/room'
import type { z } from 'zod'
import { beforeEach, describe, expect, it } from 'vitest'
import { createStore } from '../../src/api/store.ts'
import { answersFrom } from '../../src/viewer/answers.ts'
import { createPlayer, type Player } from '../../src/viewer/player.ts'
import { opened, reader, timeline } from './opened.ts'

let player: Player
let answer: ReturnType<typeof answersFrom>

beforeEach(async () => {
  const store = createStore({
    now: () => 0,
    date: () => 0,
    schedule: () => () => undefined,
    rewind: () => undefined,
  })
  player = createPlayer('big-tcp-ipv6', opened, reader, { store, now: () => 0, every: () => () => undefined })
  await player.seek(opened.lastsMs)
  answer = answersFrom({
    players: () => [player],
    reports: () => [],
    computer: () => null,
    version: '1.2.3',
    labs: () => Promise.resolve({ labs: [], glossary: [], problems: [] }),
    shown: (run) => store.snapshot().runs.get(run) ?? null,
  })
})

const [baseline = '', run = ''] = ['baseline', 'measure-on'].map(
  (step) => opened.runs.find(({ stepId }) => stepId === step)?.id,
)
const get = (path: string): Promise<unknown> => answer('GET', path)
const post = (path: string, body = {}): Promise<unknown> => answer('POST', path, body)

describe('a read', () => {
  const reads: readonly [Route & { response: z.ZodType }, string][] = [
    [readMe, '/api/me'],
    [listLabs, '/api/labs?language=de'],
    [listRecordings, '/api/recordings'],
    [readTestbed, `/api/testbeds/${opened.testbed}`],
    [listSessions, '/api/sessions'],
    [readSession, `/api/sessions/${opened.sessionId}`],
    [listRuns, '/api/runs'],
    [getRun, `/api/runs/${run}?events=false`],
    [readOutput, `/api/runs/${run}/output`],
    [readOpinion, `/api/runs/${run}/opinion`],
  ]
  it.each(reads.map(([{ response, at }, path]) => ({ response, at, path })))(
    'is answered as a server does: $at',
    async ({ response, path }) => {
      const body = await get(path)
      expect(response.parse(body)).toEqual(body)
    },
  )

  it('has the runs of the time that is shown, and a run of a later time as it ended', async () => {
    await player.seek(700)
    const view = readSession.response.parse(await get(`/api/sessions/${opened.sessionId}`))
    expect(view.runs).toEqual(timeline.moment(700).runs)
    expect(getRun.response.parse(await get(`/api/runs/${run}`)).run.state).toBe('completed')
  })

  it('has the output in pages', async () => {
    const all = timeline.moment(opened.lastsMs).runs[0]?.log ?? []
    const path = `/api/runs/${opened.runs[0]?.id}/output`
    const last = readOutput.response.parse(await get(`${path}?limit=2`))
    expect(last).toEqual({ lines: all.slice(-2), earlier: all.length - 2 })
    const before = readOutput.response.parse(await get(`${path}?limit=3&before=${last.lines[0]?.seq}`))
    expect(before).toEqual({ lines: all.slice(-5, -2), earlier: all.length - 5 })
  })

  it.each([
    '/api/data',
    '/api/runs/r_00000000',
    '/api/sessions/s_00000000',
    '/api/testbeds/netns',
    '/api/compare/report',
  ])('of something that is not here says so: %s', async (path) => {
    await expect(get(path)).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('a step', () => {
  it('plays its latest run from the start', async () => {
    const accepted = runAccepted.parse(
      await post(`/api/sessions/${opened.sessionId}/steps/measure-on/run`, { params: { speed: 5 } }),
    )
    expect(accepted).toEqual({ runId: run, stepId: 'measure-on', queue: null })
    const from = opened.runs.find(({ id }) => id === run)?.from ?? 0
    expect(player.state()).toEqual({ at: from - 1, playing: true, speed: 5 })
  })

  it('that was not recorded is refused', async () => {
    const started = post(`/api/sessions/${opened.sessionId}/steps/dance/run`)
    await expect(started).rejects.toMatchObject({ code: 'step_not_ready' })
  })

  it('that is cancelled is as before its run', async () => {
    const from = opened.runs.find(({ id }) => id === run)?.from ?? 0
    await player.seek(from + 3_000)
    player.play(1)
    runAccepted.parse(await post(`/api/runs/${run}/cancel`))
    expect(player.state()).toEqual({ at: from - 1, playing: false, speed: 1 })
  })

  it('has not run after a reset', async () => {
    runAccepted.parse(await post(`/api/sessions/${opened.sessionId}/reset`))
    expect(player.state().at).toBe(0)
    expect(await get(`/api/sessions/${opened.sessionId}`)).toMatchObject({ runs: [] })
  })
})

describe('a report', () => {
  it.each([
    ['a session', `/api/sessions/${opened.sessionId}/report`, 'BIG TCP'],
    ['a run', `/api/runs/${run}/report`, 'measure-on'],
    ['a comparison', `/api/compare/report?a=${baseline}&b=${run}`, 'vs.'],
  ])('of %s is made in each format', async (_what, path, text) => {
    for (const format of ['html', 'md', 'csv', 'json']) {
      const response = await get(`${path}${path.includes('?') ? '&' : '?'}format=${format}`)
      if (!(response instanceof Response)) throw new Error('a report is a file')
      expect(response.headers.get('content-disposition')).toMatch(new RegExp(`filename="expresslane-.*\\.${format}"`))
      const body = await response.text()
      expect(body.length).toBeGreaterThan(300)
      // The body itself would be too long for a message.
      expect(format !== 'html' || body.includes(text)).toBe(true)
    }
  })
})
