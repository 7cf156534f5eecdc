import { i18n } from '@expresslane/shared/base/language'
import { outcomeName, type Outcome } from '@expresslane/shared/run/events'
import { hasStarted, type RunState } from '@expresslane/shared/run/run-state'
import { IconCircleCheckFilled, IconCircleX } from '../icons.tsx'
import { Notice } from '../components/notice.tsx'
import { ProblemNotice } from '../components/problem-notice.tsx'
import { Table } from '../components/table.tsx'
import classes from './outcome-view.module.css'

/** A longer list is collapsed if all values are as expected. */
const SHOWN_AT_ONCE = 16

/** The outcome of a step's check: a sentence, each value with the expected value, and a hint. */
export function OutcomeView({ outcome, hint }: { outcome: Outcome; hint: string | null }) {
  const { passed, sentence, observations, leftOut } = outcome
  const advice = passed ? null : (outcome.hint ?? hint)
  const folded = observations.length > SHOWN_AT_ONCE && observations.every(({ ok }) => ok)
  return (
    <div className="stack">
      <Notice tone={leftOut ? 'info' : passed ? 'good' : 'bad'} title={outcomeName(outcome)} role="status">
        <p>{sentence}</p>
        {advice !== null && <p>{advice}</p>}
      </Notice>
      {folded ? (
        <details>
          <summary>{i18n.t('All {count} values are as expected', { count: observations.length })}</summary>
          <Observations of={observations} />
        </details>
      ) : (
        observations.length > 0 && <Observations of={observations} />
      )}
    </div>
  )
}

/** A text of the server in the reader's language where the catalogue has it, else as it is: it may hold anything. */
function readableText(text: string): string {
  return text in i18n.messages ? i18n.t(text) : text
}

function Observations({ of }: { of: Outcome['observations'] }) {
  const expectations = of.some(({ expected }) => expected !== null)
  return (
    <div className={`${classes.box} surface`}>
      <Table
        label={i18n.t('Observations')}
        className={classes.table}
        columns={[
          i18n.t('Value'),
          ...(expectations ? [i18n.t('Expected')] : []),
          { name: i18n.t('Found'), look: 'strong' },
          { name: <span className="hidden">{i18n.t('Result')}</span> },
        ]}
        lines={of.map(({ label, expected, seen, ok }) => ({
          key: label,
          cells: [
            readableText(label),
            ...(expectations ? [readableText(expected ?? '–')] : []),
            readableText(seen),
            ok ? (
              <IconCircleCheckFilled size={20} className="good" role="img" aria-label={i18n.t('as expected')} />
            ) : (
              <IconCircleX size={20} className="bad" role="img" aria-label={i18n.t('not as expected')} />
            ),
          ],
        }))}
      />
    </div>
  )
}

/** Shows why a run did not complete. */
export function EndNotice({ run }: { run: RunState }) {
  switch (run.state) {
    case 'failed':
      return run.problem === null ? (
        <Notice tone="bad" title={i18n.t('Failed')} role="alert" />
      ) : (
        <ProblemNotice problem={run.problem} role="alert" />
      )
    case 'cancelled':
      return (
        <Notice tone="stopped" title={i18n.t('Cancelled')} role="status">
          <p>
            {hasStarted(run)
              ? i18n.t('The run was stopped, and all its commands have ended. You can run the step again.')
              : i18n.t('The run was cancelled while it waited in line. Nothing was run.')}
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
        <Notice tone="warn" title={i18n.t('Interrupted')} role="status">
          <p>
            {i18n.t('The server stopped during this run. The results up to that point are kept. Run the step again.')}
          </p>
        </Notice>
      )
    case 'queued':
    case 'running':
    case 'completed':
      return null
  }
}
