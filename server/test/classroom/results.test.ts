/** The room's results as files. */
import { runAccepted } from '@expresslane/shared/wire/protocol'
import { epochMs } from '@expresslane/shared/base/units'
import { describe, expect, it } from 'vitest'
import { classroom, type Person } from '../support/http/people.ts'

const params = { repeats: 1, seconds: 1 }

/** Alice and Bob joined; Alice has a result, Bob has only begun, and the instructor’s session does not count. */
async function room() {
  const { server, instructor, hers, his, viewer } = await classroom()
  const { store, clock, scheduler } = server.deps
  const expiresAt = epochMs.parse(clock.now() + 3_600_000)
  for (const [id, name] of [
    ['alice', 'Alice, A.'],
    ['bob', 'Bob'],
  ] as const) {
    store.principals.add({ id, role: 'participant', name, invitation: null, joinedAt: clock.now(), expiresAt })
  }
  const solves = async (who: Person): Promise<void> => {
    const { id } = await who.begins()
    const path = `/api/sessions/${id}/steps/compare/run`
    const { runId } = await who.read(runAccepted, path, 202, { params, solve: true })
    await scheduler.settled(runId)
  }
  await solves(hers)
  await his.begins()
  await instructor.begins()
  return { server, instructor, hers, viewer }
}

describe('the results of the room', () => {
  it('are a line per participant as CSV, also of one who was removed', async () => {
    const { server, instructor } = await room()
    server.deps.people.remove('alice')
    const lines = (await instructor.text('/api/room/results.csv?lab=big-tcp-ipv4')).trimEnd().split('\r\n')
    expect(lines).toHaveLength(3)
    expect(lines[1]).toMatch(/^"Alice, A\.",big-tcp-ipv4,s_\w+,netns@alice,\d+,\d+,\d{4}-.*,ipv4,tps,/)
    expect(lines[2]).toMatch(/^Bob,big-tcp-ipv4,s_\w+,netns@bob,0,/)
  })

  it('are one report with a dot per participant, as a file that runs nothing', async () => {
    const { instructor } = await room()
    const answer = await instructor.call('/api/room/report?lab=big-tcp-ipv4')
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'")
    expect(answer.headers['content-disposition']).toBe('attachment; filename="expresslane-room-big-tcp-ipv4.html"')
    expect(answer.text.match(/<circle /g)).toHaveLength(1)
    for (const name of ['Alice, A.', 'Bob']) expect(answer.text).toContain(`<th scope="row">${name}</th>`)
  })

  it('are of a lab that exists, and for the instructor', async () => {
    const { instructor, hers, viewer } = await room()
    for (const path of ['/api/room/results.csv', '/api/room/report']) {
      expect(await instructor.tries(`${path}?lab=none`)).toEqual([404, 'not_found'])
      expect(await instructor.tries(`${path}?lab=../x`)).toEqual([400, 'bad_request'])
      for (const who of [hers, viewer])
        expect(await who.tries(`${path}?lab=big-tcp-ipv4`)).toEqual([403, 'not_allowed'])
    }
  })
})
