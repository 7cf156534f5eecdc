/** From the chosen arms to arm plans with names. Pure. */
import { i18n } from '@expresslane/shared/base/language'
import { nameArmOf } from '@expresslane/shared/features/arms'
import type { ArmName, Feature } from '@expresslane/shared/features/feature'
import type { ArmPlan } from '@expresslane/shared/measure/experiment'
import type { Family } from '@expresslane/shared/base/units'
import { settingsChosen, type Chosen } from './setting-controls.ts'

export const MOST_ARMS = 8

/** Adds a number to arms with equal settings. Equal arms are allowed: they show how much noise there is. */
function distinct(named: readonly ArmName[]): ArmName[] {
  return named.map(({ id, label }, index) => {
    const before = named.slice(0, index).filter((one) => one.id === id).length
    return before === 0 ? { id, label } : { id: `${id}-${before + 1}`, label: `${label} (${before + 1})` }
  })
}

export interface ArmPlans {
  readonly arms: readonly ArmPlan[]
  /** Errors to show. */
  readonly messages: readonly string[]
}

export function armPlans(feature: Feature, choices: readonly Chosen[], families: readonly Family[]): ArmPlans {
  const none = choices.length === 0 ? [i18n.t('Add an arm to measure.')] : []
  const set = choices.map((chosen) => settingsChosen(feature, chosen, families))
  const names = distinct(set.map(({ settings }) => nameArmOf(feature, settings)))
  const arms = set.map(({ settings }, index) => ({ id: '', label: '', ...names[index], settings }))
  return { arms, messages: [...new Set([...none, ...set.flatMap(({ messages }) => messages)])] }
}
