import { i18n } from '@expresslane/shared/base/language'
import { Trans } from '#language'
import type { Lab } from '@expresslane/shared/labs/lab'
import { hasPassed, hasStarted, isOpen, type RunState } from '@expresslane/shared/run/run-state'
import { Link } from 'react-router'
import { Notice } from '../../components/notice.tsx'

interface SolveStoppedProps {
  lab: Lab
  runs: readonly RunState[]
  /** The step that the page shows. */
  stepId: string
}

/** Shows that Solve stopped before this step, with a link to the step where it stopped. */
export function SolveStopped({ lab, runs, stepId }: SolveStoppedProps) {
  const latest = runs
    .filter((run) => hasStarted(run) || isOpen(run))
    .toSorted((a, b) => a.startedAt - b.startedAt)
    .at(-1)
  if (latest === undefined || latest.solveTo !== stepId || latest.stepId === stepId) return null
  if (isOpen(latest) || hasPassed(latest)) return null
  const index = lab.steps.findIndex(({ id }) => id === latest.stepId)
  const cancelled = latest.state === 'cancelled'
  return (
    <Notice
      tone={cancelled ? 'stopped' : 'bad'}
      title={cancelled ? i18n.t('Solving was cancelled') : i18n.t('Solving stopped')}
      role="status"
    >
      <p>
        <Trans
          id={
            cancelled
              ? /*i18n*/ 'Solving ended at <0>step {step}, {title}</0>.'
              : /*i18n*/ 'Solving ended at <0>step {step}, {title}</0>: {reason}'
          }
          values={{
            step: index + 1,
            title: lab.steps[index]?.title ?? latest.stepId,
            reason: latest.problem?.message ?? latest.outcome?.sentence ?? i18n.t('its check did not pass.'),
          }}
          components={{ 0: <Link to={`/labs/${latest.labId}/sessions/${latest.sessionId}/${latest.stepId}`} /> }}
        />
      </p>
    </Notice>
  )
}
