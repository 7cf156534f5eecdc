import type { Blocks, Check } from '@expresslane/shared/testbed/testbed'
import { IconAlertTriangle, IconCircleCheckFilled, IconCircleX, IconHourglass } from '../../icons.tsx'
import { CommandBlock } from '../prose/command-block.tsx'
import { capabilityName } from '@expresslane/shared/features/capabilities'
import { groupChecks } from './check-groups.ts'
import classes from './check-list.module.css'

const looks = {
  passed: { Icon: IconCircleCheckFilled, text: 'passed' },
  warning: { Icon: IconAlertTriangle, text: 'warning' },
  failed: { Icon: IconCircleX, text: 'failed' },
  coming: { Icon: IconHourglass, text: 'on its way' },
}

/** The preflight checks: their outcomes, and the remedies of checks that did not pass, which come first. */
export function CheckList({ checks }: { checks: readonly Check[] }) {
  const { wanting, passed, folded } = groupChecks(checks)
  const shown = folded ? wanting : [...wanting, ...passed]
  return (
    <>
      {shown.length > 0 && <Checks checks={shown} label="Preflight checks" />}
      {folded && (
        <details className={classes.passed}>
          <summary>
            {passed.length} {wanting.length > 0 ? 'others' : 'checks'} passed
          </summary>
          <Checks checks={passed} label="Passed checks" />
        </details>
      )}
    </>
  )
}

function Checks({ checks, label }: { checks: readonly Check[]; label: string }) {
  return (
    <ul role="list" className={`${classes.list} stack`} aria-label={label}>
      {checks.map((check) => (
        <CheckItem key={check.id} check={check} />
      ))}
    </ul>
  )
}

function CheckItem({ check }: { check: Check }) {
  const { title, status, seen, remedy, remedyCommand, coming, blocks } = check
  const look = coming === true ? 'coming' : status
  const { Icon, text } = looks[look]
  return (
    <li className={classes.item} data-status={look}>
      <Icon size={20} stroke={1.8} aria-hidden className={classes.icon} />
      <div className={`${classes.body} grow break-anywhere`}>
        <p>
          <span className={`${classes.title} medium`}>{title}</span> <span className="hidden">{text}: </span>
          <span className="muted">{seen}</span>
        </p>
        {status === 'failed' && blocks.length > 0 && <p className="muted">{neededFor(blocks)}</p>}
        {status !== 'passed' && remedy !== null && <p>{remedy}</p>}
        {status !== 'passed' && remedyCommand !== null && <CommandBlock text={remedyCommand} note={null} />}
      </div>
    </li>
  )
}

function neededFor(blocks: Blocks): string {
  if (blocks === 'all') return 'Needed for all labs.'
  if (blocks === 'topology') return 'Needed for all labs with two pods.'
  return `Needed for ${blocks.map(capabilityName).join(' and ')}.`
}
