import { i18n } from '@expresslane/shared/base/language'
import { answerPoll, pollAnswer, type Poll as PollState, type PollAnswer } from '@expresslane/shared/wire/presentation'
import { toLabError } from '@expresslane/shared/base/errors'
import { useState } from 'react'
import { call, NetworkFailure } from '../api/request.ts'
import { answerWord } from '../words/comparison.ts'
import shared from './follow.module.css'
import classes from './poll.module.css'

/** The presenter's question. The tally shows once this reader has answered, or nobody can any more. */
export function Poll({ poll: { stepId, question, open, answers } }: { poll: PollState }) {
  const [mine, setMine] = useState<PollAnswer | null>(null)
  const [failed, setFailed] = useState<string | null>(null)
  const total = pollAnswer.options.reduce((sum, answer) => sum + answers[answer], 0)
  const shown = !open || mine !== null

  async function choose(answer: PollAnswer): Promise<void> {
    try {
      await call(answerPoll, { body: { stepId, answer } })
      setMine(answer)
      setFailed(null)
    } catch (error) {
      setFailed(
        error instanceof NetworkFailure ? i18n.t('Your answer did not arrive. Try again.') : toLabError(error).message,
      )
    }
  }

  return (
    <section aria-labelledby="poll-title" className={`${shared.active} ${classes.poll} stack`}>
      <h3 id="poll-title">{question}</h3>
      <div className={`${classes.answers} stack tight`} role="group" aria-labelledby="poll-title">
        {pollAnswer.options.map((answer) => (
          <button
            key={answer}
            type="button"
            className={`${shared.button} ${classes.answer}`}
            aria-pressed={mine === answer}
            disabled={!open}
            onClick={() => void choose(answer)}
          >
            <span>{answerWord(answer)}</span>
            {shown && <span className="numbers">{answers[answer]}</span>}
            {shown && (
              <span
                aria-hidden
                className={classes.share}
                style={{ width: `${total === 0 ? 0 : (answers[answer] / total) * 100}%` }}
              />
            )}
          </button>
        ))}
      </div>
      <p role="status" className="muted">
        {failed ?? (open ? openWords(mine) : i18n.t('Answers are closed, because the result is shown.'))}
      </p>
    </section>
  )
}

function openWords(mine: PollAnswer | null): string {
  if (mine === null) return i18n.t('Your answer is anonymous.')
  return i18n.t(
    'You answered: {answer, select, faster {faster} slower {slower} other {no difference}}. You can change it until the result is shown.',
    { answer: mine },
  )
}
