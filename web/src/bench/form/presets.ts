/** The features' presets as input of the form. Pure. */
import { derived } from '@expresslane/shared/base/registry'
import type { Feature, Preset } from '@expresslane/shared/features/feature'
import { features } from '@expresslane/shared/features/registry'
import { withFeature, type BenchChoice } from './choice.ts'
import { chosenFrom } from './setting-controls.ts'

interface ShownPreset {
  /** Unique among all features. */
  readonly id: string
  readonly name: string
  readonly choice: BenchChoice
}

interface FeaturePresets {
  readonly feature: Feature
  readonly presets: readonly ShownPreset[]
}

function choiceFrom(feature: Feature, { tool, families, sizes, arms, design }: Preset): BenchChoice {
  const chosen = arms.map((settings) => chosenFrom(feature, settings))
  return { feature: feature.id, tool, families, sizes, response: '', arms: chosen, design }
}

/** The presets of each feature that has some. */
export const presetsByFeature = derived((): readonly FeaturePresets[] =>
  features
    .all()
    .map((feature) => ({
      feature,
      presets: (feature.presets ?? []).map((preset) => ({
        id: `${feature.id} ${preset.name}`,
        name: preset.name,
        choice: choiceFrom(feature, preset),
      })),
    }))
    .filter(({ presets }) => presets.length > 0),
)

function plain(): BenchChoice {
  const [{ id }] = features.all()
  const design = { order: 'auto', repeats: 8, seconds: 0.5, warmups: 1, budget: null } as const
  return withFeature({ feature: id, tool: '', families: ['ipv4'], sizes: '80k', response: '', arms: [], design }, id)
}

/** The form's first choice: the first preset; two arms that are off if no feature has a preset. */
export const firstPreset = derived(
  (): ShownPreset => presetsByFeature()[0]?.presets[0] ?? { id: '', name: '', choice: plain() },
)
