import { i18n } from '@expresslane/shared/base/language'
import type { Lab } from '@expresslane/shared/labs/lab'
import type { Fit } from '@expresslane/shared/labs/planned'
import type { ExperimentPlan } from '@expresslane/shared/measure/experiment'
import { kindOf, opinionOn, type TestbedId } from '@expresslane/shared/testbed/id'
import { Checkbox } from '../../components/controls.tsx'
import { useId } from 'react'
import { useLabs, useTestbed } from '../../api/queries.ts'
import { CommandBlock } from '../../components/prose/command-block.tsx'
import { obstacleTo } from './availability.ts'

interface OpinionChoiceProps {
  /** Where the experiment runs. */
  testbed: TestbedId
  /** Null while the form has errors. */
  plan: ExperimentPlan | null
  lab: Pick<Lab, 'needs' | 'optional'>
  /** How long it measures, and how long it can; null if nothing limits it. */
  fit: Fit | null
  checked: boolean
  onChange: (checked: boolean) => void
  disabled: boolean
}

/** Asks for a second opinion. Nothing where the experiment can have none, or where there is no counted machine. */
export function OpinionChoice(props: OpinionChoiceProps) {
  const labs = useLabs()
  const on = opinionOn(props.testbed)
  const offered = labs.data?.testbeds.some((id) => on !== null && kindOf(id) === kindOf(on)) ?? false
  return on !== null && offered ? <Offered {...props} on={on} /> : null
}

function Offered({ on, plan, lab, fit, checked, onChange, disabled }: OpinionChoiceProps & { on: TestbedId }) {
  // The machine is not started to be asked.
  const { data } = useTestbed(on)
  const says = useId()
  const obstacle = data === undefined ? null : obstacleTo(plan, lab, data, fit)
  return (
    <div className="stack tight">
      <Checkbox
        label={i18n.t('Ask the counted machine, too')}
        aria-describedby={says}
        checked={checked && obstacle === null}
        disabled={disabled || obstacle !== null}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <p id={says} className="muted readable">
        {obstacle === null
          ? i18n.t(
              'It measures the same plan afterwards, in instructions: noise on this machine does not change them. Meanwhile it uses a CPU.',
            )
          : i18n.t('Not available. {reason}', { reason: obstacle.reason })}
      </p>
      {obstacle !== null && obstacle.command !== null && <CommandBlock text={obstacle.command} note={null} />}
    </div>
  )
}
