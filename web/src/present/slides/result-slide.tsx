import { i18n } from '@expresslane/shared/base/language'
import type { Lab, Step } from '@expresslane/shared/labs/lab'
import { isOpen, type RunState } from '@expresslane/shared/run/run-state'
import type { Poll } from '@expresslane/shared/wire/presentation'
import type { ReactNode } from 'react'
import { Exhibits } from '../../exhibits/index.ts'
import { experimentKind } from '../../experiment/index.ts'
import { CaptureView } from '../../features/index.ts'
import { ChecksSlide } from './checks-slide.tsx'
import { ComparedSlide } from './compared-slide.tsx'
import { MeasuredSlide } from './measured-slide.tsx'
import { OutcomeLine } from './outcome-line.tsx'
import { PollTally } from './poll-tally.tsx'
import classes from './slides.module.css'

interface ResultSlideProps {
  lab: Lab
  step: Step
  run: RunState
  runs: readonly RunState[]
  poll: Poll | null
  /** The path across the slide. */
  path: ReactNode
}

/** A run's result, in type for the back row. */
export function ResultSlide({ lab, step, run, runs, poll, path }: ResultSlideProps) {
  // Unexpected values and their remedy need the space.
  const isSpoiled = run.outcome?.passed === false
  const manyArms = run.plan !== null && experimentKind(run.plan) !== 'pair'
  return (
    <section aria-label={i18n.t('Result')} className={classes.result} data-poll={poll !== null && !manyArms}>
      <ResultBody lab={lab} run={run} runs={runs} path={path} brief={poll !== null || isSpoiled} />
      {/* Not before the run has ended: only then does the next press go on. A comparison says its verdict itself. */}
      {!isOpen(run) && (run.comparisons.length === 0 || run.outcome?.passed !== true) && (
        <OutcomeLine run={run} step={step} />
      )}
      {poll !== null && <PollTally poll={poll} oneLine={manyArms} />}
    </section>
  )
}

interface ResultBodyProps extends Pick<ResultSlideProps, 'lab' | 'run' | 'runs' | 'path'> {
  /** Leaves space for the poll, or for unexpected values. */
  brief: boolean
}

function ResultBody({ lab, run, runs, path, brief }: ResultBodyProps) {
  if (run.checks.length > 0) return <ChecksSlide checks={run.checks} />
  if (run.exhibits.length > 0) return <Exhibits of={run.exhibits} brief />
  if (run.capture !== null) {
    return <CaptureView feature={lab.feature} capture={run.capture} runs={runs} arms={lab.arms} brief />
  }
  if (run.plan !== null || run.comparisons.length > 0) {
    return <ComparedSlide lab={lab} run={run} runs={runs} brief={brief} />
  }
  if (run.repeats.length > 0) return <MeasuredSlide lab={lab} run={run} runs={runs} />
  return path
}
