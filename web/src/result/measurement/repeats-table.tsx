import { i18n } from '@expresslane/shared/base/language'
import { formatCell, headOf } from '@expresslane/shared/features/metrics'
import type { BenchmarkKind } from '@expresslane/shared/measure/benchmark'
import { valueOf, type Measurement } from '@expresslane/shared/measure/measurement'
import { Table } from '../../components/table.tsx'

interface RepeatsTableProps {
  kind: BenchmarkKind
  taken: readonly Measurement[]
}

/** All repeats of one tool, with marked warm-up runs. */
export function RepeatsTable({ kind: { columns }, taken }: RepeatsTableProps) {
  return (
    <Table
      label={i18n.t('Each repeat')}
      caption={<caption className="hidden">{i18n.t('Every repeat')}</caption>}
      columns={[i18n.t('Repeat'), ...columns.map((metric) => ({ name: headOf(metric), number: true }))]}
      lines={taken.map((one) => ({
        key: one.repeat,
        look: one.warmup ? 'muted' : '',
        cells: [
          <>
            {one.repeat}
            {one.warmup && <span className="block regular">{i18n.t('warm-up, not counted')}</span>}
          </>,
          ...columns.map((metric) => formatCell(metric, valueOf(one, metric))),
        ],
      }))}
    />
  )
}
