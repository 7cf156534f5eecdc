import { i18n } from '@expresslane/shared/base/language'
import { pollAnswer, type Poll } from '@expresslane/shared/wire/presentation'
import { answerInSentence, answerWord } from '../../words/comparison.ts'
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
            {answerInSentence(answer)} <strong>{answers[answer]}</strong>
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
        {all === 1 ? '1 answer' : i18n.t('{all} answers', { all })}
        {open ? i18n.t(' so far') : ''}
      </p>
    </section>
  )
}
