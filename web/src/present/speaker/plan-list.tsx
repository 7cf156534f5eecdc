import { i18n } from '@expresslane/shared/base/language'
import type { Lab } from '@expresslane/shared/labs/lab'
import { Card } from '../../components/card.tsx'
import { clock, planOf } from '../timing.ts'
import classes from './speaker-window.module.css'

/** When each step begins by the plan, and how long it takes. */
export function PlanList({ lab, stepId }: { lab: Lab; stepId: string }) {
  return (
    <Card labelledBy="speaker-plan">
      <h2 id="speaker-plan">{i18n.t('Plan')}</h2>
      <ol role="list" className={`${classes.plan} numbers`}>
        {planOf(lab).map(({ id, title, minutes, fromSeconds }) => (
          <li key={id} className="row one-line baseline" aria-current={id === stepId ? 'step' : undefined}>
            <span className={`${classes.at} fixed muted right`}>{clock(fromSeconds)}</span>
            <span className="grow">{title}</span>
            <span className="muted no-wrap">
              {minutes === null ? '' : `${minutes.toLocaleString(i18n.locale)} min`}
            </span>
          </li>
        ))}
      </ol>
    </Card>
  )
}
