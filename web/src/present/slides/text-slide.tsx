import type { Step } from '@expresslane/shared/labs/lab'
import type { Poll } from '@expresslane/shared/wire/presentation'
import { Markdown } from '../../components/prose/markdown.tsx'
import { PollTally } from './poll-tally.tsx'
import classes from './slides.module.css'

/** Up to this many characters fit in larger type, at 1280x720. */
const SHORT = 480

/** The step's prose, and beside it the question with what the followers answered so far. */
export function TextSlide({ step, poll }: { step: Step; poll: Poll | null }) {
  return (
    <div
      className={classes.text}
      data-poll={poll !== null}
      data-length={step.prose.length <= SHORT && poll === null ? 'short' : 'long'}
    >
      <Markdown text={step.prose} />
      {poll !== null && <PollTally poll={poll} />}
    </div>
  )
}
