import { i18n } from '@expresslane/shared/base/language'
import { agreementName, isDisagreement, opinionsOf, type Opinion } from '@expresslane/shared/compare/opinion'
import { capitalized } from '@expresslane/shared/features/words'
import type { ExperimentPlan } from '@expresslane/shared/measure/experiment'
import type { RunState } from '@expresslane/shared/run/run-state'
import type { ReactNode } from 'react'
import { Notice } from '../../components/notice.tsx'
import { LeftOut } from '../left-out.tsx'
import { nameOfOpinion, unbroken } from './names.ts'
import classes from './opinion.module.css'

/** More rows than these are folded. */
const SHOWN_AT_ONCE = 8

interface OpinionFoundProps {
  run: RunState
  plan: ExperimentPlan
  /** A completed second opinion on the run. */
  opinion: RunState
  /** At the end; null for nothing. */
  more: ReactNode
}

/** Both opinions, and the possible reasons for a disagreement. */
export function OpinionFound({ run, plan, opinion, more }: OpinionFoundProps) {
  const all = opinionsOf(run.comparisons, opinion)
  const [only, ...others] = all
  const cases = plan.cases.filter(({ id }) => !opinion.plan?.cases.some((one) => one.id === id))
  return (
    <>
      <LeftOut arms={opinion.leftOut} />
      {only === undefined ? (
        <Notice tone="info" title={i18n.t('Nothing to compare with the second opinion')} />
      ) : others.length === 0 ? (
        <Notice
          tone={isDisagreement(only.agreement) ? 'warn' : 'info'}
          title={unbroken(i18n.t('Second opinion: {sentence}', { sentence: only.sentence }))}
        >
          <p>{only.meaning}</p>
        </Notice>
      ) : (
        <Several plan={plan} all={all} />
      )}
      {cases.length > 0 && (
        <p className="muted readable">
          {i18n.t('Left out there, because it takes minutes to set up: {cases}.', {
            cases: cases.map(({ label }) => label).join(', '),
          })}
        </p>
      )}
      <p className="muted readable">
        {i18n.t(
          'The counted machine counts the instructions of the same work. It does not count caches, interrupts and several CPUs.',
        )}{' '}
        {more}
      </p>
    </>
  )
}

/** Several opinions: each meaning once, and a list of all opinions. */
function Several({ plan, all }: { plan: ExperimentPlan; all: readonly Opinion[] }) {
  const groups = [...Map.groupBy(all, ({ meaning }) => meaning)]
  const differ = all.filter(({ agreement }) => isDisagreement(agreement)).length
  const title =
    differ === 0
      ? i18n.t('Second opinion: no disagreement')
      : i18n.t('Second opinion: {differ} of {all} disagree', { differ, all: all.length })
  return (
    <>
      <Notice tone={differ > 0 ? 'warn' : 'info'} title={title}>
        {groups.map(([meaning, of]) => (
          <p key={meaning}>
            <strong>
              {of.length === all.length
                ? i18n.t('All')
                : i18n.t('{count} of {all}', { count: of.length, all: all.length })}
              :
            </strong>{' '}
            {meaning}
          </p>
        ))}
      </Notice>
      {all.length <= SHOWN_AT_ONCE ? (
        <Each plan={plan} all={all} />
      ) : (
        <details>
          <summary>{i18n.t('Show all {all}', { all: all.length })}</summary>
          <Each plan={plan} all={all} />
        </details>
      )}
    </>
  )
}

function Each({ plan, all }: { plan: ExperimentPlan; all: readonly Opinion[] }) {
  return (
    <ul role="list" aria-label={i18n.t('Both opinions')}>
      {all.map((one) => (
        <li key={`${one.caseId} ${one.arm}`} className={`${classes.each} stack tight ruled pretty`}>
          <span className="medium">{nameOfOpinion(plan, one)}</span>
          <span>{unbroken(capitalized(one.sentence))}</span>
          <span className={isDisagreement(one.agreement) ? 'warn strong' : 'muted'}>
            {capitalized(agreementName[one.agreement])}
          </span>
        </li>
      ))}
    </ul>
  )
}
