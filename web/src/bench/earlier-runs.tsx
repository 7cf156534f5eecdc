import { i18n } from '@expresslane/shared/base/language'
import type { RunId } from '@expresslane/shared/run/events'
import { Link } from 'react-router'
import { useRuns } from '../api/queries.ts'
import { formatTime } from '../words/format.ts'
import { lookOf, RunBadge } from '../components/run/run-badge.tsx'
import classes from './bench-run.module.css'
import { BENCH_LAB } from './use-bench.ts'

const SHOWN = 6

/** The latest experiments of the Bench page. */
export function EarlierRuns({ shown }: { shown: RunId | null }) {
  const runs = useRuns({ lab: BENCH_LAB })
  const experiments = (runs.data?.pages[0]?.runs ?? []).filter(({ stepId }) => stepId === 'run').slice(0, SHOWN)
  if (experiments.length === 0) return null
  return (
    <section aria-labelledby="earlier" className={classes.earlier}>
      <h2 id="earlier">{i18n.t('Earlier experiments')}</h2>
      <ul role="list">
        {experiments.map((run) => (
          <li key={run.id}>
            <Link to={`/bench?run=${run.id}`} aria-current={run.id === shown ? 'true' : undefined}>
              {formatTime(run.startedAt)}
            </Link>
            <RunBadge look={lookOf(run)} />
            <span className="muted break-anywhere">
              {run.measured === null
                ? i18n.t('nothing measured')
                : i18n.t('{arms}: {repeats} measurements', {
                    arms: run.measured.arms.join(', '),
                    repeats: run.measured.repeats,
                  })}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
