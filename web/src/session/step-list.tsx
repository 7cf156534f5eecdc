import { i18n } from '@expresslane/shared/base/language'
import type { StepProgress } from '@expresslane/shared/run/progress'
import { IconChevronDown } from '../icons.tsx'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { RunBadge } from '../components/run/run-badge.tsx'
import classes from './step-list.module.css'

interface StepListProps {
  progress: readonly StepProgress[]
  index: number
  /** The address of the session; a step's id follows it. */
  base: string
}

/** Every step with its status. */
export function StepList({ progress, index, base }: StepListProps) {
  return (
    <ol role="list" className="stack tight">
      {progress.map(({ step, status, run }, at) => (
        <li key={step.id}>
          <Link
            to={`${base}/${step.id}`}
            className={`${classes.link} row top one-line`}
            aria-current={at === index ? 'step' : undefined}
          >
            <span className={`${classes.number} fixed muted numbers right`}>{at + 1}</span>
            <span className="grow">{step.title}</span>
            <RunBadge look={status === 'passed' && run?.outcome?.leftOut ? 'left-out' : status} iconOnly />
          </Link>
        </li>
      ))}
    </ol>
  )
}

/** The steps as a row of marks. */
export function StepDots({ progress, index }: Pick<StepListProps, 'progress' | 'index'>) {
  return (
    <span className={`${classes.dots} row tight one-line grow`} aria-hidden>
      {progress.map(({ step, status }, at) => (
        <span key={step.id} data-status={status} data-current={at === index} />
      ))}
    </span>
  )
}

/** The list in one line that can be expanded. */
export function CompactSteps({ progress, index, base }: StepListProps) {
  const details = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    details.current?.removeAttribute('open')
  }, [index])
  return (
    <details ref={details} className={`${classes.compact} surface`}>
      <summary className="row one-line strong no-wrap">
        <span>{i18n.t('Step {step} of {steps}', { step: index + 1, steps: progress.length })}</span>
        <StepDots progress={progress} index={index} />
        <IconChevronDown size={20} aria-hidden className={`${classes.chevron} fixed`} />
      </summary>
      <StepList progress={progress} index={index} base={base} />
    </details>
  )
}
