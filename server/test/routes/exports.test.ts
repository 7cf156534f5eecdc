/** Reports over HTTP: right files, right types, and a policy that lets a report run nothing. */
import { runAccepted, runsResponse, sessionView } from '@expresslane/shared/wire/protocol'
import { report } from '@expresslane/shared/report/model'
import { errorBody } from '@expresslane/shared/base/errors'
import { describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../support/http/server.ts'

const json = { 'content-type': 'application/json' }

/** A session up to the comparison. @returns its session's id, and its runs' by step */
async function compared(server: TestServer) {
  const opened = await server.call('/api/sessions', {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ labId: 'big-tcp-ipv4' }),
  })
  const { session } = sessionView.parse(JSON.parse(opened.text))
  const started = await server.call(`/api/sessions/${session.id}/steps/compare/run`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ params: { repeats: 2, seconds: 1 }, solve: true }),
  })
  const { runId } = runAccepted.parse(JSON.parse(started.text))
  await server.deps.scheduler.settled(runId)
  const { runs } = runsResponse.parse(JSON.parse((await server.call('/api/runs')).text))
  return { session: session.id, runs: new Map(runs.map((run) => [run.stepId, run.id])) }
}

describe('reports', () => {
  let server: TestServer
  let done: Awaited<ReturnType<typeof compared>>

  async function open() {
    server = await startServer()
    done = await compared(server)
  }

  const paths = () => {
    const [a, b] = [done.runs.get('baseline'), done.runs.get('measure-on')]
    return [`/api/sessions/${done.session}/report?`, `/api/runs/${a}/report?`, `/api/compare/report?a=${a}&b=${b}&`]
  }

  it.each([
    ['html', 'text/html; charset=utf-8', /^<!doctype html>/],
    ['json', 'application/json; charset=utf-8', /^\{/],
    ['csv', 'text/csv; charset=utf-8; header=present', /^session_id,/],
    ['md', 'text/markdown; charset=utf-8', /^# /],
  ])('as %s', async (format, type, beginning) => {
    await open()
    for (const path of paths()) {
      const { status, headers, text } = await server.call(`${path}format=${format}`)
      expect(status, text).toBe(200)
      expect(headers['content-type']).toBe(type)
      expect(headers['content-disposition']).toMatch(
        new RegExp(`^attachment; filename="expresslane-big-tcp-ipv4-[a-z0-9-]+\\.${format}"$`),
      )
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'unsafe-inline'/)
      expect(headers['content-security-policy']).not.toContain('script')
      expect(text).toMatch(beginning)
    }
  })

  it('contain all measurements and all lines of the tools', async () => {
    await open()
    const [session, run, compare] = await Promise.all(
      paths().map(async (path) => report.parse(JSON.parse((await server.call(`${path}format=json`)).text))),
    )
    expect(session?.runs.map(({ stepId }) => stepId)).toContain('compare')
    expect(session?.comparisons).toHaveLength(1)
    expect(run?.runs[0]?.repeats.flatMap(({ measurement }) => measurement ?? [])).toHaveLength(2)
    const asked = await server.call(`/api/runs/${done.runs.get('baseline')}`)
    const { events } = JSON.parse(asked.text) as { events: { event: { type: string } }[] }
    const printed = events.filter(({ event }) => event.type === 'command.output')
    expect(printed.length).toBeGreaterThan(0)
    expect(run?.runs[0]?.output.filter(({ kind }) => kind.startsWith('std'))).toHaveLength(printed.length)
    expect(compare?.comparisons[0]?.comparison).toMatchObject({ off: { runs: 2 }, on: { runs: 2 } })
    expect(compare?.recording).toBe(false)
  })

  it('of all labs hold the latest verdict of each', async () => {
    await open()
    for (const [format, beginning] of [
      ['html', /^<!doctype html>.*<h3>BIG TCP over IPv4: too few repeats<\/h3>/s],
      ['md', /^# What you found out on this machine\n\n## BIG TCP over IPv4: too few repeats\n/],
    ] as const) {
      const { status, headers, text } = await server.call(`/api/found/report?format=${format}`)
      expect(status, text).toBe(200)
      expect(headers['content-disposition']).toBe(`attachment; filename="expresslane-found.${format}"`)
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'/)
      expect(text).toMatch(beginning)
    }
  })

  it('are refused for missing runs and sessions', async () => {
    await open()
    const status = async (path: string) => {
      const answer = await server.call(path)
      return [answer.status, errorBody.parse(JSON.parse(answer.text)).error.code]
    }
    const a = done.runs.get('baseline')
    expect(await status('/api/runs/r_00000000/report')).toEqual([404, 'not_found'])
    expect(await status('/api/sessions/s_00000000/report')).toEqual([404, 'not_found'])
    expect(await status(`/api/compare/report?a=${a}&b=r_00000000`)).toEqual([404, 'not_found'])
    expect(await status(`/api/compare/report?a=${a}`)).toEqual([400, 'bad_request'])
    expect(await status(`/api/runs/${a}/report?format=pdf`)).toEqual([400, 'bad_request'])
    const empty = await server.call('/api/sessions', {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ labId: 'big-tcp-ipv4' }),
    })
    const { session } = sessionView.parse(JSON.parse(empty.text))
    expect(await status(`/api/sessions/${session.id}/report`)).toEqual([404, 'not_found'])
  })
})
