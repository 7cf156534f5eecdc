/** Each participant works on a testbed of their own, in one session per lab. */
import { labsResponse, sessionsResponse, sessionView, testbedsResponse } from '@expresslane/shared/wire/protocol'
import { testbedId } from '@expresslane/shared/testbed/id'
import { describe, expect, it } from 'vitest'
import { mayUse, ownTestbed } from '../../src/access/policy.ts'
import { participant, person } from '../support/http/people.ts'
import { startServer } from '../support/http/server.ts'
import { greeted } from '../support/http/stream-client.ts'

const alice = participant('alice')
const bob = participant('bob')

async function classroom() {
  const server = await startServer({ guests: [alice, bob] })
  return {
    server,
    owner: person(server, server.token),
    hers: person(server, alice.token),
    his: person(server, bob.token),
  }
}

describe('a participant’s testbed', () => {
  it('is the one that this server offers them', async () => {
    const { server, owner, hers } = await classroom()
    expect((await hers.read(labsResponse, '/api/labs')).testbeds).toEqual(['netns@alice'])
    expect((await owner.read(labsResponse, '/api/labs')).testbeds).toEqual(['netns'])
    expect(server.deps.testbeds.made()).toEqual([])
    const { testbeds } = await hers.read(testbedsResponse, '/api/testbeds')
    expect(testbeds.map(({ id }) => id)).toEqual(['netns@alice'])
    expect(server.deps.testbeds.made()).toEqual(['netns@alice'])
  })

  it('is the place of a session that names only the kind', async () => {
    const { server, hers } = await classroom()
    expect((await hers.begins()).testbed).toBe('netns@alice')
    expect((await hers.begins('big-tcp-ipv6', 'netns@alice')).testbed).toBe('netns@alice')
    expect(server.deps.testbeds.made()).toEqual(['netns@alice'])
  })

  it('has a testbed for each topology', async () => {
    const { hers } = await classroom()
    expect((await hers.begins('big-tcp-ipv4', 'netns:forwarder')).testbed).toBe('netns:forwarder@alice')
    expect(await hers.tries('/api/sessions', { labId: 'big-tcp-ipv4', testbed: 'netns:forwarder@bob' })).toEqual([
      404,
      'not_found',
    ])
  })

  it('is a counted machine of their own, too', () => {
    const principal = { id: 'alice', role: 'participant', name: 'Alice' } as const
    for (const [asked, own] of [
      ['counted', 'counted@alice'],
      ['counted:forwarder', 'counted:forwarder@alice'],
    ] as const) {
      expect(ownTestbed(principal, testbedId.parse(asked))).toBe(own)
      expect([mayUse(principal, testbedId.parse(asked)), mayUse(principal, testbedId.parse(own))]).toEqual([
        false,
        true,
      ])
    }
  })

  it('is no host over ssh, under no name', () => {
    const principal = { id: 'alice', role: 'participant', name: 'Alice' } as const
    for (const asked of ['ssh', 'ssh:forwarder', 'ssh@alice', 'ssh:forwarder@alice']) {
      expect(mayUse(principal, testbedId.parse(asked)), asked).toBe(false)
      expect(mayUse({ ...principal, role: 'instructor' }, testbedId.parse(asked)), asked).toBe(true)
    }
  })

  it('is the only one with an owner that they can use, in that spelling', async () => {
    const { hers } = await classroom()
    for (const testbed of [
      'netns@bob',
      'counted@bob',
      'netns:more@alice',
      'netns:more',
      'kubernetes:kind@alice',
      'recording:x@alice',
    ]) {
      expect(await hers.tries('/api/sessions', { labId: 'big-tcp-ipv4', testbed })).toEqual([404, 'not_found'])
      expect(await hers.tries(`/api/testbeds/${testbed}`)).toEqual([404, 'not_found'])
    }
  })

  it('is read for its owner’s page, and not for the instructor’s', async () => {
    const { server, owner, hers } = await classroom()
    const board = owner.stream()
    await board.until(greeted)
    await hers.begins()
    const fake = server.fakes.at(-1)
    expect(fake?.passed).not.toContain('read')
    const page = hers.stream()
    await page.until((frames) => frames.some((frame) => frame.type === 'live' && frame.testbed === 'netns@alice'))
    expect(fake?.passed).toContain('read')
    expect(board.frames.filter((frame) => frame.type === 'live' && frame.testbed === 'netns@alice')).toEqual([])
  })
})

describe('a participant’s session', () => {
  it('is one per lab: another device finds it', async () => {
    const { hers, his, owner } = await classroom()
    const [one, two] = await Promise.all([hers.begins(), hers.begins()])
    expect(two?.id).toBe(one?.id)
    expect((await hers.begins('big-tcp-ipv6')).id).not.toBe(one?.id)
    expect((await his.begins()).id).not.toBe(one?.id)
    const { sessions } = await hers.read(sessionsResponse, '/api/sessions')
    expect(sessions.map(({ labId }) => labId)).toEqual(['big-tcp-ipv6', 'big-tcp-ipv4'])
    const again = await owner.read(sessionView, '/api/sessions', 201, { labId: 'big-tcp-ipv4' })
    expect((await owner.begins()).id).not.toBe(again.session.id)
  })
})
