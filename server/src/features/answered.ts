import type { Family } from '@expresslane/shared/base/units'
import type { Observation } from '@expresslane/shared/base/observation'
import type { HookReading } from '@expresslane/shared/testbed/reading'

interface Calls {
  /** The hook that counts the answers by family. */
  readonly hook: string
  readonly label: (of: Family) => string
  /** True if the arm's settings let the calls through; false if they stop them. */
  readonly wanted: boolean
}

/** Checks in each family whether calls between the pods are answered. No setting shows that. */
export function observeAnswers(
  hooks: readonly HookReading[],
  families: readonly Family[],
  { hook, label, wanted }: Calls,
): Observation[] {
  const words = (answered: boolean): string => (answered ? 'answered' : 'no answer')
  const counts = hooks.find((one) => one.hook === hook)?.counts
  return families.map((of) => {
    const count = counts?.[of]
    const seen = count === undefined ? null : count > 0
    return {
      label: label(of),
      expected: words(wanted),
      seen: seen === null ? 'unknown' : words(seen),
      ok: seen === wanted,
    }
  })
}
