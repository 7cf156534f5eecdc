/** The quota of a guest in the history: runs, and bytes of events. */
import { errorBody } from '@expresslane/shared/base/errors'
import { type RunEvent, runId as idOfRun } from '@expresslane/shared/run/events'
import { runAccepted, runResponse } from '@expresslane/shared/wire/protocol'
import { expect, it } from 'vitest'
import { createQuota } from '../../src/runs/coordination/quota.ts'
import { testClock } from '../support/clock.ts'
import { openRig } from '../support/deps.ts'
import { classroom, preflight, type Person } from '../support/http/people.ts'

const printed = (line: number): RunEvent => ({
  type: 'command.output',
  commandId: 1,
  stream: 'stdout',
  text: `line ${line} ${'x'.repeat(100)}`,
})
const start = (who: Person, session: string, step = 'preflight') =>
  who.call(`/api/sessions/${session}/steps/${step}/run`, {})

it('limits the runs of each guest, and not those of the instructor', async () => {
  const { server, instructor, hers, his } = await classroom({ env: { EXPRESSLANE_GUEST_RUNS: '2' } })
  const session = await hers.begins()
  await preflight(server, hers, session.id)
  await preflight(server, hers, session.id)
  const refused = await start(hers, session.id)
  expect(refused.status).toBe(409)
  expect(errorBody.parse(JSON.parse(refused.text)).error).toMatchObject({
    code: 'quota_reached',
    message: expect.stringContaining('2 of 2 runs'),
    remedy: expect.stringContaining('ask the instructor'),
  })
  await preflight(server, his, (await his.begins()).id)
  const owners = await instructor.begins()
  for (let times = 0; times < 3; times += 1) await preflight(server, instructor, owners.id)
})

it('refuses a solve that does not fit', async () => {
  const { hers } = await classroom({ env: { EXPRESSLANE_GUEST_RUNS: '2' } })
  const session = await hers.begins()
  const path = `/api/sessions/${session.id}/steps/baseline/run`
  expect(await hers.tries(path, { params: {}, solve: true })).toEqual([409, 'quota_reached'])
})

it('ends a run that stores too much, keeps what it stored, and starts no other', async () => {
  const { server, hers, his } = await classroom({ config: { guestBytes: 20_000 } })
  const session = await hers.begins()
  await server.deps.testbeds.get(session.testbed)
  const door = server.fakes.at(-1)?.hold('preflight')
  const { runId } = runAccepted.parse(JSON.parse((await start(hers, session.id)).text))
  await door?.reached
  // The output of the run's tool.
  for (let line = 0; line < 200; line += 1) server.deps.log.append(runId, printed(line))
  await server.deps.scheduler.settled(runId)
  const { run } = await hers.read(runResponse, `/api/runs/${runId}`)
  expect(run).toMatchObject({ state: 'failed', problem: { code: 'quota_reached' } })
  expect(run.problem?.message).toMatch(/\d+ kB of 20 kB\.$/)
  expect(run.log.length).toBeGreaterThan(10)
  expect(await hers.tries(`/api/sessions/${session.id}/steps/preflight/run`, {})).toEqual([409, 'quota_reached'])
  await preflight(server, his, (await his.begins()).id)
})

it('counts what was stored before a restart', async () => {
  const before = await classroom({ config: { guestBytes: 4000 } })
  const session = await before.hers.begins()
  let answer = await start(before.hers, session.id)
  while (answer.status === 202) {
    await before.server.deps.scheduler.settled(runAccepted.parse(JSON.parse(answer.text)).runId)
    answer = await start(before.hers, session.id)
  }
  await before.server.stop()
  const after = await classroom({ data: before.server.data, config: { guestBytes: 4000 } })
  expect(await after.hers.tries(`/api/sessions/${session.id}/steps/preflight/run`, {})).toEqual([409, 'quota_reached'])
})

it('ends a guest’s run that lasts half an hour, and no run of the instructor', () => {
  const clock = testClock()
  const { deps } = openRig()
  const parts = { ...deps, clock, runs: 10, bytes: 1e6 }
  const quota = createQuota({ ...parts, isGuest: (person) => person !== 'owner' })
  const ended: string[] = []
  const [one, two, three] = ['r_00000001', 'r_00000002', 'r_00000003'].map((id) => idOfRun.parse(id))
  if (one === undefined || two === undefined || three === undefined) throw new Error('no ids')
  quota.follow(one, 'anna', ({ code }) => ended.push(`anna ${code}`))
  quota.follow(two, 'owner', ({ code }) => ended.push(`owner ${code}`))
  quota.follow(three, 'ben', ({ code }) => ended.push(`ben ${code}`))()
  clock.advance(30 * 60_000 - 1)
  expect(ended).toEqual([])
  clock.advance(1)
  expect(ended).toEqual(['anna run_too_long'])
})

it('never refuses what gives a testbed back', async () => {
  const { server, hers } = await classroom({ env: { EXPRESSLANE_GUEST_RUNS: '1' } })
  const session = await hers.begins()
  await preflight(server, hers, session.id)
  expect(await hers.tries(`/api/sessions/${session.id}/steps/preflight/run`, {})).toEqual([409, 'quota_reached'])
  expect((await hers.call(`/api/sessions/${session.id}/reset`, {})).status).toBe(202)
})

it('does not count a run that the instructor starts for somebody', async () => {
  const { server, instructor, hers } = await classroom({ env: { EXPRESSLANE_GUEST_RUNS: '1' } })
  const session = await hers.begins()
  await preflight(server, hers, session.id)
  await preflight(server, instructor, session.id)
  const rows = server.deps.store.runs.ofSession(session.id)
  expect(rows.map(({ person }) => person)).toEqual([session.owner, 'owner'])
})
