/** Checks whether the server answers the client, as the translator lets it. No setting shows that. */
import { CALLS } from '@expresslane/shared/features/nat64/roles'
import { translatorIn } from '@expresslane/shared/features/nat64/settings'
import { answers } from '@expresslane/shared/features/nat64/translators'
import { familyName } from '@expresslane/shared/base/units'
import type { Observation } from '@expresslane/shared/base/observation'
import type { DatapathState } from '@expresslane/shared/testbed/reading'
import { observeAnswers } from '../answered.ts'
import type { Expected } from '../feature.ts'

/** An observation for each family. None without the settings of pods. */
export function observe({ hooks }: DatapathState, { families, pods }: Expected): Observation[] {
  if (pods === undefined) return []
  const wanted = answers(translatorIn(pods))
  return observeAnswers(hooks, families, { hook: CALLS, label: (of) => `a call over ${familyName[of]}`, wanted })
}
