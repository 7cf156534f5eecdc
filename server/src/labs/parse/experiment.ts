/** Fills in an experiment's omitted parts: arms come from the front matter, numbers from beside the plan. */
import type { ArmPlan } from '@expresslane/shared/measure/experiment'
import type { Path } from './located-yaml.ts'
import { expectedOneOf } from './nearest.ts'

/** Replaces an arm that can't be read, so that it causes no second error. */
const unread: ArmPlan = { id: 'unread', label: 'unread', settings: {} }

type Fields = Readonly<Record<string, unknown>>

function fieldsOf(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
}

/**
 * Returns an experiment with its full plan: arms that are named by id, or all of the lab's arms if the plan names none,
 * and a design with the usual values where the author gives none. Other actions are returned unchanged.
 *
 * @param arms the lab's arms; null if they can't be read
 * @param onUnknown called with the path of an id that no arm has
 */
export function completeExperiment(
  action: Fields,
  arms: readonly ArmPlan[] | null,
  onUnknown: (path: Path, message: string) => void,
): Fields {
  const plan = fieldsOf(action['plan'])
  if (plan === null) return action
  const design = fieldsOf(plan['design'] ?? {})
  return {
    ...action,
    plan: {
      ...plan,
      arms: Array.isArray(plan['arms']) ? plan['arms'].map(armOf) : (plan['arms'] ?? arms ?? [unread]),
      design:
        design === null
          ? plan['design']
          : {
              order: 'auto',
              warmups: 1,
              budget: null,
              repeats: fieldsOf(action['repeats'])?.['default'],
              seconds: fieldsOf(action['seconds'])?.['default'],
              ...design,
            },
    },
  }

  function armOf(named: unknown, index: number): unknown {
    if (typeof named !== 'string') return named
    if (arms === null) return { ...unread, id: `unread${index}` }
    const arm = arms.find(({ id }) => id === named)
    const known = arms.map(({ id }) => id)
    if (arm === undefined)
      onUnknown(['plan', 'arms', index], `there is no arm "${named}": ${expectedOneOf(named, known)}`)
    return arm ?? { ...unread, id: `unread${index}` }
  }
}
