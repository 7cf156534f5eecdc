import { i18n } from '@expresslane/shared/base/language'
import { briefOf, briefWords } from '@expresslane/shared/compare/brief'
import { questionAt } from '@expresslane/shared/labs/actions'
import type { Lab, Step } from '@expresslane/shared/labs/lab'
import { isOpenFor } from '@expresslane/shared/run/progress'
import type { RunState } from '@expresslane/shared/run/run-state'
import { pollAnswer } from '@expresslane/shared/wire/presentation'
import { useState } from 'react'
import { useLive } from '../../api/live.tsx'
import { useMe } from '../../api/queries.ts'
import { Button } from '../../components/controls.tsx'
import { Notice } from '../../components/notice.tsx'
import { answerWord } from '../../words/comparison.ts'
import { keepGuess, readGuess, type Guess } from './kept-guess.ts'
import classes from './guess.module.css'

interface GuessFirstProps {
  lab: Lab
  sessionId: string
  step: Step
  runs: readonly RunState[]
}

/** The step's question with its answers, for a person alone and before the measurement. In a workshop people answer together. */
export function GuessFirst({ lab, sessionId, step, runs }: GuessFirstProps) {
  const me = useMe().data
  const presented = useLive((snapshot) => snapshot.presentation !== null)
  const asked = questionAt(lab, step)
  if (me === undefined || me.workshop || presented || asked === null) return null
  if (!isOpenFor(asked.id, runs) || !isOpenFor(step.id, runs)) return null
  return <Question key={asked.id} sessionId={sessionId} asked={asked} />
}

function Question({ sessionId, asked: { id, question } }: { sessionId: string; asked: Step }) {
  const [guess, setGuess] = useState(() => readGuess(sessionId, id))
  const choose = (next: Guess): void => {
    setGuess(next)
    keepGuess(sessionId, id, next)
  }
  if (guess === 'skipped') return null
  return (
    <section className={`${classes.guess} sunken stack`} aria-labelledby="guess-title">
      <h3 id="guess-title">{i18n.t('Guess first: {question}', { question })}</h3>
      <div className="row" role="group" aria-labelledby="guess-title">
        {pollAnswer.options.map((answer) => (
          <Button
            key={answer}
            variant="default"
            className={classes.answer ?? ''}
            aria-pressed={guess === answer}
            onClick={() => choose(answer)}
          >
            {answerWord(answer)}
          </Button>
        ))}
        {guess === null && (
          <Button variant="subtle" onClick={() => choose('skipped')}>
            {i18n.t('Skip')}
          </Button>
        )}
      </div>
      <p role="status" className="muted">
        {guess === null
          ? i18n.t('Your guess stays in this browser. Nothing is scored.')
          : i18n.t(
              'You guessed: {guess, select, faster {faster} slower {slower} other {no difference}}. You can change it until the result is there.',
              { guess },
            )}
      </p>
    </section>
  )
}

/** `You guessed: faster. Measured: 12.4 % faster.` Nothing without a guess or a result. */
export function Guessed({ run }: { run: RunState }) {
  const guess = readGuess(run.sessionId, run.stepId)
  const brief = run.outcome === null ? null : briefOf(run.comparisons)
  if (guess === null || guess === 'skipped' || brief === null) return null
  return (
    <Notice
      tone="info"
      title={i18n.t(
        'You guessed: {guess, select, faster {faster} slower {slower} other {no difference}}. Measured: {result}.',
        { guess, result: briefWords(brief) },
      )}
    />
  )
}
