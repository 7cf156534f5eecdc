import { i18n } from '@expresslane/shared/base/language'
import type { ReactNode } from 'react'
import type { ComparedRow, Comparison } from '@expresslane/shared/compare/comparison'
import { roleWords } from '@expresslane/shared/compare/control'
import { capitalized } from '@expresslane/shared/features/words'
import { formatNamed, metricOf } from '@expresslane/shared/features/metrics'
import { formatRatio } from '@expresslane/shared/compare/words'
import { finerThanTool, formatP, formatRatioInterval } from '../words/comparison.ts'
import classes from './comparison-table.module.css'
import { Table } from '../components/table.tsx'
import tables from '../components/tables.module.css'
import { VerdictMark } from './verdict-headline.tsx'

/** All figures of a comparison, one row per metric. */
export function ComparisonTable({ comparison: { off, on, rows } }: { comparison: Comparison }) {
  return (
    <Table
      label={i18n.t('Comparison')}
      caption={<caption className="hidden">{i18n.t('Medians of both sides, the difference and its verdict')}</caption>}
      className={classes.table}
      columns={[
        { name: i18n.t('Median'), look: tables.name },
        { name: capitalized(off.name), number: true },
        { name: capitalized(on.name), number: true },
        { name: i18n.t('Ratio, 95 % interval'), number: true },
        i18n.t('Verdict, p'),
      ]}
      lines={rows.map((row) => ({ key: row.metric, data: { 'data-role': row.role }, cells: cellsOf(row) }))}
    />
  )
}

const More = ({ children }: { children: ReactNode }) => <span className="block regular muted">{children}</span>

function cellsOf(row: ComparedRow): ReactNode[] {
  const { metric, off, on, ratio, p, adjustedP, role, verdict } = row
  const finer = finerThanTool(row)
  const counts = roleWords(role)
  return [
    <>
      {metricOf(metric).name}
      {finer !== null && <More>{finer}</More>}
    </>,
    formatNamed(metric, off),
    formatNamed(metric, on),
    <>
      {formatRatio(ratio)}
      <More>{formatRatioInterval(row) ?? i18n.t('none')}</More>
    </>,
    <>
      {role === 'explains' ? counts : <VerdictMark verdict={verdict} />}
      {role === 'exploratory' && <More>{counts}</More>}
      <More>{formatP(p)}</More>
      {adjustedP !== null && <More>{i18n.t('{p} adjusted', { p: formatP(adjustedP) })}</More>}
    </>,
  ]
}
