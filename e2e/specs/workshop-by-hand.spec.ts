import type { APIRequestContext, Page } from '@playwright/test'
import { z } from 'zod'
import { sessionView } from '@expresslane/shared/wire/protocol'
import { expect, test } from '../support/workshop.ts'

const operations = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) })

/** Requests that name nothing of a person's own, and are allowed to the role. */
const open = {
  participant: [
    'GET /healthz',
    'GET /readyz',
    'GET /api/openapi.json',
    'GET /api/me',
    'GET /api/labs',
    'GET /api/site',
    'GET /api/testbeds',
    'GET /api/sessions',
    'GET /api/runs',
    'GET /api/found/report',
    'GET /api/recordings',
    'GET /api/recordings/{id}',
    'GET /api/profiles',
    'GET /api/presentation',
    'POST /api/presentation/answers',
    'POST /api/join',
    'POST /api/me/link',
    'POST /api/sessions',
  ],
  viewer: [
    'GET /healthz',
    'GET /readyz',
    'GET /api/openapi.json',
    'GET /api/me',
    'GET /api/labs',
    'GET /api/testbeds',
    'GET /api/presentation',
    'POST /api/presentation/answers',
    'POST /api/join',
  ],
}

interface Target {
  readonly session: string
  readonly run: string
}

/** The address of an operation on somebody else's session or run. */
function addressOf(path: string, { session, run }: Target): string {
  return path
    .replace('/sessions/{id}', `/sessions/${session}`)
    .replace('/runs/{id}', `/runs/${run}`)
    .replace('/testbeds/{id}', '/testbeds/netns@another')
    .replace('/compare/report', `/compare/report?a=${run}&b=${run}`)
    .replace('/doors/{role}', '/doors/viewer')
    .replace('{step}', 'preflight')
    .replaceAll(/\{[^}]+\}/g, 'another')
}

/** Calls every operation that the server documents; returns the operations that are not refused. */
async function answered(request: APIRequestContext, origin: string, target: Target): Promise<string[]> {
  const document = operations.parse(await (await request.get(`${origin}/api/openapi.json`)).json())
  const found: string[] = []
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const method of Object.keys(methods)) {
      const name = `${method.toUpperCase()} ${path}`
      // A log-out would end the login that the later calls need.
      if (path.endsWith('/stream') || name === 'POST /api/me/logout') continue
      // Its body is read before its testbed is looked up.
      const data = path.endsWith('/terminals') ? { place: 'pod1', rows: 24, columns: 80 } : {}
      const answer = await request.fetch(`${origin}${addressOf(path, target)}`, {
        method,
        headers: { origin },
        ...(method === 'get' || method === 'delete' ? {} : { data }),
        maxRedirects: 0,
      })
      if (![403, 404].includes(answer.status())) found.push(name)
    }
  }
  return found
}

/** A session of the instructor with a run that has ended. */
async function instructorsRun(board: Page, origin: string): Promise<Target> {
  const { request } = board
  const headers = { origin }
  const begun = await request.post(`${origin}/api/sessions`, { headers, data: { labId: 'big-tcp-ipv4' } })
  const { session } = sessionView.parse(await begun.json())
  await request.post(`${origin}/api/sessions/${session.id}/steps/preflight/run`, { headers, data: {} })
  await expect
    .poll(async () => {
      const view = sessionView.parse(await (await request.get(`${origin}/api/sessions/${session.id}`)).json())
      return view.runs[0]?.state
    })
    .toBe('completed')
  const view = sessionView.parse(await (await request.get(`${origin}/api/sessions/${session.id}`)).json())
  return { session: session.id, run: view.runs[0]?.id ?? '' }
}

test('every route refuses a participant and a follower who ask for what is not theirs', async ({ workshop }) => {
  const { app, board } = workshop
  const target = await instructorsRun(board, app.origin)
  const participant = await workshop.join('Ada')
  const viewer = await workshop.follow()
  const beyond = (found: readonly string[], may: readonly string[]) => found.filter((name) => !may.includes(name))
  expect(beyond(await answered(participant.request, app.origin, target), open.participant)).toEqual([])
  expect(beyond(await answered(viewer.request, app.origin, target), open.viewer)).toEqual([])
  const stillThere = await board.request.get(`${app.origin}/api/runs/${target.run}`)
  expect(stillThere.status()).toBe(200)
})

test('no participant can read or change another’s session', async ({ workshop }) => {
  const { app } = workshop
  const ada = await workshop.join('Ada')
  const bob = await workshop.join('Bob')
  const headers = { origin: app.origin }
  const begun = await ada.request.post(`${app.origin}/api/sessions`, { headers, data: { labId: 'big-tcp-ipv4' } })
  const { session } = sessionView.parse(await begun.json())
  for (const path of ['', '/report', '/recording']) {
    const address = `${app.origin}/api/sessions/${session.id}${path}`
    expect((await bob.request.get(address)).status(), path).toBe(404)
  }
  for (const path of ['/reset', '/steps/preflight/run']) {
    const address = `${app.origin}/api/sessions/${session.id}${path}`
    expect((await bob.request.post(address, { headers, data: {} })).status(), path).toBe(404)
  }
  expect((await bob.request.get(`${app.origin}/api/testbeds/${session.testbed}`)).status()).toBe(404)
})
