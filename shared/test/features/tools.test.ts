import { expect, test } from 'vitest'
import { features } from '../../src/features/registry.ts'
import { tools } from '../../src/tools/registry.ts'

test('no feature needs another one for a tool: it is registered by itself, or comes with one feature alone', () => {
  const registered: ReadonlySet<unknown> = new Set(tools.all())
  const own = features.all().flatMap(({ benchmarks }) => benchmarks.filter((one) => !registered.has(one)))
  expect(new Set(own).size).toBe(own.length)
  const ids = [...tools.all(), ...own].map(({ tool }) => tool)
  expect(new Set(ids).size).toBe(ids.length)
})
