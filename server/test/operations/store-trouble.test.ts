/** A store that takes no writes is said to those with an open page. */
import type { StreamFrame } from '@expresslane/shared/wire/stream'
import { expect, it } from 'vitest'
import { testClock } from '../support/clock.ts'
import { startServer } from '../support/http/server.ts'
import { connect } from '../support/http/stream-client.ts'
import { lockedBy } from '../support/store/locked.ts'

const codes = (frames: readonly StreamFrame[]) =>
  frames.flatMap((frame) => (frame.type === 'store' ? [frame.problem?.code ?? null] : []))

it('is on the stream once writes fail for a while, and again when they work', async () => {
  const clock = testClock()
  const server = await startServer({ clock })
  const client = connect(server)
  await client.until((frames) => codes(frames).length === 1)
  const lock = await lockedBy(server.data)
  expect(() => server.deps.store.queue.pause(true)).toThrow()
  clock.advance(999)
  expect(server.deps.trouble.current()).toBeNull()
  clock.advance(1)
  await client.until((frames) => codes(frames).length === 2)
  // A client that connects now learns of the trouble, too.
  const late = connect(server)
  await late.until((frames) => codes(frames).length === 1)
  expect(codes(late.frames)).toEqual(['data_in_use'])
  clock.advance(1000)
  await lock.release()
  clock.advance(1000)
  await client.until((frames) => codes(frames).length === 3)
  expect(codes(client.frames)).toEqual([null, 'data_in_use', null])
})
