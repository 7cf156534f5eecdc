/** Another process's write lock: nobody waits for it who does not write, and nothing is lost. */
import { errorBody } from '@expresslane/shared/base/errors'
import { auditResponse } from '@expresslane/shared/wire/board'
import { runId, type RunEvent } from '@expresslane/shared/run/events'
import { describe, expect, it, onTestFinished } from 'vitest'
import { PATIENCE_MS } from '../../src/runs/log/lock-queue.ts'
import { createRunLog } from '../../src/runs/log/run-log.ts'
import { OTHERS_EVERY_MS } from '../../src/runs/coordination/others.ts'
import { openStore } from '../../src/store/open.ts'
import { passing, testClock, type TestClock } from '../support/clock.ts'
import { beginSession, dataDir, openRig, stateOf } from '../support/deps.ts'
import { startServer } from '../support/http/server.ts'
import { startedRun } from '../support/runs/runs.ts'
import { lockedBy } from '../support/store/locked.ts'

const RUN = runId.parse('r_00000001')
const progress = (done: number): RunEvent => ({ type: 'progress', subject: null, message: 'going', done, total: 100 })
const doneOf = ({ event }: { event: RunEvent }): number => (event.type === 'progress' ? event.done : -1)

function openLog(dir = dataDir()) {
  const clock = testClock()
  const store = openStore(dir)
  onTestFinished(() => store.close())
  const log = createRunLog(store, clock, () => {})
  startedRun(store, log, RUN)
  return { dir, clock, store, log }
}

describe('a write lock of another process', () => {
  it('is noticed in a moment, and is not waited for', async () => {
    const { dir, store } = openLog()
    const lock = await lockedBy(dir)
    const begun = performance.now()
    expect(store.isFree()).toBe(false)
    expect(() => store.queue.pause(true)).toThrow(
      expect.objectContaining({
        code: 'data_in_use',
        message: expect.stringContaining(dir),
        remedyCommand: `fuser -v ${dir}/expresslane.db`,
      }),
    )
    // SQLite's usual wait would be five seconds for each.
    expect(performance.now() - begun).toBeLessThan(10_000)
    expect(store.problem()?.code).toBe('data_in_use')
    await lock.release()
    expect(store.isFree()).toBe(true)
    expect(store.problem()).toBeNull()
  })

  it('lets events wait, which are stored in their order, with the time at which they happened', async () => {
    const { dir, clock, store, log } = openLog()
    const heard: number[] = []
    log.subscribe((logged) => heard.push(doneOf(logged)))
    const before = clock.now()
    const lock = await lockedBy(dir)
    for (const done of [1, 2, 3]) {
      log.append(RUN, progress(done))
      clock.advance(1000)
    }
    expect(heard).toEqual([])
    await lock.release()
    // A fourth event comes before the next attempt: it must not pass the three that wait.
    log.append(RUN, progress(4))
    await passing(clock, log.settled())
    expect(heard).toEqual([1, 2, 3, 4])
    const stored = store.events.ofRun(RUN).slice(1)
    expect(stored.map(doneOf)).toEqual([1, 2, 3, 4])
    expect(stored.map(({ at }) => at - before)).toEqual([0, 1000, 2000, 3000])
  })

  it('lets a transaction go after the events that wait', async () => {
    const { dir, store, log } = openLog()
    const lock = await lockedBy(dir)
    log.append(RUN, progress(1))
    expect(() => log.together((append) => append(RUN, progress(2)))).toThrow(
      expect.objectContaining({ code: 'data_in_use' }),
    )
    await lock.release()
    log.together((append) => append(RUN, progress(3)))
    expect(store.events.ofRun(RUN).slice(1).map(doneOf)).toEqual([1, 3])
  })

  it('ends the patience of a run that writes for half a minute', async () => {
    const { dir, clock, log } = openLog()
    const lock = await lockedBy(dir)
    log.append(RUN, progress(1))
    clock.advance(PATIENCE_MS + 1)
    expect(() => log.append(RUN, progress(2))).toThrow(expect.objectContaining({ code: 'data_in_use' }))
    await lock.release()
    await passing(clock, log.settled())
    log.append(RUN, progress(3))
  })
})

async function until(clock: TestClock, holds: () => boolean): Promise<void> {
  while (!holds()) {
    await new Promise((resolve) => setImmediate(resolve))
    clock.advance(OTHERS_EVERY_MS)
  }
}

/** A run whose next events come while another process has the lock. */
async function lockedInARun() {
  const clock = testClock()
  const { deps, fakes } = openRig({ clock })
  const session = await beginSession(deps)
  await deps.testbeds.get(session.testbed)
  const door = fakes[0]?.hold('preflight')
  const { runId: id } = await deps.scheduler.start(session, { stepId: 'preflight', params: {}, solve: false })
  await door?.reached
  const lock = await lockedBy(deps.config.dataDir)
  door?.open()
  return { clock, deps, id, lock }
}

describe('a server whose database is locked', () => {
  it('answers readers, lets writers wait, and serves them when the lock is free', async () => {
    const clock = testClock()
    const server = await startServer({ clock })
    const lock = await lockedBy(server.data)
    const json = { 'content-type': 'application/json' }
    const body = JSON.stringify({ labId: 'big-tcp-ipv4' })
    const asked = { method: 'POST', headers: json, body }
    let answered = false
    const begun = server.call('/api/sessions', asked).finally(() => (answered = true))
    for (const path of ['/healthz', '/api/labs', '/api/runs', '/api/sessions']) {
      expect([path, (await server.call(path)).status]).toEqual([path, 200])
    }
    expect(answered).toBe(false)
    await lock.release()
    expect((await passing(clock, begun)).status).toBe(201)
    const { entries } = auditResponse.parse(JSON.parse((await server.call('/api/audit')).text))
    expect(entries.map(({ action, status }) => [action, status])).toEqual([['POST /api/sessions', 201]])
  })

  it('answers a writer after some seconds with what to do', async () => {
    const clock = testClock()
    const server = await startServer({ clock })
    const lock = await lockedBy(server.data)
    const answer = await passing(
      clock,
      server.call('/api/room/queue', {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: '{"paused":true}',
      }),
    )
    expect(answer.status).toBe(503)
    expect(errorBody.parse(JSON.parse(answer.text)).error.code).toBe('data_in_use')
    await lock.release()
  })

  it('measures on, and loses no event of the run', async () => {
    const { clock, deps, id, lock } = await lockedInARun()
    await new Promise((resolve) => setImmediate(resolve))
    clock.advance(3000)
    expect(stateOf(deps, id).state).toBe('running')
    await lock.release()
    await passing(clock, deps.scheduler.settled(id))
    expect(stateOf(deps, id)).toMatchObject({ state: 'completed', outcome: { passed: true } })
    expect(deps.store.runs.find(id)?.state).toBe('completed')
  })

  it('ends a run that waited too long with the lock as its problem', async () => {
    const { clock, deps, id, lock } = await lockedInARun()
    await passing(clock, deps.scheduler.settled(id), 5000)
    expect(deps.store.runs.find(id)?.state).toBe('running')
    await lock.release()
    await until(clock, () => deps.store.runs.find(id)?.state !== 'running')
    expect(stateOf(deps, id)).toMatchObject({ state: 'interrupted', problem: { code: 'data_in_use' } })
  })
})
