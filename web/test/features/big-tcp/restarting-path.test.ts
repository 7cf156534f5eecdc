import { describe, expect, it } from 'vitest'
import { followPath, type FollowedPath } from '../../../src/api/follow.ts'
import { placesOf } from '../../../src/features/big-tcp/path/places.ts'
import { datapath, device } from '@expresslane/shared/test/builders'

const big = { gsoIpv4MaxSize: 196_608, groIpv4MaxSize: 196_608 }
const nodeDevice = (node: string, over: object = {}) => device({ where: node, node, ...over })
const says = (node: string) => ({
  node,
  settings: { 'big-tcp-ipv4': true, 'big-tcp-ipv6': false },
  maxGso: { ipv4: null, ipv6: null },
  unreadable: null,
})
const agents = [says('a'), says('b')]

describe('a change while agents restart', () => {
  const unreadAt = (...nodes: string[]) => nodes.map((where) => ({ where, reason: 'its agent is not ready' }))
  const marks = (...states: ReturnType<typeof datapath>[]): (string | null)[] => {
    const read = (was: FollowedPath | null, state: (typeof states)[number]): FollowedPath =>
      followPath(was, { incarnation: 'one', problem: null, datapath: state })
    const path = states.reduce<FollowedPath | null>(read, null)
    if (path === null) throw new Error('nothing was read')
    return placesOf(path, 'ipv4').others.flatMap(({ devices }) => devices.map(({ was }) => was?.gso ?? null))
  }
  const off = datapath([nodeDevice('a'), nodeDevice('b')], { at: 1000, agents })
  const gone = datapath([], { at: 20_000, agents, unread: unreadAt('a', 'b') })
  const first = datapath([nodeDevice('a', big)], { at: 30_000, agents, unread: unreadAt('b') })
  const both = datapath([nodeDevice('a', big), nodeDevice('b', big)], { at: 60_000, agents })

  it('is one change even if nodes answer at different times, compared with the reading before it', () => {
    expect(marks(off, gone, first)).toEqual(['64K'])
    expect(marks(off, gone, first, both)).toEqual(['64K', '64K'])
  })

  it('is not a change if they return with the same sizes', () => {
    expect(marks(off, gone, { ...off, at: both.at })).toEqual([null, null])
  })

  it('ends with the restart: the next change is another one', () => {
    const next = datapath([nodeDevice('a', big), nodeDevice('b')], { at: 90_000, agents })
    expect(marks(off, gone, first, both, next)).toEqual([null, '192K'])
  })
})
