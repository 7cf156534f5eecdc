import { i18n } from '@expresslane/shared/base/language'
import { joinRoom, personName } from '@expresslane/shared/wire/room'
import { toLabError } from '@expresslane/shared/base/errors'
import { useState, type FormEvent } from 'react'
import { call, NetworkFailure } from '../api/request.ts'
import classes from './follow.module.css'

export interface JoinFormProps {
  /** A follower types a code; a participant who came by a link, their name; somebody else, perhaps both. */
  asks: 'code' | 'all'
}

function entry(data: FormData, name: string): string {
  const value = data.get(name)
  return typeof value === 'string' ? value.trim() : ''
}

function problemOf(error: unknown): string {
  if (error instanceof NetworkFailure) return i18n.t('The server does not respond. Try again.')
  const { message, remedy } = toLabError(error)
  return `${message} ${remedy}`
}

/** Lets somebody in with a code, a link that they followed, or both. */
export function JoinForm({ asks }: JoinFormProps) {
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)

  async function join(code: string, name: string): Promise<void> {
    setBusy(true)
    try {
      const { role } = await call(joinRoom, {
        body: { ...(code === '' ? {} : { code }), ...(name === '' ? {} : { name }) },
      })
      // A new page: it begins with the new cookie, and on a participant's with the whole application.
      window.location.replace(role === 'viewer' ? '/follow' : '/')
    } catch (error) {
      setProblem(problemOf(error))
      setBusy(false)
    }
  }

  function onSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const [code, name] = [entry(data, 'code'), entry(data, 'name')]
    const issue = name === '' ? null : (personName.safeParse(name).error?.issues[0]?.message ?? null)
    if (issue !== null) setProblem(i18n.t('This name can’t be used: {issue}.', { issue }))
    else void join(code, name)
  }

  return (
    <form className="stack wide" onSubmit={onSubmit}>
      {asks === 'all' && (
        <label className="stack tight">
          <span className="strong">{i18n.t('Your name')}</span>
          <input name="name" autoComplete="off" maxLength={40} className={classes.input} />
          <span className="muted">{i18n.t('The instructor sees it. You do not need one to follow the talk.')}</span>
        </label>
      )}
      <label className="stack tight">
        <span className="strong">{i18n.t('Code')}</span>
        <input
          name="code"
          required={asks === 'code'}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={64}
          className={classes.input}
        />
        {asks === 'all' && <span className="muted">{i18n.t('Leave it empty if you opened a link.')}</span>}
      </label>
      {problem !== null && (
        <p role="alert" className="bad">
          {problem}
        </p>
      )}
      <button type="submit" className={`${classes.button} ${classes.primary}`} disabled={busy}>
        {asks === 'code' ? i18n.t('Follow') : i18n.t('Join')}
      </button>
    </form>
  )
}
