import { i18n } from '@expresslane/shared/base/language'
import { Button } from '../components/controls.tsx'
import type { Lab } from '@expresslane/shared/labs/lab'
import type { RoomView } from '@expresslane/shared/wire/board'
import { IconListSearch, IconMessage } from '../icons.tsx'
import { useState } from 'react'
import { Link } from 'react-router'
import { HandsUp } from '../help/index.tsx'
import { useRoomChanges, type RoomChanges } from '../api/room.ts'
import { Card, Empty } from '../components/card.tsx'
import { Dialog, DialogButtons } from '../components/dialog/dialog.tsx'
import { SelectField } from '../components/select-field.tsx'
import classes from './board.module.css'
import { DoorsCard } from './entry/doors-card.tsx'
import { ExportMenu } from './export-menu.tsx'
import { Crowded } from './people/crowded.tsx'
import { MessageForm } from './message-form.tsx'
import { PeopleList } from './people/people-list.tsx'
import { PersonDialog } from './people/person-dialog.tsx'
import { QueueCard } from './queue-card.tsx'
import { StepsList } from './results/steps-list.tsx'
import { ResultsPlot } from './results/results-plot.tsx'
import { busiestLab, countKinds, orders, standings, type BoardOrder, type Standing } from './standing.ts'

const orderNames: Readonly<Record<BoardOrder, string>> = {
  name: /*i18n*/ 'by name',
  help: /*i18n*/ 'who needs help first',
  result: /*i18n*/ 'by result',
}

interface BoardProps {
  room: RoomView
  labs: readonly Lab[]
  /** When the board was read, in milliseconds since the epoch. */
  at: number
}

/** The instructor's board: who is where, who waits, everybody's results, and how people come in. */
export function Board({ room, labs, at }: BoardProps) {
  const changes = useRoomChanges()
  const [chosenLab, setChosenLab] = useState<string | null>(null)
  const [order, setOrder] = useState<BoardOrder>('name')
  const [opened, setOpened] = useState<string | null>(null)
  const labId = chosenLab ?? busiestLab(labs, room)
  const lab = labs.find(({ id }) => id === labId) ?? null
  const lines = lab === null ? [] : standings(lab, room, order)
  const figures = room.labs.find((one) => one.labId === labId)
  const person = room.participants.find(({ id }) => id === opened)
  const close = (): void => {
    setOpened(null)
    changes.jump.reset()
    changes.message.reset()
    changes.remove.reset()
  }
  return (
    <div className={`${classes.board} stack apart`}>
      <Header room={room} lab={lab} changes={changes} />
      <div className="stack apart">
        <Crowded crowded={room.crowded} limit={room.limit} allow={changes.allowFrom} />
        <Card labelledBy="people">
          <div className={`${classes.head} row between`}>
            <h2 id="people" className="heading">
              {i18n.t('Participants')}
            </h2>
            <div className={`${classes.choices} row wide`}>
              <SelectField
                label={i18n.t('Lab')}
                value={labId ?? ''}
                options={labs.map(({ id, title }) => [id, title])}
                onChange={setChosenLab}
              />
              <SelectField
                label={i18n.t('Order')}
                value={order}
                options={orders.map((one) => [one, i18n.t(orderNames[one])])}
                onChange={(value) => setOrder(orders.find((one) => one === value) ?? 'name')}
              />
            </div>
          </div>
          {room.participants.length === 0 || lab === null ? (
            <Empty title={i18n.t('Nobody has joined yet')}>
              {i18n.t('Open the door for participants, and show its code.')}
            </Empty>
          ) : (
            <div className="stack apart">
              <Counts lines={lines} />
              {figures !== undefined && <StepsList lab={lab} figures={figures} />}
              <ResultsPlot lab={lab} lines={lines} />
              <PeopleList lines={lines} at={at} onOpen={setOpened} />
            </div>
          )}
        </Card>
      </div>
      <aside className="stack apart" aria-label={i18n.t('Hands, queue and doors')}>
        <HandsUp labs={labs} />
        <QueueCard queue={room.queue} labs={labs} at={at} changes={changes} />
        <DoorsCard doors={room.doors} change={changes.door} />
      </aside>
      {person !== undefined && (
        <PersonDialog key={person.id} person={person} labs={labs} at={at} changes={changes} onClose={close} />
      )}
    </div>
  )
}

interface HeaderProps {
  room: RoomView
  lab: Lab | null
  changes: RoomChanges
}

function Header({ room: { participants, limit, followers }, lab, changes }: HeaderProps) {
  const [writing, setWriting] = useState(false)
  const online = participants.filter((one) => one.online).length
  return (
    <div className="row wide all-columns">
      <h1>{i18n.t('The room')}</h1>
      <p className={`${classes.summary} muted numbers`}>
        {i18n.t(
          '{participants} of {limit} participants, {online} online. {followers, plural, one {# follower} other {# followers}}.',
          { participants: participants.length, limit, online, followers },
        )}
      </p>
      <div className="row">
        <Button
          variant="default"
          leftSection={<IconMessage size={18} stroke={1.8} aria-hidden />}
          disabled={participants.length === 0}
          onClick={() => setWriting(true)}
        >
          {i18n.t('Message to all')}
        </Button>
        {lab !== null && <ExportMenu lab={lab} />}
        <Button
          variant="subtle"
          leftSection={<IconListSearch size={18} stroke={1.8} aria-hidden />}
          component={Link}
          to="/room/audit"
        >
          {i18n.t('Audit log')}
        </Button>
      </div>
      {writing && (
        <Dialog title={i18n.t('Message to all participants')} onClose={() => setWriting(false)}>
          <MessageForm to={null} name={i18n.t('everybody')} send={changes.message} />
          <DialogButtons>
            <Button variant="default" onClick={() => setWriting(false)}>
              {i18n.t('Close')}
            </Button>
          </DialogButtons>
        </Dialog>
      )}
    </div>
  )
}

/** How many people are in each state, people who need something first. */
function Counts({ lines }: { lines: readonly Standing[] }) {
  const { failed, waiting, running, idle, absent, finished } = countKinds(lines)
  const counts: readonly (readonly [string, number, string])[] = [
    ['failed', failed, i18n.t('{failed, plural, one {check failed} other {checks failed}}', { failed })],
    ['waiting', waiting, i18n.t('in line')],
    ['running', running, i18n.t('{running, plural, one {running} other {running}}', { running })],
    ['idle', idle, i18n.t('{idle, plural, one {reading} other {reading}}', { idle })],
    ['absent', absent, i18n.t('not started')],
    ['finished', finished, i18n.t('done')],
  ]
  return (
    <ul role="list" className="row wide" aria-label={i18n.t('Where everybody is')}>
      {counts
        .filter(([, count]) => count > 0)
        .map(([kind, count, words]) => (
          <li key={kind} className={kind === 'failed' ? 'bad' : kind === 'finished' ? 'good' : ''}>
            <strong className="large numbers">{count}</strong> {words}
          </li>
        ))}
    </ul>
  )
}
