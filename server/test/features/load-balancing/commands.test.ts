import { balancingIn, BALANCING, BUCKETS, REPLIES } from '@expresslane/shared/features/load-balancing/settings'
import { backends, SERVICE } from '@expresslane/shared/features/load-balancing/places'
import type { Settings } from '@expresslane/shared/base/settings'
import { LabError } from '@expresslane/shared/base/errors'
import { describe, expect, test } from 'vitest'
import { parseClientLine } from '../../../src/features/load-balancing/client.ts'
import { bucketsOf, rulesOf } from '../../../src/features/load-balancing/commands.ts'
import {
  balancingOf,
  parseConnections,
  parseTable,
  wrongBuckets,
  type TableRead,
} from '../../../src/features/load-balancing/reading.ts'

const of = (settings: Settings) => balancingIn(settings)

describe('the rules of a balancer', () => {
  test('rewrite to the bucket’s backend, and the reply’s source back to the service', () => {
    const rules = rulesOf(of({ [BALANCING]: 'maglev' }))
    expect(rules).toHaveLength(1 + 3 + 1)
    expect(rules.at(-1)).toContain('jhash ip saddr . tcp sport mod 1021 ')
    expect(rules.at(-1)).toContain(`ip saddr set ${SERVICE}`)
    expect(rules.join('\n')).not.toContain('type nat')
    const elements = rules.slice(1, -1).flatMap((rule) => rule.match(/\d+ : 10\.60\.0\.1[1-5]\b/g))
    expect(elements).toHaveLength(1_021)
  })

  test('random backends are drawn, and conntrack remembers them', () => {
    const rules = rulesOf(of({ [BALANCING]: 'random' }))
    expect(rules.at(-1)).toContain('type nat')
    expect(rules.at(-1)).toContain('numgen random mod 5 ')
  })

  test('with direct replies a packet keeps the service’s address, and gets a mark', () => {
    const rules = rulesOf(of({ [BALANCING]: 'maglev', [REPLIES]: 'direct' })).join('\n')
    expect(rules).toContain('meta mark set jhash')
    expect(rules).not.toMatch(/addr set/)
  })
})

/** A table as `nft -j` prints it. */
function listed(chain: string, elem: readonly (readonly [number, string | number])[]): string {
  return JSON.stringify({
    nftables: [
      { metainfo: { version: '1.0.6' } },
      { table: { family: 'ip', name: 'load-balancing' } },
      { map: { family: 'ip', name: 'backends', type: 'integer', map: 'ipv4_addr', elem } },
      { chain: { family: 'ip', name: 'requests', type: chain } },
      { rule: { family: 'ip', chain: 'requests', expr: [] } },
    ],
  })
}

describe('the table that the kernel lists', () => {
  const maglev = of({ [BALANCING]: 'maglev', [BUCKETS]: 251 })
  const elements = bucketsOf(maglev).map((backend, bucket) => [bucket, backends[backend - 1]?.address ?? ''] as const)

  test('in any order it is the arm’s', () => {
    const read = parseTable(listed('filter', elements.toReversed()))
    expect(read.replies).toBe('balancer')
    expect(wrongBuckets(read, bucketsOf(maglev))).toBe(0)
    expect(balancingOf(read, undefined)).toEqual(maglev)
  })

  test('another bucket, a missing one, and another table are wrong', () => {
    const read = parseTable(listed('filter', elements))
    const [first = 0, ...others] = read.buckets
    const changed: TableRead = { ...read, buckets: [(first % 5) + 1, ...others] }
    expect(wrongBuckets(changed, bucketsOf(maglev))).toBe(1)
    expect(wrongBuckets({ ...read, buckets: others }, bucketsOf(maglev))).toBeGreaterThan(0)
    expect(() => balancingOf(changed, maglev)).toThrow(LabError)
  })

  test('marks are backends that reply directly, and NAT is random', () => {
    const marks = parseTable(
      listed('filter', [
        [0, 1],
        [1, 1],
      ]),
    )
    expect(marks).toEqual({ by: 'nftables', isRandom: false, replies: 'direct', buckets: [1, 1] })
    const random = parseTable(
      listed('nat', [
        [0, '10.60.0.11'],
        [1, '10.60.0.12'],
      ]),
    )
    expect(balancingOf(random, undefined)).toMatchObject({ balancer: 'random', backends: 2 })
  })

  test('with one backend all tables are alike, and the loaded one counts', () => {
    const read: TableRead = {
      by: 'nftables',
      isRandom: false,
      replies: 'balancer',
      buckets: Array<number>(251).fill(1),
    }
    expect(balancingOf(read, maglev).balancer).toBe('maglev')
  })

  test('no table is an error', () => {
    expect(() => parseTable('')).toThrow(LabError)
    expect(() => parseTable(listed('filter', []))).toThrow(LabError)
  })
})

test('the ports of established connections in /proc/net/tcp and tcp6', () => {
  const text = [
    '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode',
    '   0: 00000000:0050 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1 1',
    '   1: 0000000000000000FFFF00000B003C0A:0050 0000000000000000FFFF000001003C0A:9C40 01 00000000:00000000 00:0 0 0 0 2 1',
    '   2: 01003C0A:9C41 0100600A:0050 01 00000000:00000000 00:00000000 00000000     0        0 3 1',
    '   3: 01003C0A:9C42 0100600A:0050 06 00000000:00000000 00:00000000 00000000     0        0 4 1',
  ].join('\n')
  expect(parseConnections(text, 'remote')).toEqual([0x9c40])
  expect(parseConnections(text, 'local')).toEqual([0x9c41])
})

test('the lines of the client', () => {
  expect(parseClientLine('opened 1000 4711')).toEqual({ type: 'opened', count: 1_000, pid: 4_711 })
  expect(parseClientLine('answered 785')).toEqual({ type: 'answered', count: 785 })
  expect(parseClientLine('bash: connect: Connection refused')).toBeNull()
})
