import type { Lab } from '@expresslane/shared/labs/lab'
import { kindOf, type TestbedId } from '@expresslane/shared/testbed/id'
import { Progress } from '@mantine/core'
import { IconArrowRight, IconEye, IconPlayerPlay, IconPlayerTrackNext, IconRobot } from '@tabler/icons-react'
import { useLive } from '../../api/live.tsx'
import { QueuePlace } from '../../components/run/queue-place.tsx'
import { AutopilotState } from '../autopilot-state.tsx'
import type { Lead } from '../use-lead.ts'
import classes from './stage-status.module.css'

interface StageStatusProps {
  lab: Lab
  lead: Lead
  testbed: TestbedId
}

/** One line at the bottom: what the next key press does or what runs now, and who follows. */
export function StageStatus({ lab, lead, testbed }: StageStatusProps) {
  const connection = useLive((snapshot) => snapshot.connection)
  const { now } = lead.talk
  const followers = now?.followers ?? 0
  return (
    <footer className={classes.status}>
      <div className={classes.next} role="status" aria-label="Progress">
        <NextPress lab={lab} lead={lead} />
      </div>
      {now !== null && now.autopilot.state !== 'off' && (
        <p className={classes.item}>
          <IconRobot aria-hidden /> <AutopilotState autopilot={now.autopilot} />
        </p>
      )}
      {kindOf(testbed) === 'recording' && (
        <p className={classes.item}>
          <IconPlayerTrackNext aria-hidden /> A recording
        </p>
      )}
      {followers > 0 && (
        <p className={classes.item}>
          <IconEye aria-hidden /> {followers} {followers === 1 ? 'follows' : 'follow'}
        </p>
      )}
      {connection !== 'live' && connection !== 'connecting' && <p className={classes.lost}>{connection}</p>}
    </footer>
  )
}

function NextPress({ lab, lead: { walk, runner, move, talk } }: Pick<StageStatusProps, 'lab' | 'lead'>) {
  const { active } = walk
  if (active !== null) {
    const { progress, queue, repeats } = active
    const measuring = repeats.at(-1)
    return (
      <>
        <span>
          {queue !== null ? (
            <QueuePlace queue={queue} />
          ) : runner.cancel.isPending ? (
            'Cancelling'
          ) : measuring === undefined ? (
            (progress?.message ?? 'Working')
          ) : (
            `Measuring: ${measuring.repeat} of ${measuring.repeats}`
          )}
        </span>
        {progress !== null && (
          <Progress
            className={classes.bar ?? ''}
            value={(progress.done / progress.total) * 100}
            color="var(--run)"
            aria-label={`${progress.done} of ${progress.total}`}
          />
        )}
      </>
    )
  }
  if (talk.now === null) return null
  const step = move.kind === 'end' ? null : lab.steps.find(({ id }) => id === move.stepId)
  switch (move.kind) {
    case 'run':
      return (
        <>
          <IconPlayerPlay aria-hidden /> {step?.actionLabel ?? 'Run'}
          {move.again && ' again'}
          {move.solve && ', after the steps before it'}
        </>
      )
    case 'go':
      return (
        <>
          <IconArrowRight aria-hidden /> {step?.title}
        </>
      )
    case 'end':
      return <>The end</>
    case 'wait':
      return null
  }
}
