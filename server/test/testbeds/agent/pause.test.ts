import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { createControl } from '../../../src/testbeds/counted/control.ts'
import { createPause } from '../../../src/testbeds/agent/pause.ts'

const orders = (control: PassThrough): string[] =>
  String(control.read() ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => /"execute":"(\w+)"/.exec(line)?.[1] ?? line)

test('the machine is stopped when its last user has gone, and runs again for the next', async () => {
  const control = new PassThrough()
  const pause = createPause(createControl(control), { idleMs: 1 })
  const [first, second] = [pause.busy(), pause.busy()]
  expect(orders(control)).toEqual(['qmp_capabilities'])
  first()
  // Twice is as once.
  first()
  expect(orders(control)).toEqual([])
  expect(pause.idleSince()).toBeNull()
  second()
  expect(pause.idleSince()).toBeLessThanOrEqual(performance.now())
  await once(control, 'readable')
  expect(orders(control)).toEqual(['stop'])
  const third = pause.busy()
  pause.busy()
  expect(orders(control)).toEqual(['cont'])
  expect(pause.idleSince()).toBeNull()
  third()
  expect(orders(control)).toEqual([])
  pause.close()
})

test('between two users that follow at once it is not stopped', () => {
  const control = new PassThrough()
  const pause = createPause(createControl(control))
  pause.busy()()
  pause.busy()
  expect(orders(control)).toEqual(['qmp_capabilities'])
  pause.close()
})

test('a machine that nobody has used for long is reported', async () => {
  const long = Promise.withResolvers<void>()
  const pause = createPause(createControl(new PassThrough()), { long: { ms: 1, call: long.resolve } })
  pause.busy()()
  await long.promise
  pause.close()
})
