import { i18n } from '@expresslane/shared/base/language'
import { propertiesOf, type TestbedId } from '@expresslane/shared/testbed/id'
import { useId } from 'react'
import { useTestbed } from '../../api/queries.ts'
import { Checkbox } from '../../components/controls.tsx'

interface ProfileChoiceProps {
  /** Where the step measures. */
  testbed: TestbedId
  checked: boolean
  onChange: (checked: boolean) => void
  disabled: boolean
}

/** Asks for a profile of each arm; where the testbed makes none, its reason. Nothing before the testbed is known. */
export function ProfileChoice({ testbed, checked, onChange, disabled }: ProfileChoiceProps) {
  const { data } = useTestbed(testbed)
  const says = useId()
  const lack = data?.lacks.find(({ capability }) => capability === 'profile')
  if (lack !== undefined)
    return <p className="muted readable">{i18n.t('No profile here: {reason}', { reason: lack.reason })}</p>
  if (data?.capabilities.includes('profile') !== true) return null
  const counts = propertiesOf(testbed).clock !== null
  return (
    <div className="stack tight">
      <Checkbox
        label={i18n.t('Profile each arm afterwards')}
        aria-describedby={says}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <p id={says} className="muted readable">
        {counts
          ? i18n.t(
              'Two more runs an arm, after the verdict: they show which functions of the kernel take the instructions.',
            )
          : i18n.t(
              'Two more runs an arm, after the verdict: samples show which functions of the kernel take the CPU’s time. The counted machine counts every instruction.',
            )}
      </p>
    </div>
  )
}
