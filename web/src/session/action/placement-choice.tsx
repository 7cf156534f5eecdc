import { i18n } from '@expresslane/shared/base/language'
import type { PlacementVariant } from '@expresslane/shared/testbed/placement'
import { placementName } from '../../words/format.ts'
import { SelectField } from '../../components/select-field.tsx'

interface PlacementChoiceProps {
  placements: readonly PlacementVariant[]
  /** The placement of the existing pods; null if there are none. */
  present: PlacementVariant | null
  /** Where new pods come before the user chooses. */
  usual: PlacementVariant
  /** Null before the user chooses. */
  chosen: PlacementVariant | null
  onChange: (placement: PlacementVariant) => void
  disabled: boolean
}

/** Chooses where to place the two pods; renders nothing if the testbed has only one placement. */
export function PlacementChoice({ placements, present, usual, chosen, onChange, disabled }: PlacementChoiceProps) {
  if (placements.length < 2) return null
  const value = chosen ?? usual
  return (
    <SelectField
      label={i18n.t('Place the two pods')}
      value={value}
      options={placements.map((one) => {
        const place = placementName(one)
        return [one, one === present ? i18n.t('{place} (current)', { place }) : place]
      })}
      onChange={(picked) => {
        const placement = placements.find((one) => one === picked)
        if (placement !== undefined) onChange(placement)
      }}
      disabled={disabled}
    />
  )
}
