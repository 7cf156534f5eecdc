import { LabError } from '@expresslane/shared/base/errors'
import { expect, test } from 'vitest'
import { pingBoth } from '../../../src/features/pod-devices/pings.ts'

/** A server that answers the pings of a family only from an attempt on. */
function pods(from: Readonly<Record<'ipv4' | 'ipv6', number>>) {
  const attempts = { ipv4: 0, ipv6: 0 }
  return {
    attempts,
    async look(_: unknown, argv: readonly string[]) {
      const address = argv[argv.indexOf('--address') + 1] ?? ''
      const family = address.includes(':') ? 'ipv6' : 'ipv4'
      attempts[family]++
      if (attempts[family] < from[family]) throw new LabError('tool_failed', 'It failed.', 'Try again.')
      return `${JSON.stringify({ type: 'ping', address, sent: 3, received: 3 })}\n`
    },
  }
}

test('pings that should be answered are repeated until they are', async () => {
  const late = pods({ ipv4: 1, ipv6: 3 })
  expect(await pingBoth(true, late)).toEqual({ ipv4: true, ipv6: true })
  expect(late.attempts.ipv6).toBe(3)
})

test('silence is believed in the end', async () => {
  expect(await pingBoth(true, pods({ ipv4: 1, ipv6: Number.POSITIVE_INFINITY }))).toEqual({ ipv4: true, ipv6: false })
})

test('silence that is expected is believed at once, and an answer then, too', async () => {
  const silent = pods({ ipv4: 2, ipv6: 2 })
  expect(await pingBoth(false, silent)).toEqual({ ipv4: false, ipv6: false })
  expect(silent.attempts).toEqual({ ipv4: 1, ipv6: 1 })
  expect(await pingBoth(false, pods({ ipv4: 1, ipv6: 1 }))).toEqual({ ipv4: true, ipv6: true })
})
