/** The audit log: each change of a datapath, with its person, time and address. */
import { auditResponse, door, type AuditEntry } from '@expresslane/shared/wire/board'
import type { Role } from '@expresslane/shared/wire/room'
import { describe, expect, it, onTestFinished } from 'vitest'
import { MOST_CHANGES, MOST_REFUSALS } from '../../src/access/audit-limit.ts'
import { csvLines } from '../../src/routes/access/audit.ts'
import { join } from 'node:path'
import { createAudit } from '../../src/store/people/audit.ts'
import { Database } from '../../src/store/file/database.ts'
import { browser } from '../support/http/browser.ts'
import { testClock } from '../support/clock.ts'
import { openRig } from '../support/deps.ts'
import { countTurns } from '../support/turns.ts'
import { classroom, preflight, type Person } from '../support/http/people.ts'

async function logOf(instructor: Person): Promise<AuditEntry[]> {
  return (await instructor.read(auditResponse, '/api/audit')).entries
}

describe('the audit log', () => {
  it('names the person, the action, the testbed and the address, newest first', async () => {
    const { server, instructor, hers, viewer } = await classroom()
    const session = await hers.begins()
    const runId = await preflight(server, hers, session.id)
    await hers.tries(`/api/runs/${runId}/cancel`, {})
    await viewer.tries(`/api/sessions/${session.id}/reset`, {})
    await instructor.tries('/api/testbeds/kubernetes/context', { context: 'kind' }, 'PUT')
    const testbed = 'netns@alice'
    const lines = (await logOf(instructor)).map(({ principal, role, action, target, status, address }) => {
      expect(address).toBe('127.0.0.1')
      return { principal, role, action, target, status }
    })
    const alice = { principal: 'alice', role: 'participant' }
    expect(lines).toEqual([
      {
        principal: 'owner',
        role: 'instructor',
        action: 'PUT /api/testbeds/:id/context',
        target: { id: 'kubernetes', context: 'kind' },
        status: 424,
      },
      {
        principal: 'viewer',
        role: 'viewer',
        action: 'POST /api/sessions/:id/reset',
        target: { id: session.id, testbed },
        status: 403,
      },
      { ...alice, action: 'POST /api/runs/:id/cancel', target: { id: runId, testbed }, status: 409 },
      {
        ...alice,
        action: 'POST /api/sessions/:id/steps/:step/run',
        target: { id: session.id, step: 'preflight', testbed, solve: 'false' },
        status: 202,
      },
      { ...alice, action: 'POST /api/sessions', target: { labId: 'big-tcp-ipv4', testbed }, status: 201 },
    ])
  })

  it('has no line for what only reads, for strangers, or for the room’s answers', async () => {
    const { server, instructor, viewer } = await classroom()
    await viewer.tries('/api/labs')
    await viewer.tries('/api/presentation/answers', { stepId: 'x', answer: 'faster' })
    await server.ask('/api/sessions', { method: 'POST' })
    await server.ask('/api/join', { method: 'POST' })
    await server.ask('/nothing', { method: 'DELETE' })
    expect(await logOf(instructor)).toEqual([])
  })

  it('says who joined, and keeps no code and no message', async () => {
    const { server, instructor } = await classroom({ env: { EXPRESSLANE_WORKSHOP: '1' } })
    const { code } = await instructor.read(door, '/api/room/doors/participant', 200, { open: true }, 'PUT')
    await browser(server.port).send('POST', '/api/join', { code, name: 'Anna' })
    const [joined, opened] = await logOf(instructor)
    expect(joined).toMatchObject({
      name: 'Anna',
      role: 'participant',
      action: 'POST /api/join',
      target: {},
      status: 201,
    })
    expect(opened).toMatchObject({ action: 'PUT /api/room/doors/:role', target: { role: 'participant', open: 'true' } })
    expect(JSON.stringify(await logOf(instructor))).not.toContain(code)
  })

  it('is read in pages, and exported whole without formulas', async () => {
    const { server, instructor } = await classroom()
    const entry = { at: server.deps.clock.now(), principal: 'p', role: 'participant', address: '192.0.2.1' } as const
    for (let line = 1; line <= 1203; line += 1) {
      const name = line === 1 ? '-1+cmd' : `Name ${line}`
      server.deps.store.audit.add({ ...entry, name, action: 'POST /api/sessions', target: { id: 'a,b' }, status: 201 })
    }
    const first = await instructor.read(auditResponse, '/api/audit?limit=2')
    expect(first.entries.map(({ name }) => name)).toEqual(['Name 1203', 'Name 1202'])
    const second = await instructor.read(auditResponse, `/api/audit?limit=200&before=${first.next}`)
    expect(second.entries).toHaveLength(200)
    expect(second.entries[0]?.name).toBe('Name 1201')
    const last = await instructor.read(auditResponse, '/api/audit?limit=200&before=201')
    expect([last.entries.length, last.next]).toEqual([200, null])
    const lines = (await instructor.text('/api/audit.csv')).trimEnd().split('\r\n')
    expect(lines[0]).toBe('at,principal,name,role,address,action,target,status')
    expect(lines).toHaveLength(1204)
    expect(lines.at(-1)).toContain(",'-1+cmd,")
    expect(lines.at(-1)).toContain('"id=a,b"')
  })

  it('is exported with a turn for others after each page', async () => {
    const { deps } = openRig()
    const entry = { at: deps.clock.now(), principal: 'p', name: 'P', role: 'viewer', address: '192.0.2.1' } as const
    for (let line = 0; line < 1000; line += 1)
      deps.store.audit.add({ ...entry, action: 'POST /x', target: {}, status: 200 })
    const turns = countTurns()
    onTestFinished(() => turns.stop())
    let lines = 0
    for await (const part of csvLines(deps.store)) lines += part.split('\r\n').length - 1
    expect(lines).toBe(1001)
    expect(turns.count()).toBeGreaterThanOrEqual(10)
  })

  it('is not filled by the refused requests of one person', async () => {
    const clock = testClock()
    const { instructor, hers, his } = await classroom({ clock })
    for (let times = 0; times < MOST_REFUSALS + 5; times += 1) await hers.tries('/api/runs/none/cancel', {})
    await his.tries('/api/runs/none/cancel', {})
    await hers.begins()
    const lines = await logOf(instructor)
    expect(lines.map(({ principal, status }) => [principal, status])).toEqual([
      ['alice', 201],
      ['bob', 400],
      ...Array.from({ length: MOST_REFUSALS }, () => ['alice', 400]),
    ])
    expect(lines[2]?.target).toEqual({ id: 'none', refusals: 'not recorded for the rest of this minute' })
    clock.advance(60_000)
    await hers.tries('/api/runs/none/cancel', {})
    const [again, sum] = await logOf(instructor)
    expect(again).toMatchObject({ principal: 'alice', target: { id: 'none' } })
    expect(sum).toMatchObject({ principal: 'alice', action: 'not recorded in the last minute' })
    expect(sum?.target).toEqual({ changes: '0', refusals: '5' })
  })

  it('is not filled by what one person changes, either', async () => {
    const clock = testClock()
    const { instructor, hers } = await classroom({ clock })
    for (let times = 0; times < MOST_CHANGES + 7; times += 1) await hers.begins()
    await instructor.tries('/api/room/queue', { paused: true }, 'PUT')
    clock.advance(60_000)
    const [sum, owners, last, ...rest] = await logOf(instructor)
    expect(sum).toMatchObject({ principal: 'alice', target: { changes: '7', refusals: '0' } })
    expect(owners).toMatchObject({ principal: 'owner', status: 200 })
    expect(last?.target).toMatchObject({ changes: 'not recorded for the rest of this minute' })
    expect(rest).toHaveLength(MOST_CHANGES - 1)
  })

  it('keeps an instructor’s lines, however many the guests write', () => {
    const { deps } = openRig()
    const db = new Database(join(deps.config.dataDir, 'expresslane.db'), deps.config.dataDir)
    onTestFinished(() => db.close())
    const audit = createAudit(db, { instructor: 500, participant: 300, viewer: 100 })
    const line = { at: deps.clock.now(), name: 'P', address: '', action: 'POST /x', target: {}, status: 200 } as const
    const write = (role: Role, lines: number): void => {
      db.exec('BEGIN')
      for (let count = 0; count < lines; count += 1) audit.add({ ...line, principal: role, role })
      db.exec('COMMIT')
    }
    write('instructor', 400)
    write('participant', 5000)
    write('viewer', 5000)
    const left = audit.page(20_000)
    const of = (role: Role): number => left.filter((one) => one.role === role).length
    expect(of('instructor')).toBe(400)
    // Old lines are dropped from time to time, so more lines than the limit can be left.
    expect(of('participant')).toBe(300)
    expect(of('viewer')).toBeLessThan(1100)
  })

  it('is never changed', () => {
    const { deps, sql } = openRig()
    const entry = { principal: 'p', name: 'P', role: 'viewer', address: '', action: 'POST /x', target: {} } as const
    deps.store.audit.add({ ...entry, at: deps.clock.now(), status: 200 })
    expect(() => sql('UPDATE audit SET status = 0')).toThrow('append-only')
  })
})
