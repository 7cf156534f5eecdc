import { i18n } from '@expresslane/shared/base/language'
import { Trans } from '#language'
import { pollAnswer, type Poll } from '@expresslane/shared/wire/presentation'
import { answerWord } from '../../words/comparison.ts'
import classes from './poll-tally.module.css'

interface PollTallyProps {
  poll: Poll
  /** Below a result that needs the width. */
  oneLine?: boolean
}

/** The question and how many followers gave each answer; nobody's own answer is known. */
export function PollTally({ poll, oneLine = false }: PollTallyProps) {
  const { question, open, answers } = poll
  const all = Object.values(answers).reduce((sum, count) => sum + count, 0)
  if (oneLine) {
    return (
      <p className="row">
        {i18n.t('The room expected:')}{' '}
        {pollAnswer.options.map((answer) => (
          <span key={answer}>
            <Trans
              id="{answer, select, faster {faster} slower {slower} other {no difference}} <0>{count}</0>"
              values={{ answer, count: answers[answer] }}
              components={{ 0: <strong /> }}
            />
          </span>
        ))}
      </p>
    )
  }
  return (
    <section aria-label={i18n.t('The question')} className={`${classes.poll} surface stack`}>
      <h3 className="large">{question}</h3>
      <ul role="list" className={`${classes.answers} stack`}>
        {pollAnswer.options.map((answer) => (
          <li key={answer} className="row tight between numbers">
            <span>{answerWord(answer)}</span> <strong>{answers[answer]}</strong>
            <progress max={Math.max(1, all)} value={answers[answer]} aria-label={answerWord(answer)} />
          </li>
        ))}
      </ul>
      <p className="muted">
        {open
          ? i18n.t('{count, plural, one {# answer so far} other {# answers so far}}', { count: all })
          : i18n.t('{count, plural, one {# answer} other {# answers}}', { count: all })}
      </p>
    </section>
  )
}
