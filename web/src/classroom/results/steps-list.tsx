import { i18n } from '@expresslane/shared/base/language'
import type { Lab } from '@expresslane/shared/labs/lab'
import { factorWords, medianWords, stuckWords } from '@expresslane/shared/report/room/steps/words'
import type { LabFigures, StepFigures } from '@expresslane/shared/wire/board'
import { stepIn } from '../standing.ts'
import classes from './steps-list.module.css'

interface StepsListProps {
  lab: Lab
  figures: LabFigures
}

/** How many people are at each step of the lab, how long each step takes them, and where the room is stuck. */
export function StepsList({ lab, figures }: StepsListProps) {
  const { steps, slowest, finished, learners } = figures
  const titleOf = (stepId: string): string => {
    const step = stepIn(lab, stepId)
    return step === null ? stepId : `${step.number}. ${step.title}`
  }
  return (
    <section className="stack container" aria-labelledby="by-step">
      <h3 id="by-step">{i18n.t('By step')}</h3>
      <div className="stack tight">
        {stuckWords(figures, (stepId) => i18n.t('“{title}”', { title: titleOf(stepId) })).map((words) => (
          <p key={words} className={steps.some(({ standsOut }) => standsOut.length > 0) ? 'bad medium' : 'muted'}>
            {words}
          </p>
        ))}
      </div>
      <ol role="list" aria-label={i18n.t('People by step')}>
        {steps.map((step) => (
          <StepLine
            key={step.stepId}
            title={titleOf(step.stepId)}
            step={step}
            learners={learners}
            isSlowest={step.stepId === slowest}
          />
        ))}
        <li className={`${classes.line} ruled`}>
          <span className="medium">{i18n.t('Done')}</span>
          <Bar here={finished} left={0} learners={learners} />
          <span className="numbers">{finished}</span>
        </li>
      </ol>
      <p className="muted">
        {i18n.t(
          'Times are medians of people’s own time: without the time in which their runs waited or ran. The expected time follows from the length of the text, at the pace of the room at the other steps.',
        )}
      </p>
    </section>
  )
}

interface StepLineProps {
  title: string
  step: StepFigures
  learners: number
  isSlowest: boolean
}

function StepLine({ title, step, learners, isSlowest }: StepLineProps) {
  const { here, left, standsOut } = step
  const [median, factor] = [medianWords(step), factorWords(step)]
  return (
    <li className={`${classes.line} ruled`} data-stands-out={standsOut.length > 0}>
      <span className="break-anywhere">{title}</span>
      <Bar here={here} left={left} learners={learners} />
      <span className={here + left === 0 ? 'muted numbers' : 'numbers'}>
        {left > 0 ? i18n.t('{here} here, {left} left', { here, left }) : i18n.t('{here} here', { here })}
      </span>
      <span className={`${classes.time} numbers`}>
        {median !== null && (
          <>
            {median}
            {factor !== null && <span className="muted">, {i18n.t('{factor} × expected', { factor })}</span>}
          </>
        )}
        {isSlowest && <strong className={standsOut.length > 0 ? 'bad' : ''}>, {i18n.t('slowest')}</strong>}
      </span>
    </li>
  )
}

/** People at a step as parts of the room: filled for those who are here, hatched for those who left. */
function Bar({ here, left, learners }: { here: number; left: number; learners: number }) {
  const width = (count: number) => ({ width: `${(100 * count) / Math.max(1, learners)}%` })
  return (
    <span className={`${classes.bar} sunken`} aria-hidden>
      <span className={classes.here} style={width(here)} />
      <span className={classes.left} style={width(left)} />
    </span>
  )
}
