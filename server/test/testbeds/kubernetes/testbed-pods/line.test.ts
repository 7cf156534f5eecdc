import { expect, test } from 'vitest'
import { createLine } from '../../../../src/testbeds/kubernetes/testbed-pods/line.ts'

test('each learns the own place at once, and once more when others have left', () => {
  const due: (() => void)[] = []
  const line = createLine((tell) => void due.push(tell))
  const seen: string[] = []
  const join = (name: string) => line.join((place) => void seen.push(`${name} ${place}`))
  const [ada, bob] = [join('ada'), join('bob')]
  join('cleo')
  bob()
  // Leaving twice changes nothing.
  bob()
  ada()
  join('dora')
  expect(seen).toEqual(['ada 1', 'bob 2', 'cleo 3', 'dora 2'])
  for (const tell of due.splice(0)) tell()
  expect(seen.slice(4)).toEqual(['cleo 1'])
})

test('a thousand in line do not hear of each departure', () => {
  const due: (() => void)[] = []
  const line = createLine((tell) => void due.push(tell))
  let heard = 0
  const leave = Array.from({ length: 1000 }, () => line.join(() => (heard += 1)))
  for (const one of leave.slice(0, 500)) one()
  expect(due).toHaveLength(1)
  due[0]?.()
  expect(heard).toBe(1500)
})
