import { i18n } from '@expresslane/shared/base/language'
import {
  agreementName,
  isDisagreement,
  opinionsOf,
  talliesOf,
  tallyWords,
  type Tally,
} from '@expresslane/shared/compare/opinion'
import { capitalized } from '@expresslane/shared/features/words'
import type { ExperimentPlan } from '@expresslane/shared/measure/experiment'
import type { RunState } from '@expresslane/shared/run/run-state'
import { Fragment } from 'react'
import { useOpinion } from '../../api/queries.ts'
import { listed } from '../../words/format.ts'
import { nameOfOpinion, unbroken } from './names.ts'

/** More disagreements than these are counted, not named: a slide has no room. */
const NAMED = 2

interface OpinionLineProps {
  /** An experiment that asks for a second opinion. */
  run: RunState
  plan: ExperimentPlan
}

/** A completed second opinion on a slide, and whether the two agree; nothing before it has completed. */
export function OpinionLine({ run, plan }: OpinionLineProps) {
  const { opinion } = useOpinion(run.id)
  const all = opinion?.state === 'completed' ? opinionsOf(run.comparisons, opinion) : []
  const [only, ...others] = all
  if (only === undefined) return null
  if (others.length === 0) {
    return (
      <p className="pretty">
        {unbroken(i18n.t('Second opinion: {sentence}', { sentence: only.sentence }))}.{' '}
        <Agreement of={only.agreement}>{`${capitalized(agreementName[only.agreement])}.`}</Agreement>
      </p>
    )
  }
  return (
    <p className="pretty">
      {i18n.t('Second opinion:')}{' '}
      {talliesOf(all).map((one, place) => (
        <Fragment key={one.agreement}>
          {place > 0 && '; '}
          <Agreement of={one.agreement}>{namedTally(one, all.length, plan)}</Agreement>
        </Fragment>
      ))}
      .
    </p>
  )
}

/** `both say so: 3 of 5`, `only the time differs: 1 of 5 (XDP)`. */
function namedTally(tally: Tally, total: number, plan: ExperimentPlan): string {
  const { agreement, of } = tally
  const count = tallyWords(tally, total)
  if (!isDisagreement(agreement) || of.length > NAMED) return count
  return `${count} (${listed(of.map((one) => nameOfOpinion(plan, one)))})`
}

function Agreement({ of, children }: { of: Tally['agreement']; children: string }) {
  return <strong className={isDisagreement(of) ? 'warn' : undefined}>{children}</strong>
}
