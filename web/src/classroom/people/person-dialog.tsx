import { i18n } from '@expresslane/shared/base/language'
import { Trans } from '#language'
import { runStep } from '@expresslane/shared/wire/protocol'
import { call } from '../../api/request.ts'
import type { SessionId } from '@expresslane/shared/run/events'
import type { Lab } from '@expresslane/shared/labs/lab'
import type { Participant } from '@expresslane/shared/wire/board'
import { Button } from '../../components/controls.tsx'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import type { RoomChanges } from '../../api/room.ts'
import { Dialog, DialogButtons } from '../../components/dialog/dialog.tsx'
import { Notice } from '../../components/notice.tsx'
import { FetchProblem } from '../../components/problem-notice.tsx'
import { SelectField } from '../../components/select-field.tsx'
import { formatTime } from '../../words/format.ts'
import { MessageForm } from '../message-form.tsx'
import { standingIn, stepIn, type Standing } from '../standing.ts'
import { Ratio } from './people-list.tsx'
import classes from '../board.module.css'
import { StateWords } from './state-words.tsx'

interface PersonDialogProps {
  person: Participant
  labs: readonly Lab[]
  /** When the board was read, in milliseconds since the epoch. */
  at: number
  changes: RoomChanges
  onClose: () => void
}

/** An instructor's view of a participant, with the instructor's commands. */
export function PersonDialog({ person, labs, at, changes, onClose }: PersonDialogProps) {
  const { online, joinedAt, network } = person
  const entry = { state: online ? i18n.t('Online') : i18n.t('Offline'), time: formatTime(joinedAt), network }
  const begun = labs.filter((lab) => person.seats.some(({ labId }) => labId === lab.id))
  return (
    <Dialog title={person.name} onClose={onClose}>
      <p className="muted">
        {network === null
          ? i18n.t('{state}, joined {time}.', entry)
          : i18n.t('{state}, joined {time} from {network}.', entry)}
      </p>
      {begun.length === 0 && <p>{i18n.t('No lab started yet.')}</p>}
      {begun.map((lab) => (
        <LabOf key={lab.id} lab={lab} standing={standingIn(lab, person)} at={at} changes={changes} />
      ))}
      <section className={`${classes.part} ruled break-anywhere`} aria-label={i18n.t('Message')}>
        <MessageForm to={person.id} name={person.name} send={changes.message} />
      </section>
      <Removal person={person} remove={changes.remove} onClose={onClose} />
    </Dialog>
  )
}

interface LabOfProps {
  lab: Lab
  standing: Standing
  at: number
  changes: RoomChanges
}

function LabOf({ lab, standing, at, changes }: LabOfProps) {
  const { seat, step, kind } = standing
  if (seat === null) return null
  const failed = seat.failed === null ? null : { ...seat.failed, step: stepIn(lab, seat.failed.stepId) }
  const waiting = seat.run !== null && kind === 'waiting' ? seat.run.runId : null
  return (
    <section className={`${classes.part} ruled break-anywhere`} aria-label={lab.title}>
      <h3 className="large">{lab.title}</h3>
      <p>{step === null ? i18n.t('After the last step.') : i18n.t('Step {number} of {of}: {title}', step)}</p>
      {kind !== 'failed' && (
        <p>
          <StateWords standing={standing} at={at} />
        </p>
      )}
      {seat.result !== null && (
        <p>
          <Trans id="Result: <0/>" components={{ 0: <Ratio result={seat.result} /> }} />
        </p>
      )}
      {failed !== null && (
        <Notice
          tone="bad"
          title={i18n.t('The check of “{step}” failed', { step: failed.step?.title ?? failed.stepId })}
        >
          <p>{failed.message}</p>
          {failed.problem !== null && <p>{failed.problem.remedy}</p>}
          <p>
            <Link to={`/runs/${failed.runId}`}>{i18n.t('Show the run')}</Link>
          </p>
        </Notice>
      )}
      {waiting !== null && (
        <Button variant="default" loading={changes.jump.isPending} onClick={() => changes.jump.mutate(waiting)}>
          {i18n.t('Move to the front of the queue')}
        </Button>
      )}
      {changes.jump.error !== null && (
        <FetchProblem error={changes.jump.error} retry={() => waiting !== null && changes.jump.mutate(waiting)} />
      )}
      <Unstick lab={lab} session={seat.sessionId} from={seat.stepId} busy={seat.run !== null} />
      <p>
        <Link to={`/labs/${lab.id}/sessions/${seat.sessionId}`}>{i18n.t('Open their lab')}</Link>
      </p>
    </section>
  )
}

interface UnstickProps {
  lab: Lab
  session: SessionId
  /** Where they are; null after the last step. */
  from: string | null
  busy: boolean
}

/** Runs a participant's steps up to a chosen one. */
function Unstick({ lab, session, from, busy }: UnstickProps) {
  const steps = lab.steps.filter(({ action }) => action !== null)
  const [chosen, setChosen] = useState<string | null>(null)
  const next = lab.steps.findIndex(({ id }) => id === from)
  const upTo = chosen ?? lab.steps.slice(Math.max(0, next)).find(({ action }) => action !== null)?.id ?? steps[0]?.id
  const solve = useMutation({
    mutationFn: (step: string) => call(runStep, { params: { id: session, step }, body: { solve: true } }),
  })
  if (from === null || upTo === undefined) return null
  return (
    <>
      <div className={`${classes.form} stack`}>
        <SelectField
          label={i18n.t('Run their steps up to')}
          value={upTo}
          options={steps.map(({ id, title }) => [id, `${lab.steps.findIndex((one) => one.id === id) + 1}: ${title}`])}
          onChange={setChosen}
          disabled={busy}
        />
        <Button disabled={busy} loading={solve.isPending} onClick={() => solve.mutate(upTo)}>
          {i18n.t('Unstick')}
        </Button>
      </div>
      {busy && <p className="muted">{i18n.t('One of their steps is running or waiting. Wait until it ends.')}</p>}
      {solve.error !== null && <FetchProblem error={solve.error} retry={() => solve.mutate(upTo)} />}
    </>
  )
}

interface RemovalProps {
  person: Participant
  remove: RoomChanges['remove']
  onClose: () => void
}

function Removal({ person, remove, onClose }: RemovalProps) {
  const [asked, setAsked] = useState(false)
  const removeNow = (): void => remove.mutate(person.id, { onSuccess: onClose })
  if (!asked) {
    return (
      <DialogButtons>
        <Button variant="subtle" onClick={() => setAsked(true)}>
          {i18n.t('Remove from the room')}
        </Button>
        <Button variant="default" onClick={onClose}>
          {i18n.t('Close')}
        </Button>
      </DialogButtons>
    )
  }
  return (
    <div className={`${classes.part} ruled break-anywhere`} role="alert">
      <h3 className="large">{i18n.t('Remove {name}?', { name: person.name })}</h3>
      <p>
        {i18n.t(
          'Their runs are cancelled, their testbed is closed, and their pages lose access at once. Their results stay in the history. They can’t come in again with the same code: open doors get new codes, and the invitation that they used lets nobody else in. People who are in already stay.',
        )}
      </p>
      {remove.error !== null && <FetchProblem error={remove.error} retry={removeNow} />}
      <DialogButtons>
        <Button variant="default" onClick={() => setAsked(false)}>
          {i18n.t('Keep')}
        </Button>
        <Button variant="danger" loading={remove.isPending} onClick={removeNow}>
          {i18n.t('Remove {name}', { name: person.name })}
        </Button>
      </DialogButtons>
    </div>
  )
}
