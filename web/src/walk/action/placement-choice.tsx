import type { PlacementVariant } from '@expresslane/shared/testbed/placement'
import { placementName } from '../../words/format.ts'
import { SelectField } from '../../components/select-field.tsx'

interface PlacementChoiceProps {
  placements: readonly PlacementVariant[]
  /** How the pods that are there lie; null while there are none. */
  present: PlacementVariant | null
  /** Null until somebody chose: then pods are made as those that are there. */
  chosen: PlacementVariant | null
  onChange: (placement: PlacementVariant) => void
  disabled: boolean
}

/** Where to put the two pods; nothing to choose where the testbed knows one way. */
export function PlacementChoice({ placements, present, chosen, onChange, disabled }: PlacementChoiceProps) {
  if (placements.length < 2) return null
  const value = chosen ?? present ?? 'other-node'
  return (
    <SelectField
      label="The two pods"
      value={value}
      options={placements.map((one) => [one, one === present ? `${placementName[one]} (as now)` : placementName[one]])}
      onChange={(picked) => {
        const placement = placements.find((one) => one === picked)
        if (placement !== undefined) onChange(placement)
      }}
      disabled={disabled}
    />
  )
}
