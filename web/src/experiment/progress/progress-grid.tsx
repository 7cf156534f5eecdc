import { i18n } from '@expresslane/shared/base/language'
import type { ExperimentPlan } from '@expresslane/shared/measure/experiment'
import type { RunState } from '@expresslane/shared/run/run-state'
import { useMemo } from 'react'
import { armLook } from '../../theme.ts'
import tables from '../../components/tables.module.css'
import classes from './experiment-progress.module.css'
import { progressGrid, type GridCell, type Pip } from './progress.ts'

function cellText({ measured, planned, pips }: GridCell): string {
  const warm = pips.filter((one) => one === 'warmup').length
  return [
    i18n.t('{measured} of {planned} measured', { measured, planned }),
    ...(warm > 0 ? [i18n.t('{warm} warm-up', { warm })] : []),
    ...(pips.includes('now') ? [i18n.t('one running')] : []),
  ].join(', ')
}

const names: Record<Pip, string> = {
  warmup: /*i18n*/ 'warm-up, not counted',
  measured: /*i18n*/ 'measured',
  now: /*i18n*/ 'running',
  open: /*i18n*/ 'not measured yet',
}

/** Every run as a mark: one column per arm, one row per benchmark. */
export function ProgressGrid({ plan, run }: { plan: ExperimentPlan; run: RunState }) {
  const lines = useMemo(() => progressGrid(plan, run), [plan, run])
  const shown = new Set(lines.flatMap(({ cells }) => cells.flatMap(({ pips }) => pips)))
  return (
    <div className="stack">
      <div
        className={tables.scroll}
        role="region"
        aria-label={i18n.t('Measurements by arm and benchmark')}
        tabIndex={0}
      >
        <table className={classes.grid}>
          <thead className="muted">
            <tr>
              <th scope="col">
                <span className="hidden">{i18n.t('Benchmark')}</span>
              </th>
              {plan.arms.map(({ id, label }) => (
                <th key={id} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {lines.map(({ of, cells }) => (
              <tr key={of.id}>
                <th scope="row" className="no-wrap">
                  {of.label}
                </th>
                {cells.map((cell, place) => (
                  <td key={cell.arm} data-hue={armLook(cell.arm, place).hue}>
                    <span className="hidden">{cellText(cell)}</span>
                    <span className={classes.pips} aria-hidden>
                      {cell.pips.map((pip, index) => (
                        // A run has no id other than its index.
                        <span key={index} className={classes.pip} data-pip={pip} />
                      ))}
                    </span>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ul role="list" className="row muted" aria-hidden>
        {(['warmup', 'measured', 'now', 'open'] as const)
          .filter((pip) => shown.has(pip))
          .map((pip) => (
            <li key={pip} className="row">
              <span className={classes.pip} data-pip={pip} /> {i18n.t(names[pip])}
            </li>
          ))}
      </ul>
    </div>
  )
}
