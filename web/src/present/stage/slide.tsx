import type { Problem } from '@expresslane/shared/base/errors'
import { actionProperties } from '@expresslane/shared/labs/actions'
import type { Lab, Step } from '@expresslane/shared/labs/lab'
import type { RunState } from '@expresslane/shared/run/run-state'
import { propertiesOf, type TestbedId } from '@expresslane/shared/testbed/id'
import type { DatapathState } from '@expresslane/shared/testbed/reading'
import type { Presentation } from '@expresslane/shared/wire/presentation'
import { PathPanel } from '../../features/index.ts'
import { shownFamily } from '../../result/index.ts'
import type { SessionState } from '../../session/index.ts'
import { ResultSlide } from '../slides/result-slide.tsx'
import { TextSlide } from '../slides/text-slide.tsx'

interface SlideProps {
  lab: Lab
  step: Step
  /** The step's run, to show its result; null to show the step's text. */
  result: RunState | null
  state: SessionState
  /** Null while nothing is presented. */
  now: Presentation | null
  testbed: TestbedId
  /** Why the testbed can't be read; null if it can. */
  problem: Problem | null
}

/** A step as the room sees it: the path alone, the result beside the path, or the text. */
export function Slide({ lab, step, result, state, now, testbed, problem }: SlideProps) {
  const path = (read: DatapathState | null) => (
    <PathPanel
      feature={lab.feature}
      testbed={testbed}
      family={shownFamily(lab, step, state.active)}
      runs={state.runs}
      problem={problem}
      wide
      read={read}
    />
  )
  if (now?.pathWide === true) return path(null)
  const poll = now?.poll ?? null
  if (result === null) return <TextSlide step={step} poll={poll} />
  // An earlier step keeps the path that it read: the current one would contradict its outcome. So does a restored
  // recording: somebody else may play the same one.
  const isRestored = propertiesOf(testbed).isRecorded && actionProperties(step.action).restores
  const isLatest = !isRestored && state.runs.every(({ startedAt }) => startedAt <= result.startedAt)
  // Nobody to compare the verdict with: the result gets the room.
  const isAnswered = poll !== null && Object.values(poll.answers).some((count) => count > 0)
  return (
    <ResultSlide
      lab={lab}
      step={step}
      run={result}
      runs={state.runs}
      poll={isAnswered ? poll : null}
      path={path(isLatest ? null : result.datapath)}
    />
  )
}
