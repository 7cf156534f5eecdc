import { i18n } from '@expresslane/shared/base/language'
import type { Lab } from '@expresslane/shared/labs/lab'
import { isOpen } from '@expresslane/shared/run/run-state'
import { parseTestbedId } from '@expresslane/shared/testbed/id'
import type { Session } from '@expresslane/shared/wire/protocol'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { useLive } from '../api/live.tsx'
import { Button } from '../components/controls.tsx'
import { ChangeProblem } from '../components/problem-notice.tsx'
import { useRecordings } from '../recordings/index.ts'
import classes from './start.module.css'
import { playUpTo, tourOf } from './tour-steps.ts'
import { addressOf } from './ways.ts'

interface TourProps {
  lab: Lab
  session: Session
  /** The step that the page shows; null before the first. */
  stepId: string | null
}

/** Follows a recording that plays, step by step, and says in three captions what happens. */
export function Tour({ lab, session, stepId }: TourProps) {
  const navigate = useNavigate()
  const { context } = parseTestbedId(session.testbed)
  const recording = useRecordings().data?.recordings.find(({ id }) => id === context)
  const steps = tourOf(lab)
  const all = useLive((snapshot) => snapshot.runs)
  const runs = [...all.values()].filter((run) => run.sessionId === session.id)
  const playing = runs.find(isOpen)?.stepId ?? null
  const base = addressOf(session)
  // The page of the labs can take a moment to load, and the next step that plays must not call it off.
  const [isLeaving, setLeaving] = useState(false)
  useEffect(() => {
    if (!isLeaving && playing !== null && playing !== stepId)
      void navigate(`${base}/${playing}?tour`, { replace: true })
  }, [isLeaving, playing, stepId, base, navigate])
  const measure = useMutation({ mutationFn: playUpTo.bind(null, session.id, steps?.compare ?? '') })
  const ended = runs.find((run) => !isOpen(run) && run.comparisons.length > 0)
  const measures = measure.isSuccess || runs.some(({ repeats }) => repeats.length > 0)
  const [count, caption] =
    ended !== undefined
      ? [
          3,
          i18n.t('The verdict. {sentence} Now measure your own figures.', {
            sentence: ended.comparisons[0]?.comparison.sentence ?? '',
          }),
        ]
      : measures
        ? [2, i18n.t('Each side is measured several times, with real tools. Every repeat is a dot in the result.')]
        : [1, i18n.t('A lab checks the machine first, and reads every device on the way of the packets.')]
  return (
    <aside aria-label={i18n.t('Tour')} className={`${classes.tour} surface stack`}>
      <p role="status" className="pretty">
        <strong className="numbers">{i18n.t('{count} of 3', { count })}</strong> {caption}
      </p>
      <div className="row">
        {count === 1 && recording !== undefined && (
          <Button loading={playing !== null || measure.isPending} onClick={() => measure.mutate(recording)}>
            {i18n.t('See it measure')}
          </Button>
        )}
        <Button component={Link} to="/" onClick={() => setLeaving(true)} variant={count === 3 ? 'filled' : 'default'}>
          {count === 3 ? i18n.t('To the labs') : i18n.t('End the tour')}
        </Button>
      </div>
      <ChangeProblem of={measure} />
    </aside>
  )
}
