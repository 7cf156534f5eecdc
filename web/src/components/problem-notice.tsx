import { i18n } from '@expresslane/shared/base/language'
import { Trans } from '#language'
import { toLabError, type ErrorCode, type Problem } from '@expresslane/shared/base/errors'
import { Button } from './controls.tsx'
import { NetworkFailure } from '../api/request.ts'
import { CommandBlock } from './prose/command-block.tsx'
import { Notice } from './notice.tsx'
import classes from './problem-notice.module.css'

/** Problems whose detail is shown at once, such as who holds the lock. */
const detailed: ReadonlySet<ErrorCode> = new Set(['cluster_locked', 'agent_refused', 'workload_not_ready'])

interface ProblemNoticeProps {
  problem: Problem
  /** The reader's action that failed; the message of the problem follows. */
  title?: string
  tone?: 'bad' | 'warn' | 'info'
  role?: 'alert'
}

/** A problem: its message, the remedy, the command of the remedy, and the output of the system. */
export function ProblemNotice({ problem, title, tone, role }: ProblemNoticeProps) {
  const { code, message, remedy, remedyCommand, detail } = problem
  // A lock is not an error: somebody else is at work.
  const look = tone ?? (code === 'cluster_locked' ? 'warn' : 'bad')
  return (
    <Notice tone={look} title={title ?? message} {...(role === undefined ? {} : { role })}>
      {title !== undefined && <p>{message}</p>}
      <p>{remedy}</p>
      {remedyCommand !== null && <CommandBlock text={remedyCommand} note={null} />}
      {detail !== null && (
        <details open={detailed.has(code)}>
          <summary>{i18n.t('Output of the system')}</summary>
          <pre className={classes.detail}>{detail}</pre>
        </details>
      )}
      <p className="muted">
        <Trans id="Code <0>{code}</0>" values={{ code }} components={{ 0: <code /> }} />
      </p>
    </Notice>
  )
}

/** An error of a request, with a button to try again. */
export function FetchProblem({ error, retry }: { error: unknown; retry: () => void }) {
  const again = (
    <Button variant="default" onClick={retry}>
      {i18n.t('Try again')}
    </Button>
  )
  if (error instanceof NetworkFailure) {
    return (
      <Notice tone="bad" title={i18n.t('Expresslane does not respond')} role="alert">
        <p>
          <Trans
            id="The server is not running or can’t be reached. Start it with <0>npm start</0>. Your measurements are not lost."
            components={{ 0: <code /> }}
          />
        </p>
        {again}
      </Notice>
    )
  }
  return (
    <>
      <ProblemNotice problem={toLabError(error).toProblem()} role="alert" />
      <div className={classes.again}>{again}</div>
    </>
  )
}

interface Change<Variables> {
  readonly error: Error | null
  readonly variables: Variables | undefined
  readonly mutate: (variables: Variables) => void
}

/** The error of a change, with a button that asks for the same change again; nothing if the change did not fail. */
export function ChangeProblem<Variables>({ of: { error, variables, mutate } }: { of: Change<Variables> }) {
  // A change without variables has `undefined` in their place.
  return error === null ? null : <FetchProblem error={error} retry={() => mutate(variables as Variables)} />
}
