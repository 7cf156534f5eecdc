import { i18n } from '@expresslane/shared/base/language'
import type { Check } from '@expresslane/shared/testbed/testbed'
import { IconAlertTriangle, IconCircleCheckFilled, IconCircleX } from '../../icons.tsx'
import classes from './slides.module.css'

const looks = {
  passed: { Icon: IconCircleCheckFilled, text: /*i18n*/ 'passed', tone: 'good' },
  warning: { Icon: IconAlertTriangle, text: /*i18n*/ 'warning', tone: 'warn' },
  failed: { Icon: IconCircleX, text: /*i18n*/ 'failed', tone: 'bad' },
}

/** All preflight checks by name. If some did not pass: their outcomes and remedies, then the number of the other checks. */
export function ChecksSlide({ checks }: { checks: readonly Check[] }) {
  const wanting = checks.filter(({ status }) => status !== 'passed')
  if (wanting.length === 0) return <Checks checks={checks} />
  const passed = checks.length - wanting.length
  return (
    <div className="stack wide">
      <Checks checks={wanting.toSorted((a) => (a.status === 'failed' ? -1 : 1))} />
      {passed > 0 && (
        <p className="large muted">
          {i18n.t('{passed, plural, one {# other check passed.} other {# other checks passed.}}', { passed })}
        </p>
      )}
    </div>
  )
}

function Checks({ checks }: { checks: readonly Check[] }) {
  return (
    <ul role="list" className={classes.checks} aria-label={i18n.t('Preflight checks')}>
      {checks.map(({ id, title, status, seen, remedy }) => {
        const { Icon, text, tone } = looks[status]
        return (
          <li key={id} className={`row top one-line ${status === 'passed' ? '' : `${classes.wanting} all-columns`}`}>
            <Icon className={`${classes.icon} ${tone}`} role="img" aria-label={i18n.t(text)} />
            <div>
              <p className="strong">{title}</p>
              {status !== 'passed' && <p>{seen}</p>}
              {status !== 'passed' && remedy !== null && <p>{remedy}</p>}
            </div>
          </li>
        )
      })}
    </ul>
  )
}
