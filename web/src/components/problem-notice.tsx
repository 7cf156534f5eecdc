import { toLabError, type ErrorCode, type Problem } from '@expresslane/shared/wire/errors'
import { Button } from '@mantine/core'
import { NetworkFailure } from '../api/http.ts'
import { CommandBlock } from './prose/command-block.tsx'
import { Notice } from './notice.tsx'
import classes from './problem-notice.module.css'

/** Where the system's own words are the news: who holds the lock, why the agent refused. */
const told: ReadonlySet<ErrorCode> = new Set(['cluster_locked', 'agent_refused', 'workload_not_ready'])

interface ProblemNoticeProps {
  problem: Problem
  /** What failed, in the reader's words; the problem's own sentence follows. */
  title?: string
  tone?: 'bad' | 'warn' | 'info'
  role?: 'alert'
}

/** A problem: its sentence, what to do, the command that does it, and the tool's own words. */
export function ProblemNotice({ problem, title, tone, role }: ProblemNoticeProps) {
  const { code, message, remedy, remedyCommand, detail } = problem
  // Nothing is broken where somebody else is at work.
  const look = tone ?? (code === 'cluster_locked' ? 'warn' : 'bad')
  return (
    <Notice tone={look} title={title ?? message} {...(role === undefined ? {} : { role })}>
      {title !== undefined && <p>{message}</p>}
      <p>{remedy}</p>
      {remedyCommand !== null && <CommandBlock text={remedyCommand} note={null} />}
      {detail !== null && (
        <details open={told.has(code)}>
          <summary>What the system said</summary>
          <pre className={classes.detail}>{detail}</pre>
        </details>
      )}
      <p className={classes.code}>
        Code <code>{code}</code>
      </p>
    </Notice>
  )
}

/** Whatever a fetch threw, with a way to try again. */
export function FetchProblem({ error, retry }: { error: unknown; retry: () => void }) {
  const again = (
    <Button variant="default" onClick={retry}>
      Try again
    </Button>
  )
  if (error instanceof NetworkFailure) {
    return (
      <Notice tone="bad" title="Expresslane does not answer" role="alert">
        <p>
          The server is not running, or the way to it is blocked. Start it with <code>npm start</code>; nothing that was
          measured is lost.
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
