import type { Check } from '@expresslane/shared/testbed/testbed'
import { IconAlertTriangle, IconCircleCheckFilled, IconCircleX } from '@tabler/icons-react'
import classes from './checks-slide.module.css'

const looks = {
  passed: { Icon: IconCircleCheckFilled, text: 'passed' },
  warning: { Icon: IconAlertTriangle, text: 'warning' },
  failed: { Icon: IconCircleX, text: 'failed' },
}

/** All preflight checks by name; what the ones that did not pass found, and their remedy. */
export function ChecksSlide({ checks }: { checks: readonly Check[] }) {
  const rank = { failed: 0, warning: 1, passed: 2 }
  return (
    <ul role="list" className={classes.checks} aria-label="Preflight checks">
      {checks
        .toSorted((a, b) => rank[a.status] - rank[b.status])
        .map(({ id, title, status, seen, remedy }) => {
          const { Icon, text } = looks[status]
          return (
            <li key={id} data-status={status}>
              <Icon className={classes.icon} role="img" aria-label={text} />
              <div>
                <p className={classes.title}>{title}</p>
                {status !== 'passed' && <p>{seen}</p>}
                {status !== 'passed' && remedy !== null && <p>{remedy}</p>}
              </div>
            </li>
          )
        })}
    </ul>
  )
}
