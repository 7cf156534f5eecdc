import { RESET_STEP } from '@expresslane/shared/events'
import type { Lab } from '@expresslane/shared/lab'
import type { RunState } from '@expresslane/shared/run-state'
import { Button, Progress } from '@mantine/core'
import { IconPlayerStop } from '@tabler/icons-react'
import { FetchProblem } from '../components/problem-notice.tsx'
import { RunBadge } from '../components/run-badge.tsx'
import classes from './step-action.module.css'
import type { Runner } from './use-walk.ts'

interface ActionProgressProps {
  lab: Lab
  active: RunState | null
  cancel: Runner['cancel']
  /** The step that the page shows, which need not be the one that runs. */
  stepId: string
}

function nameOf(lab: Lab, stepId: string): string {
  if (stepId === RESET_STEP) return 'Reset'
  const index = lab.steps.findIndex(({ id }) => id === stepId)
  return `Step ${index + 1}, ${lab.steps[index]?.title ?? stepId}`
}

function sentence(lab: Lab, run: RunState, stepId: string): string {
  const what = run.progress?.message ?? (run.repeats.length > 0 ? 'Measuring' : 'Working')
  const where = run.stepId === stepId ? what : `${nameOf(lab, run.stepId)}: ${what}`
  return run.solveTo === null ? where : `Solving up to "${nameOf(lab, run.solveTo)}". ${where}`
}

/** What goes on now in this session, with the way to stop it. Told politely to screen readers. */
export function ActionProgress({ lab, active, cancel, stepId }: ActionProgressProps) {
  const cancelling = active !== null && (cancel.isPending || (cancel.isSuccess && cancel.variables.id === active.id))
  const progress = active?.progress ?? null
  return (
    <>
      <div role="status" aria-label="Progress" className={active === null ? 'hidden' : classes.running}>
        {active !== null && (
          <>
            <p className={classes.runningText}>
              <RunBadge look="running" iconOnly />
              <span>
                {cancelling ? 'Cancelling: waiting until everything has stopped' : sentence(lab, active, stepId)}
              </span>
            </p>
            <Button
              variant="default"
              leftSection={<IconPlayerStop size={18} aria-hidden />}
              disabled={cancelling}
              onClick={() => cancel.mutate(active)}
            >
              Cancel
            </Button>
            {progress !== null && (
              <Progress
                className={classes.bar ?? ''}
                value={(progress.done / progress.total) * 100}
                color="var(--run)"
                aria-label={`${progress.done} of ${progress.total}`}
              />
            )}
          </>
        )}
      </div>
      {cancel.error !== null && active !== null && (
        <FetchProblem error={cancel.error} retry={() => cancel.mutate(active)} />
      )}
    </>
  )
}
