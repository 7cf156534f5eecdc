import type { Action, Lab, StepParams } from '@expresslane/shared/lab'
import { stepsToSolve, type StepProgress } from '@expresslane/shared/progress'
import { Button } from '@mantine/core'
import { IconPlayerPlay, IconPlayerTrackNext } from '@tabler/icons-react'
import { useState } from 'react'
import { ActionProgress } from './action-progress.tsx'
import { ActionRefused } from './action-refused.tsx'
import { MeasureParams } from './measure-params.tsx'
import classes from './step-action.module.css'
import type { Runner, WalkState } from './use-walk.ts'

interface StepActionProps {
  lab: Lab
  current: StepProgress
  action: Action
  walk: WalkState
  runner: Runner
}

/** The step's button, what can be set before pressing it, and what goes on after. */
export function StepAction({ lab, current, action, walk, runner }: StepActionProps) {
  const { step, status, run: last } = current
  const [params, setParams] = useState<StepParams>(last?.params ?? {})
  const toSolve = stepsToSolve(walk.progress, step.id)
  const before = toSolve.filter(({ id }) => id !== step.id).length
  const starting = runner.run.isPending
  const blocked = walk.busy !== null || walk.active !== null
  const start = (how: { solve: boolean; switchOff?: true }): void => {
    const { switchOff: _, ...kept } = params
    const own = action.kind === 'measure' && !how.solve ? kept : {}
    const asked = how.switchOff === undefined ? own : { ...own, switchOff: true }
    runner.run.mutate({ stepId: step.id, params: asked, solve: how.solve })
  }
  const offerSwitch =
    action.kind === 'verify-off' && last?.state === 'completed' && last.outcome?.passed === false && !blocked
  return (
    <div className={classes.action}>
      {action.kind === 'measure' && (
        <MeasureParams action={action} params={params} onChange={setParams} disabled={blocked || starting} />
      )}
      <div className={classes.buttons}>
        <Button
          leftSection={<IconPlayerPlay size={18} aria-hidden />}
          disabled={blocked}
          loading={starting && !runner.run.variables.solve}
          variant={status === 'passed' ? 'default' : 'filled'}
          onClick={() => start({ solve: false })}
        >
          {step.actionLabel ?? 'Run'}
        </Button>
        {offerSwitch && (
          <Button variant="default" onClick={() => start({ solve: false, switchOff: true })}>
            Switch it off first
          </Button>
        )}
        {before > 0 && (
          <Button
            variant="default"
            leftSection={<IconPlayerTrackNext size={18} aria-hidden />}
            disabled={blocked}
            loading={starting && runner.run.variables.solve}
            aria-describedby="solve-says"
            onClick={() => start({ solve: true })}
          >
            Solve
          </Button>
        )}
        {before > 0 && (
          <span id="solve-says" className={classes.says}>
            runs the steps up to here ({toSolve.length} to go)
          </span>
        )}
      </div>
      <ActionProgress lab={lab} active={walk.active} cancel={runner.cancel} stepId={step.id} />
      <ActionRefused walk={walk} error={runner.run.error} retry={() => start({ solve: false })} />
    </div>
  )
}
