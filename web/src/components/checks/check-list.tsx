import { i18n } from '@expresslane/shared/base/language'
import type { Blocks, Check } from '@expresslane/shared/testbed/testbed'
import { IconAlertTriangle, IconCircleCheckFilled, IconCircleX, IconHourglass } from '../../icons.tsx'
import { CommandBlock } from '../prose/command-block.tsx'
import { capabilityName } from '@expresslane/shared/features/capabilities'
import { groupChecks } from './check-groups.ts'
import classes from './check-list.module.css'

const looks = {
  passed: { Icon: IconCircleCheckFilled, text: /*i18n*/ 'passed' },
  warning: { Icon: IconAlertTriangle, text: /*i18n*/ 'warning' },
  failed: { Icon: IconCircleX, text: /*i18n*/ 'failed' },
  coming: { Icon: IconHourglass, text: /*i18n*/ 'on its way' },
}

/** The preflight checks: their outcomes, and the remedies of checks that did not pass, which come first. */
export function CheckList({ checks }: { checks: readonly Check[] }) {
  const { wanting, passed, folded } = groupChecks(checks)
  const shown = folded ? wanting : [...wanting, ...passed]
  return (
    <>
      {shown.length > 0 && <Checks checks={shown} label={i18n.t('Preflight checks')} />}
      {folded && (
        <details className={classes.passed}>
          <summary>
            {wanting.length > 0
              ? i18n.t('{count} others passed', { count: passed.length })
              : i18n.t('{count} checks passed', { count: passed.length })}
          </summary>
          <Checks checks={passed} label={i18n.t('Passed checks')} />
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
          <span className={`${classes.title} medium`}>{title}</span> <span className="hidden">{i18n.t(text)}: </span>
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
  if (blocks === 'all') return i18n.t('Needed for all labs.')
  if (blocks === 'topology') return i18n.t('Needed for all labs with two pods.')
  const needs = blocks.map(capabilityName).reduce((before, last) => i18n.t('{before} and {last}', { before, last }))
  return i18n.t('Needed for {needs}.', { needs })
}
