/** What an author may leave out of an experiment: arms stand in the front matter, numbers beside the plan. */
import type { ArmPlan } from '@expresslane/shared/measure/experiment'
import type { Path } from './located-yaml.ts'
import { expectedOneOf } from './nearest.ts'

/** Stands for an arm that can't be read, so that its absence is no second error. */
const unread: ArmPlan = { id: 'unread', label: 'unread', settings: {} }

type Fields = Readonly<Record<string, unknown>>

function fieldsOf(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
}

/**
 * An experiment's plan in full: arms that are named by id, or all of the lab's where none is; and a design that is as
 * usual where it says nothing else. Anything that is not an experiment stays as it is.
 *
 * @param arms the lab's; null where they can't be read
 * @param onUnknown called with the path of an id that no arm has
 */
export function completeExperiment(
  action: Fields,
  arms: readonly ArmPlan[] | null,
  onUnknown: (path: Path, message: string) => void,
): Fields {
  const plan = fieldsOf(action['plan'])
  if (action['kind'] !== 'experiment' || plan === null) return action
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
