import { i18n } from '@expresslane/shared/base/language'
import { cellId } from '@expresslane/shared/charts/heat-map'
import type { CaseComparison } from '@expresslane/shared/compare/comparison'
import { familyWords } from '@expresslane/shared/compare/control'
import { ONLY_CASE } from '@expresslane/shared/run/result'
import type { ExperimentPlan } from '@expresslane/shared/measure/experiment'
import { formatChange } from '@expresslane/shared/base/units'
import { IconButton } from '../components/controls.tsx'
import { IconChevronDown, IconChevronUp } from '../icons.tsx'
import { useEffect, useRef } from 'react'
import { formatInterval } from '../words/comparison.ts'
import { ComparisonView, VerdictMark } from '../compare/index.ts'
import { formatMetric, metricOf } from '@expresslane/shared/features/metrics'
import { lookAmong } from '../theme.ts'
import tables from '../components/tables.module.css'
import classes from './comparison-list.module.css'

interface ComparisonListProps {
  plan: ExperimentPlan
  comparisons: readonly CaseComparison[]
  /** The id of a cell. */
  chosen: string | null
  onChoose: (id: string) => void
  /** While the experiment runs, only the main metric is compared. */
  running: boolean
  /** Whether to say how the comparisons are judged. */
  note: boolean
}

function labelOf(list: readonly { id: string; label: string }[], id: string | null): string {
  // Without a case id, it is the only case.
  return list.find((one) => one.id === (id ?? ONLY_CASE))?.label ?? id ?? ''
}

/** A line per comparison; each can be opened. */
export function ComparisonList({ plan, comparisons, chosen, onChoose, running, note }: ComparisonListProps) {
  const open = comparisons.find(({ caseId, arm }) => cellId(caseId, arm) === chosen)
  const [first] = comparisons
  if (first === undefined) return null
  // With a single case, its name would stand in every line.
  const named = plan.cases.length > 1
  const baseline = labelOf(plan.arms, first.against)
  const judged = note ? familyWords(comparisons.map(({ comparison }) => comparison)) : null
  return (
    <>
      <div className={tables.scroll} role="region" aria-label={i18n.t('All comparisons')} tabIndex={0}>
        <table className={`${tables.table} ${classes.list}`}>
          <caption>
            {running
              ? i18n.t('So far, compared with “{baseline}”', { baseline })
              : i18n.t('Compared with “{baseline}”', { baseline })}
          </caption>
          <thead>
            <tr>
              {named && <th scope="col">{i18n.t('Benchmark')}</th>}
              <th scope="col">{i18n.t('Arm')}</th>
              <th scope="col" className={tables.number}>
                {i18n.t('Median')}
              </th>
              <th scope="col" className={tables.number}>
                {i18n.t('Change, 95 % interval')}
              </th>
              <th scope="col">{i18n.t('Verdict')}</th>
              <th scope="col">
                <span className="hidden">{i18n.t('Details')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {comparisons.map((one) => (
              <Line
                key={cellId(one.caseId, one.arm)}
                of={one}
                plan={plan}
                named={named}
                open={one === open}
                onChoose={onChoose}
              />
            ))}
          </tbody>
        </table>
      </div>
      {judged !== null && <p className="muted readable">{judged}</p>}
      {open !== undefined && <Opened of={open} plan={plan} running={running} />}
    </>
  )
}

interface LineProps extends Pick<ComparisonListProps, 'plan' | 'onChoose'> {
  of: CaseComparison
  /** Whether to say which benchmark it is. */
  named: boolean
  open: boolean
}

function Line({ of: { caseId, arm, comparison }, plan, named, open, onChoose }: LineProps) {
  const [row] = comparison.rows
  if (row === undefined) return null
  const Arm = named ? 'td' : 'th'
  const [what, side] = [labelOf(plan.cases, caseId), labelOf(plan.arms, arm)]
  const name = `${what}, ${side}, ${metricOf(row.metric).name}`
  return (
    <tr>
      {named && (
        <th scope="row" className={classes.name}>
          {what}
        </th>
      )}
      <Arm scope={named ? undefined : 'row'} className={classes.name}>
        {side}
      </Arm>
      <td className={`${tables.number} ${classes.median}`}>{formatMetric(row.metric, row.on)}</td>
      <td className={`${tables.number} ${classes.change}`}>
        {formatChange(row.changePercent)}
        <span className="block muted">{formatInterval(row) ?? '–'}</span>
      </td>
      <td className={classes.verdict}>
        <VerdictMark verdict={row.verdict} />
      </td>
      <td className={classes.open}>
        <IconButton
          aria-label={open ? i18n.t('Close: {name}', { name }) : i18n.t('Open: {name}', { name })}
          aria-expanded={open}
          onClick={() => onChoose(cellId(caseId, arm))}
        >
          {open ? <IconChevronUp size={20} aria-hidden /> : <IconChevronDown size={20} aria-hidden />}
        </IconButton>
      </td>
    </tr>
  )
}

/** The open comparison, scrolled into view. */
function Opened({ of, plan, running }: { of: CaseComparison; plan: ExperimentPlan; running: boolean }) {
  const box = useRef<HTMLDivElement>(null)
  const { caseId, arm, comparison } = of
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'nearest', behavior: 'instant' })
  }, [caseId, arm])
  return (
    <div ref={box} className={`${classes.opened} stack wide ruled`} data-open-comparison>
      <h4 className="large">
        {i18n.t('{benchmark}: {arm} vs. {baseline}', {
          benchmark: labelOf(plan.cases, caseId),
          arm: labelOf(plan.arms, arm),
          baseline: labelOf(plan.arms, of.against),
        })}
      </h4>
      {running && (
        <p className="muted readable">{i18n.t('The other metrics are compared when all measurements are done.')}</p>
      )}
      <ComparisonView
        comparison={comparison}
        looks={{ off: lookAmong(plan.arms, of.against), on: lookAmong(plan.arms, arm) }}
      />
    </div>
  )
}
