import type { Outcome } from '@expresslane/shared/run/events'
import { hasStarted, type RunState } from '@expresslane/shared/run/run-state'
import { IconCircleCheckFilled, IconCircleX } from '@tabler/icons-react'
import { Notice } from '../components/notice.tsx'
import { ProblemNotice } from '../components/problem-notice.tsx'
import classes from './outcome-view.module.css'

/** More than these, when all are well, bury what comes after. */
const SHOWN_AT_ONCE = 16

/** How the step's check came out: the sentence, each value against what was expected, and a hint. */
export function OutcomeView({ outcome, hint }: { outcome: Outcome; hint: string | null }) {
  const { passed, sentence, observations } = outcome
  const advice = passed ? null : (outcome.hint ?? hint)
  const folded = observations.length > SHOWN_AT_ONCE && observations.every(({ ok }) => ok)
  return (
    <div className={classes.outcome} data-passed={passed}>
      <Notice tone={passed ? 'good' : 'bad'} title={passed ? 'Passed' : 'Not passed'} role="status">
        <p>{sentence}</p>
        {advice !== null && <p>{advice}</p>}
      </Notice>
      {folded ? (
        <details>
          <summary>{observations.length} values were read, all as expected</summary>
          <Observations of={observations} />
        </details>
      ) : (
        observations.length > 0 && <Observations of={observations} />
      )}
    </div>
  )
}

function Observations({ of }: { of: Outcome['observations'] }) {
  const expectations = of.some(({ expected }) => expected !== null)
  return (
    <div className={classes.scroll} role="region" aria-label="Observations" tabIndex={0}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Observed</th>
            {expectations && <th scope="col">Expected</th>}
            <th scope="col">Seen</th>
            <th scope="col">
              <span className="hidden">Result</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {of.map(({ label, expected, seen, ok }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {expectations && <td>{expected ?? '–'}</td>}
              <td className={classes.seen}>{seen}</td>
              <td>
                {ok ? (
                  <IconCircleCheckFilled size={20} className={classes.ok} role="img" aria-label="as expected" />
                ) : (
                  <IconCircleX size={20} className={classes.off} role="img" aria-label="not as expected" />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** How a run ended where it did not end by itself. */
export function EndNotice({ run }: { run: RunState }) {
  switch (run.state) {
    case 'failed':
      return run.problem === null ? (
        <Notice tone="bad" title="Failed" role="alert" />
      ) : (
        <ProblemNotice problem={run.problem} role="alert" />
      )
    case 'cancelled':
      return (
        <Notice tone="stopped" title="Cancelled" role="status">
          <p>
            {hasStarted(run)
              ? 'It was stopped before its end, and nothing of it runs any more. Run it again when you like.'
              : 'It was cancelled while it waited in line. Nothing has run.'}
          </p>
          {run.problem !== null && (
            <p>
              {run.problem.message} {run.problem.remedy}
            </p>
          )}
        </Notice>
      )
    case 'interrupted':
      return (
        <Notice tone="warn" title="Interrupted" role="status">
          <p>The server stopped while this ran. What it had told until then is kept; run the step again.</p>
        </Notice>
      )
    case 'queued':
    case 'running':
    case 'completed':
      return null
  }
}
