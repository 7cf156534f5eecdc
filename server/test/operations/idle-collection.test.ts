import { expect, it } from 'vitest'
import { collectGarbage, collectWhenIdle, IDLE_MS } from '../../src/operations/idle-collection.ts'
import { testClock } from '../support/clock.ts'

function watched() {
  const clock = testClock()
  let collections = 0
  let free = true
  const idle = collectWhenIdle({ clock, isFree: () => free, collect: () => (collections += 1) })
  return { clock, idle, collections: () => collections, run: (on: boolean) => (free = !on) }
}

it('collects once after each busy time, and never without one', () => {
  const { clock, idle, collections } = watched()
  clock.advance(10 * IDLE_MS)
  expect(collections()).toBe(0)
  idle.busy()
  clock.advance(IDLE_MS - 1)
  idle.busy()
  clock.advance(IDLE_MS - 1)
  expect(collections()).toBe(0)
  clock.advance(1)
  expect(collections()).toBe(1)
  clock.advance(10 * IDLE_MS)
  expect(collections()).toBe(1)
  idle.busy()
  clock.advance(IDLE_MS)
  expect(collections()).toBe(2)
})

it('waits for the end of an open run, which can say nothing for minutes', () => {
  const { clock, idle, collections, run } = watched()
  idle.busy()
  run(true)
  clock.advance(5 * IDLE_MS)
  expect(collections()).toBe(0)
  run(false)
  clock.advance(1000)
  expect(collections()).toBe(1)
})

it('ends with the server', () => {
  const { clock, idle, collections } = watched()
  idle.busy()
  idle.close()
  clock.advance(2 * IDLE_MS)
  expect(collections()).toBe(0)
})

it('collects what nobody holds', () => {
  const held = new WeakRef({ some: 'thing' })
  return new Promise<void>((resolve) => {
    // A WeakRef holds its target until the task that made it has ended.
    setImmediate(() => {
      collectGarbage()
      expect(held.deref()).toBeUndefined()
      resolve()
    })
  })
})
