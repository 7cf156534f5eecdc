import { capitalized } from '@expresslane/shared/features/words'
import type { Lab } from '@expresslane/shared/labs/lab'
import { testbedName } from '../words/format.ts'
import { reasonOf, sharedReasons, UNUSABLE_ID } from './availability.ts'
import type { ReadTestbed } from './lab-card.tsx'
import classes from './unusable-testbeds.module.css'

interface UnusableTestbedsProps {
  labs: readonly Lab[]
  testbeds: readonly ReadTestbed[]
}

/** The testbeds that can't run any of the labs, each with the reason. */
export function UnusableTestbeds({ labs, testbeds }: UnusableTestbedsProps) {
  const lines = testbeds.flatMap(({ id, testbed }) => {
    if (testbed === null) return []
    const shared = sharedReasons(labs, testbed)
    return shared.possible || shared.otherLab ? [] : [{ id, kind: testbed.kind, reason: reasonOf(shared) }]
  })
  if (lines.length === 0) return null
  return (
    <ul
      id={UNUSABLE_ID}
      role="list"
      className={`${classes.lines} stack tight muted break-anywhere`}
      aria-label="Testbeds that can't be used yet"
    >
      {lines.map(({ id, kind, reason }) => (
        <li key={id}>
          {capitalized(testbedName(id))}: {reason} <a href={`#${kind}`}>How to fix it</a>
        </li>
      ))}
    </ul>
  )
}
