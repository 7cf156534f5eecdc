import { i18n } from '@expresslane/shared/base/language'
import type { Comparison } from '@expresslane/shared/compare/comparison'
import { formatNamed, metricOf } from '@expresslane/shared/features/metrics'
import { capitalized } from '@expresslane/shared/features/words'
import { comparedRepeats } from './repeats.ts'
import { FactList } from '../components/fact-list.tsx'
import { SelectField } from '../components/select-field.tsx'

interface SingleRepeatProps {
  of: Comparison
  /** The id of a repeat; null for none. */
  chosen: string | null
  onChoose: (id: string | null) => void
}

/** The repeat of a chosen dot, with its values. The list is for a reader without a pointer, too. */
export function SingleRepeat({ of, chosen, onChoose }: SingleRepeatProps) {
  const repeats = comparedRepeats(of)
  const shown = repeats.find(({ id }) => id === chosen)
  return (
    <div className="stack">
      <div className="row">
        <SelectField
          label={i18n.t('Values of a single repeat')}
          value={shown?.id ?? ''}
          options={[
            ['', i18n.t('None')],
            ...repeats.map(({ id, side, index }) => {
              const { name, runs } = of[side]
              const arm = capitalized(name)
              return [id, i18n.t('{arm}, repeat {number} of {count}', { arm, number: index + 1, count: runs })] as const
            }),
          ]}
          onChange={(id) => onChoose(id === '' ? null : id)}
        />
      </div>
      {shown !== undefined && <Values of={of} {...shown} />}
    </div>
  )
}

function Values({ of, side, index }: { of: Comparison } & ReturnType<typeof comparedRepeats>[number]) {
  return (
    <FactList
      facts={of.rows.map(({ metric, [`${side}Values` as const]: values }) => [
        metricOf(metric).name,
        // With fewer values, it is not known whose they are.
        values.length === of[side].runs ? formatNamed(metric, values[index] ?? 0) : null,
      ])}
    />
  )
}
