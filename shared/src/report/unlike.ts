/** Two runs laid side by side: what is compared with what, and what makes that unfair. Pure. */
import { toolName } from '../benchmark.ts'
import { compareArms, type Comparison } from '../compare.ts'
import { fingerprintDifferences, type Difference } from '../fingerprint.ts'
import { isRequestResponse, type Measurement } from '../measurement.ts'
import type { RunState } from '../run-state.ts'
import { familyName, formatCount } from '../units.ts'

/** Whatever a run measured, in the order taken, warm-ups included. */
export function takenIn({ repeats }: Pick<RunState, 'repeats'>): Measurement[] {
  return repeats.flatMap(({ measurement }) => measurement ?? [])
}

function sizesOf(of: Measurement): string {
  if (!isRequestResponse(of)) return 'a stream'
  return `${formatCount(of.requestBytes)} / ${formatCount(of.responseBytes)} bytes`
}

/** What was measured, apart from where. Seconds are told as the tool was asked for them. */
function described(of: Measurement): [string, string][] {
  return [
    ['Tool', toolName[of.tool]],
    ['Address family', familyName[of.family]],
    ['Request and response', sizesOf(of)],
    ['Seconds a run', String(Math.max(1, Math.round(of.elapsedSeconds)))],
  ]
}

/** All that differs between two sides besides their arms: what was measured, then where. Both sides' first runs speak. */
export function differencesOf(before: readonly Measurement[], after: readonly Measurement[]): Difference[] {
  const [was, is] = [before[0], after[0]]
  if (was === undefined || is === undefined) return []
  const now = new Map(described(is))
  const measured = described(was).flatMap(([label, value]) => {
    const other = now.get(label) ?? 'unknown'
    return value === other ? [] : [{ label, was: value, is: other }]
  })
  return [...measured, ...fingerprintDifferences(was.fingerprint, is.fingerprint, was.family)]
}

export interface SideBySide {
  /** What is compared; empty where both runs measured one thing. */
  readonly title: string
  readonly comparison: Comparison
  readonly differences: readonly Difference[]
}

interface Part {
  readonly title: string
  readonly taken: Measurement[]
}

/** A run's parts: an experiment's by case and arm, any other run as one. */
function partsOf(run: RunState): Map<string, Part> {
  const taken = takenIn(run)
  const { plan } = run
  if (plan === null) return new Map(taken.length === 0 ? [] : [['', { title: '', taken }]])
  const parts = plan.cases.flatMap((one) =>
    plan.arms.map((arm): [string, Part] => {
      const own = taken.filter((each) => each.caseId === one.id && each.arm === arm.id)
      return [`${one.id} ${arm.id}`, { title: `${one.label}, ${arm.label}`, taken: own }]
    }),
  )
  return new Map(parts.filter(([, part]) => part.taken.length > 0))
}

/**
 * Compares two runs part by part: two experiments where they have the same cases and arms, else as a whole. Runs that
 * have nothing in common give nothing.
 */
export function sideBySide(before: RunState, after: RunState): SideBySide[] {
  const [was, is] = [partsOf(before), partsOf(after)]
  return [...was].flatMap(([key, { title, taken }]) => {
    const other = is.get(key)
    if (other === undefined) return []
    const comparison = compareArms(taken, other.taken, {
      names: { off: 'before', on: 'after' },
      ...(title === '' ? {} : { subject: title }),
    })
    return comparison === null ? [] : [{ title, comparison, differences: differencesOf(taken, other.taken) }]
  })
}
