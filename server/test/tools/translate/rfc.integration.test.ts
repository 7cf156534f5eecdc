/** The translator's program on this machine's kernel, case by case: RFC 7915, RFC 6052, and tayga beside it. */
import { describe, expect, test } from 'vitest'
import { common, comparable, readCases, translate } from './cases.ts'

const cases = readCases()
const byRules = Map.groupBy(cases, ({ rules }) => JSON.stringify(rules))
const isRoot = process.getuid?.() === 0

describe.skipIf(!isRoot).each([...byRules.values()].map((same) => ({ rules: same[0]?.rules, same })))(
  'with $rules',
  async ({ rules, same }) => {
    const { frames } = isRoot
      ? await translate(
          rules,
          same.map(({ step }) => step.in),
        )
      : { frames: [] }

    test.each(same.map((one, place) => ({ ...one, result: frames[place] })))('$name', ({ step, result }) => {
      expect(result?.outcome).toBe(step.outcome)
      expect(comparable(result?.frame ?? null)).toBe(comparable(step.out ?? null))
    })

    const both = same.flatMap((one, place) => (one.tayga === undefined ? [] : [{ ...one, result: frames[place] }]))
    test.each(both)('$name, as tayga does it', ({ tayga, differs, result }) => {
      const [own, other] = [result?.frame, tayga].map((frame) => common(comparable(frame ?? null)))
      if (differs === null) expect(own).toBe(other)
      else expect(own).not.toBe(other)
    })
  },
)
