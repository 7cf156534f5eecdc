import type { Step } from '@expresslane/shared/labs/lab'
import type { Poll } from '@expresslane/shared/wire/presentation'
import { Markdown } from '../../components/prose/markdown.tsx'
import { PollTally } from './poll-tally.tsx'
import classes from './slides.module.css'

/** At 1280x720 a text of up to so many characters fits in large type, and a longer one than the second in small type. */
const [SHORT, LONG] = [600, 780]

function lengthOf({ length }: string, alone: boolean): 'short' | 'medium' | 'long' {
  if (length > LONG) return 'long'
  return length <= SHORT && alone ? 'short' : 'medium'
}

/** The step's prose, and beside it the question with the followers' answers so far. */
export function TextSlide({ step, poll }: { step: Step; poll: Poll | null }) {
  return (
    <div className={classes.text} data-poll={poll !== null} data-length={lengthOf(step.prose, poll === null)}>
      <Markdown text={step.prose} />
      {poll !== null && <PollTally poll={poll} />}
    </div>
  )
}
