import { i18n } from '@expresslane/shared/base/language'
import { Notice } from '../components/notice.tsx'
import type { ComparedInHues } from './compare-runs.ts'
import classes from './differences-notice.module.css'
import { Table } from '../components/table.tsx'

interface DifferencesNoticeProps {
  compared: Pick<ComparedInHues, 'differences' | 'sameArm'>
  /** Both sides are arms of one experiment, which can differ in more than one setting on purpose. */
  together: boolean
}

/** Further differences between two sides, shown before their figures. */
export function DifferencesNotice({ compared: { differences, sameArm }, together }: DifferencesNoticeProps) {
  if (differences.length === 0 && sameArm === null) return null
  const title = together
    ? i18n.t('The two sides differ in more than their arms')
    : i18n.t('The two sides were measured under different conditions')
  return (
    <Notice
      tone="warn"
      title={differences.length === 0 ? i18n.t('Both sides have the same settings') : title}
      role="status"
    >
      {sameArm !== null && <p>{sameArm}</p>}
      {differences.length > 0 && (
        <Table
          label={i18n.t('What differs')}
          className={classes.table}
          columns={[i18n.t('What differs'), i18n.t('Before'), i18n.t('After')]}
          lines={differences.map(({ label, was, is }) => ({ key: label, cells: [label, was, is] }))}
        />
      )}
    </Notice>
  )
}
