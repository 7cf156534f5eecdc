import { pollAnswer, type Poll, type PollAnswer } from '@expresslane/shared/wire/presentation'
import classes from './poll-tally.module.css'

export const answerWords: Record<PollAnswer, string> = {
  faster: 'Faster',
  slower: 'Slower',
  'no-difference': 'No difference',
}

/** The question and how many followers gave each answer; who answered what is not known. */
export function PollTally({ poll }: { poll: Poll }) {
  const { question, open, answers } = poll
  const all = Object.values(answers).reduce((sum, count) => sum + count, 0)
  return (
    <section aria-label="The question" className={classes.poll}>
      <h3>{question}</h3>
      <ul role="list" className={classes.answers}>
        {pollAnswer.options.map((answer) => (
          <li key={answer}>
            <span>{answerWords[answer]}</span> <strong>{answers[answer]}</strong>
            <progress max={Math.max(1, all)} value={answers[answer]} aria-label={answerWords[answer]} />
          </li>
        ))}
      </ul>
      <p className={classes.count}>
        {all === 1 ? '1 answer' : `${all} answers`}
        {open ? ' so far' : ''}
      </p>
    </section>
  )
}
