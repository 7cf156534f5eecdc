import { i18n } from '@expresslane/shared/base/language'
import { RESET_STEP } from '@expresslane/shared/run/events'
import type { Lab } from '@expresslane/shared/labs/lab'
import type { RunState } from '@expresslane/shared/run/run-state'
import { Button } from '../../components/controls.tsx'
import { IconPlayerStop } from '../../icons.tsx'
import { useLive } from '../../api/live.tsx'
import type { SubjectLine } from '../../api/subjects.ts'
import { FetchProblem } from '../../components/problem-notice.tsx'
import { QueuePlace } from '../../components/run/queue-place.tsx'
import { RunBadge } from '../../components/run/run-badge.tsx'
import classes from './step-action.module.css'
import type { Runner } from '../use-session-state.ts'

interface ActionProgressProps {
  lab: Lab
  active: RunState | null
  cancel: Runner['cancel']
  /** The step that the page shows; another step can be running. */
  stepId: string
}

function nameOf(lab: Lab, stepId: string): string {
  if (stepId === RESET_STEP) return i18n.t('Reset')
  const index = lab.steps.findIndex(({ id }) => id === stepId)
  return i18n.t('Step {step}, {title}', { step: index + 1, title: lab.steps[index]?.title ?? stepId })
}

function messageOf({ progress, repeats }: RunState, lines: readonly SubjectLine[]): string {
  if (progress === null) return repeats.length > 0 ? i18n.t('Measuring') : i18n.t('Working')
  // Each subject has its own line below, so this sentence keeps its length.
  return lines.length > 0
    ? i18n.t('Waiting: {done} of {total} ready', { done: progress.done, total: progress.total })
    : progress.message
}

function sentence(lab: Lab, run: RunState, lines: readonly SubjectLine[], stepId: string): string {
  const what = messageOf(run, lines)
  const where = run.stepId === stepId ? what : `${nameOf(lab, run.stepId)}: ${what}`
  return run.solveTo === null
    ? where
    : i18n.t('Solving up to "{step}". {where}', { step: nameOf(lab, run.solveTo), where })
}

/** The progress of the current run with a Cancel button. A polite live region for screen readers. */
export function ActionProgress({ lab, active, cancel, stepId }: ActionProgressProps) {
  const cancelling = active !== null && (cancel.isPending || (cancel.isSuccess && cancel.variables.id === active.id))
  const progress = active?.progress ?? null
  const subjects = useLive((snapshot) => snapshot.subjects)
  const lines = (active === null ? undefined : subjects.get(active.id)) ?? []
  return (
    <>
      <div
        role="status"
        aria-label={i18n.t('Progress')}
        className={active === null ? 'hidden' : `${classes.running} row`}
      >
        {active !== null && (
          <>
            <p className="row one-line grow">
              <RunBadge look={active.state === 'queued' ? 'queued' : 'running'} iconOnly />
              <span>
                {active.state === 'queued' && active.queue !== null ? (
                  <>
                    {active.stepId !== stepId && `${nameOf(lab, active.stepId)}: `}
                    <QueuePlace queue={active.queue} />
                  </>
                ) : cancelling ? (
                  i18n.t('Cancelling: waiting until everything has stopped')
                ) : (
                  sentence(lab, active, lines, stepId)
                )}
              </span>
            </p>
            <Button
              variant="default"
              leftSection={<IconPlayerStop size={18} aria-hidden />}
              disabled={cancelling}
              onClick={() => cancel.mutate(active)}
            >
              {i18n.t('Cancel')}
            </Button>
            {progress !== null && (
              <progress
                className={classes.bar}
                value={progress.done}
                max={progress.total}
                aria-label={i18n.t('{done} of {total}', { done: progress.done, total: progress.total })}
              />
            )}
          </>
        )}
      </div>
      {active !== null && lines.length > 0 && (
        <div
          role="region"
          aria-label={i18n.t('Progress of each node and pod')}
          tabIndex={0}
          className={classes.subjects}
        >
          <ul role="list" className="stack tight">
            {lines.map(({ subject, message }) => (
              <li key={subject} className="break-anywhere">
                <span className="muted">{subject}</span> {message}
              </li>
            ))}
          </ul>
        </div>
      )}
      {cancel.error !== null && active !== null && (
        <FetchProblem error={cancel.error} retry={() => cancel.mutate(active)} />
      )}
    </>
  )
}
