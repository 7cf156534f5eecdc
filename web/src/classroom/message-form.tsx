import { i18n } from '@expresslane/shared/base/language'
import { messageBody } from '@expresslane/shared/wire/board'
import { Button, TextInput } from '../components/controls.tsx'
import { useState } from 'react'
import type { RoomChanges } from '../api/room.ts'
import { FetchProblem } from '../components/problem-notice.tsx'
import classes from './board.module.css'

const LONGEST = 280

interface MessageFormProps {
  /** A participant; null for everybody. */
  to: string | null
  name: string
  send: RoomChanges['message']
}

/** Writes a line to one participant or to all; it appears on their pages. */
export function MessageForm({ to, name, send }: MessageFormProps) {
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const submit = (): void => {
    const parsed = messageBody.safeParse({ to, text })
    setProblem(parsed.success ? null : (parsed.error.issues[0]?.message ?? i18n.t('not a message')))
    if (parsed.success) send.mutate(parsed.data, { onSuccess: () => setText('') })
  }
  return (
    <form
      className={`${classes.form} stack tight`}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <TextInput
        label={i18n.t('Message to {name}', { name })}
        value={text}
        maxLength={LONGEST}
        autoComplete="off"
        error={problem}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setProblem(null)
        }}
      />
      <Button type="submit" variant="default" disabled={text.trim() === ''} loading={send.isPending}>
        {i18n.t('Send')}
      </Button>
      <p role="status" className={`${classes.sent} muted`}>
        {send.isSuccess && text === '' ? i18n.t('Sent.') : ''}
      </p>
      {send.error !== null && (
        <div className="all-columns">
          <FetchProblem error={send.error} retry={submit} />
        </div>
      )}
    </form>
  )
}
