import { i18n } from '@expresslane/shared/base/language'
import type { Lab } from '@expresslane/shared/labs/lab'
import { availabilityOf } from './availability.ts'
import type { ReadTestbed } from './ways.ts'

interface SteadierTestbedProps {
  labs: readonly Lab[]
  testbeds: readonly ReadTestbed[]
}

/** Where this machine is busy: that the counted machine's figures do not depend on it, if it can run any of the labs. */
export function SteadierTestbed({ labs, testbeds }: SteadierTestbedProps) {
  const of = (kind: 'netns' | 'counted') => testbeds.find(({ testbed }) => testbed?.kind === kind)?.testbed ?? null
  const load = of('netns')?.preflight.find(({ id, status }) => id === 'load' && status === 'warning')
  const counted = of('counted')
  if (load === undefined || counted === null) return null
  if (!labs.some((lab) => availabilityOf(lab, counted).possible)) return null
  return (
    <p className="muted break-anywhere">
      {i18n.t(
        'This machine is busy ({seen}). The counted machine is the better choice now: its figures do not depend on the load.',
        { seen: load.seen },
      )}
    </p>
  )
}
