import { expect, test } from 'vitest'
import { createLine } from '../../../../src/testbeds/kubernetes/testbed-pods/line.ts'

test('each learns the own place, and again when it changes', () => {
  const line = createLine()
  const told: string[] = []
  const join = (name: string) => line.join((place) => void told.push(`${name} ${place}`))
  const [ada, bob] = [join('ada'), join('bob')]
  join('cleo')
  bob()
  // Leaving twice changes nothing.
  bob()
  ada()
  join('dora')
  expect(told).toEqual(['ada 1', 'bob 2', 'cleo 3', 'cleo 2', 'cleo 1', 'dora 2'])
})
