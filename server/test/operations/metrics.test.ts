/** The metrics for Prometheus, and the people who may read them. */
import { LabError } from '@expresslane/shared/base/errors'
import { describe, expect, it } from 'vitest'
import { monitored, routePolicy } from '../../src/access/policy.ts'
import { beginSession, openRig, runStep } from '../support/deps.ts'
import { knockStream } from '../support/http/knock.ts'
import { createFakeTestbed } from '../support/fakes/fake-testbed.ts'
import { classroom, preflight } from '../support/http/people.ts'
import { startServer, type TestServer } from '../support/http/server.ts'

const METRICS_TOKEN = 'metrics-0123456789'

/** The values of one metric by its labels, as the text has them. */
function valuesOf(text: string, name: string): Record<string, number> {
  const lines = text
    .split('\n')
    .filter((line) => line === name || line.startsWith(`${name}{`) || line.startsWith(`${name} `))
  return Object.fromEntries(
    lines.map((line) => [
      line.slice(name.length, line.lastIndexOf(' ')),
      Number(line.slice(line.lastIndexOf(' ') + 1)),
    ]),
  )
}

async function scrape(server: TestServer): Promise<string> {
  const { status, text, headers } = await server.call('/metrics')
  expect(status).toBe(200)
  expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/)
  return text
}

describe('GET /metrics', () => {
  it('counts runs by lab, testbed and end, and how long they took', async () => {
    const fake = createFakeTestbed()
    const { deps } = openRig({ fakes: [fake] })
    const session = await beginSession(deps)
    await runStep(deps, session, 'preflight')
    fake.fail('preflight', new LabError('testbed_gone', 'It is gone.', 'Deploy again.'))
    await runStep(deps, session, 'preflight')
    const text = await deps.metrics.text()
    const of = 'lab="big-tcp-ipv4",testbed="netns"'
    expect(valuesOf(text, 'expresslane_runs_ended_total')).toEqual({
      [`{${of},state="completed"}`]: 1,
      [`{${of},state="failed"}`]: 1,
    })
    expect(valuesOf(text, 'expresslane_run_duration_seconds_count')).toEqual({ [`{${of}}`]: 2 })
    expect(valuesOf(text, 'expresslane_queue_wait_seconds_count')).toEqual({ '': 2 })
    expect(valuesOf(text, 'expresslane_runs')).toEqual({})
    expect(valuesOf(text, 'expresslane_queue_length')).toEqual({ '': 0 })
  })

  it('shows the runs that wait now, and the paused queue', async () => {
    const fake = createFakeTestbed()
    const held = fake.hold('preflight')
    const { deps } = openRig({ fakes: [fake] })
    const [one, other] = [await beginSession(deps), await beginSession(deps)]
    await deps.scheduler.start(one, { stepId: 'preflight', params: {}, solve: false })
    await deps.scheduler.start(other, { stepId: 'preflight', params: {}, solve: false })
    await held.reached
    deps.scheduler.pauseQueue(true)
    const text = await deps.metrics.text()
    expect(valuesOf(text, 'expresslane_runs')).toEqual({
      '{lab="big-tcp-ipv4",testbed="netns",state="running"}': 1,
      '{lab="big-tcp-ipv4",testbed="netns",state="queued"}': 1,
    })
    expect(valuesOf(text, 'expresslane_testbeds')).toEqual({ '{testbed="netns"}': 1 })
    expect(valuesOf(text, 'expresslane_queue_length')).toEqual({ '': 1 })
    expect(valuesOf(text, 'expresslane_queue_paused')).toEqual({ '': 1 })
  })

  it('knows the streams, how long events take to them, the store, the loop and the process', async () => {
    const { server, instructor } = await classroom()
    const stream = instructor.stream()
    const session = await instructor.begins()
    await preflight(server, instructor, session.id)
    await stream.until((frames) => frames.some(({ type }) => type === 'events'))
    await scrape(server)
    const text = await scrape(server)
    expect(valuesOf(text, 'expresslane_stream_clients')).toEqual({
      '{role="instructor"}': 1,
      '{role="participant"}': 0,
      '{role="viewer"}': 0,
    })
    expect(valuesOf(text, 'expresslane_event_lag_seconds_count')['{role="instructor"}']).toBeGreaterThan(0)
    expect(valuesOf(text, 'expresslane_store_bytes')['{file="database"}']).toBeGreaterThan(0)
    for (const name of ['expresslane_store_free_bytes', 'process_resident_memory_bytes', 'process_open_fds']) {
      expect(valuesOf(text, name)[''], name).toBeGreaterThan(0)
    }
    expect(valuesOf(text, 'expresslane_http_answers_total')['{code="200"}']).toBeGreaterThan(0)
    expect(text).toContain('# TYPE expresslane_loop_delay_seconds gauge')
  })
})

describe('who reads the metrics', () => {
  it('is an instructor or anybody with their token, by any host name, and nobody else', async () => {
    const { server, instructor, hers, viewer } = await classroom({ env: { EXPRESSLANE_METRICS_TOKEN: METRICS_TOKEN } })
    const statuses = await Promise.all(
      [instructor, hers, viewer].map(async (who) => (await who.call('/metrics')).status),
    )
    expect(statuses).toEqual([200, 403, 403])
    const bearer = { authorization: `Bearer ${METRICS_TOKEN}` }
    expect((await server.ask('/metrics', { headers: bearer })).status).toBe(200)
    expect((await server.ask('/metrics', { headers: { ...bearer, host: '10.244.1.7:7070' } })).status).toBe(200)
    expect((await server.ask('/metrics')).status).toBe(401)
    expect((await server.ask('/metrics', { headers: { authorization: 'Bearer metrics-0123456780' } })).status).toBe(401)
  })

  it('opens nothing else with their token', async () => {
    const server = await startServer({ env: { EXPRESSLANE_METRICS_TOKEN: METRICS_TOKEN } })
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
    for (const path of ['/api/labs', '/api/runs', '/api/me', '/api/openapi.json']) {
      expect([path, (await server.ask(path, { headers })).status]).not.toEqual([path, 200])
    }
    expect((await server.ask('/metrics', { headers, method: 'POST' })).status).toBe(405)
    expect(await knockStream(server.port, headers)).toBe(401)
    expect(await knockStream(server.port, headers, '/metrics')).toBe(401)
  })

  it('are open to no token where none is set', async () => {
    const server = await startServer()
    expect((await server.ask('/metrics', { headers: { authorization: 'Bearer null' } })).status).toBe(401)
    for (const route of monitored) expect(routePolicy[`GET ${route}`]).toEqual(['instructor'])
  })
})
