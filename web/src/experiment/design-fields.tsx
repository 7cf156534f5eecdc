import { i18n } from '@expresslane/shared/base/language'
import { orderOf, type Design } from '@expresslane/shared/measure/experiment'
import type { Clock } from '@expresslane/shared/measure/clock'
import type { Tunable } from '@expresslane/shared/labs/lab'
import { Checkbox } from '../components/controls.tsx'
import { Fragment } from 'react'
import { BoundedNumber } from '../components/bounded-number.tsx'
import { RunLength } from '../components/run-length.tsx'
import { SelectField } from '../components/select-field.tsx'
import classes from './experiment-view.module.css'

interface DesignFieldsProps {
  design: Design
  onChange: (design: Design) => void
  bounds: { readonly repeats: Tunable; readonly seconds: Tunable }
  /** Whether the testbed switches faster than it measures. */
  quickSwitch: boolean
  /** The clock of the testbed. */
  clock: Clock
  disabled: boolean
}

const orders: readonly Design['order'][] = ['auto', 'interleaved', 'sequential']
const orderWords = {
  interleaved: /*i18n*/ 'Arms take turns (ABBA)',
  sequential: /*i18n*/ 'One arm after the other',
} as const
const autoWords = {
  interleaved: /*i18n*/ 'Automatic: arms take turns (ABBA)',
  sequential: /*i18n*/ 'Automatic: one arm after the other',
} as const

const START_BUDGET = { widthPercent: 5, seconds: 120 }

/** The design of an experiment: repeats, duration, order and when to stop. */
export function DesignFields({ design, onChange, bounds, quickSwitch, clock, disabled }: DesignFieldsProps) {
  const { repeats, seconds, warmups, budget, order } = design
  const auto = autoWords[orderOf({ order: 'auto', budget }, quickSwitch)]
  const numbers = [
    { key: 'repeats', label: budget === null ? i18n.t('Repeats') : i18n.t('Minimum repeats'), ...bounds.repeats },
    { key: 'warmups', label: i18n.t('Warm-ups'), min: 0, max: 5 },
  ] as const
  return (
    <div className="stack" role="group" aria-label={i18n.t('How to measure')}>
      <div className={classes.fields}>
        {numbers.map(({ key, label, min, max }, place) => (
          <Fragment key={key}>
            <BoundedNumber
              label={label}
              value={{ repeats, warmups }[key]}
              min={min}
              max={max}
              disabled={disabled}
              onChange={(entered) => onChange({ ...design, [key]: entered })}
            />
            {place === 0 && (
              <RunLength
                seconds={seconds}
                min={bounds.seconds.min}
                max={bounds.seconds.max}
                clock={clock}
                disabled={disabled}
                onChange={(entered) => onChange({ ...design, seconds: entered })}
              />
            )}
          </Fragment>
        ))}
      </div>
      <SelectField
        label={i18n.t('Order')}
        value={order}
        options={orders.map((one) => [one, i18n.t(one === 'auto' ? auto : orderWords[one])])}
        disabled={disabled}
        onChange={(picked) => {
          const chosen = orders.find((one) => one === picked)
          if (chosen !== undefined) onChange({ ...design, order: chosen })
        }}
      />
      <Checkbox
        label={i18n.t('Repeat until the result is precise enough')}
        checked={budget !== null}
        disabled={disabled}
        onChange={(event) => {
          const on = event.currentTarget.checked
          // Only arms that take turns can be measured further.
          const turns = on && order === 'sequential' ? 'auto' : order
          onChange({ ...design, order: turns, budget: on ? START_BUDGET : null })
        }}
      />
      {budget !== null && (
        <div className={classes.fields}>
          <BoundedNumber
            label={i18n.t('Target interval width')}
            value={budget.widthPercent}
            min={0.5}
            max={100}
            step={0.5}
            suffix=" %"
            fractions
            disabled={disabled}
            onChange={(widthPercent) => onChange({ ...design, budget: { ...budget, widthPercent } })}
          />
          <BoundedNumber
            label={i18n.t('Time limit')}
            value={budget.seconds}
            min={5}
            max={7_200}
            step={30}
            suffix=" s"
            disabled={disabled}
            onChange={(entered) => onChange({ ...design, budget: { ...budget, seconds: entered } })}
          />
        </div>
      )}
    </div>
  )
}
