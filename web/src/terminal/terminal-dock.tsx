/** Terminals at the bottom of the window, beside the step: a tab for each. */
import { i18n } from '@expresslane/shared/base/language'
import { thisTab, type TestbedId } from '@expresslane/shared/testbed/id'
import {
  closeTerminal,
  listTerminals,
  openTerminal,
  type TerminalsView,
  type TerminalView,
} from '@expresslane/shared/wire/terminal'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useLive } from '../api/live.tsx'
import { call } from '../api/request.ts'
import { Button, Checkbox, IconButton } from '../components/controls.tsx'
import { FetchProblem } from '../components/problem-notice.tsx'
import { useStored } from '../components/stored.ts'
import { IconPlus, IconX } from '../icons.tsx'
import { terminalsKey } from './connection.ts'
import { TerminalPanel } from './terminal-panel.tsx'
import classes from './terminal-dock.module.css'

interface TerminalDockProps {
  testbed: TestbedId
  onClose: () => void
}

function useTerminals(testbed: TestbedId) {
  const client = useQueryClient()
  const queryKey = terminalsKey(testbed)
  const query = useQuery({ queryKey, queryFn: () => call(listTerminals, { params: { id: testbed } }) })
  const again = (): Promise<void> => client.invalidateQueries({ queryKey })
  const opening = useMutation({
    mutationFn: (place: string) =>
      call(openTerminal, { params: { id: testbed }, body: { place, rows: 24, columns: 80 } }),
    onSettled: again,
  })
  const ending = useMutation({
    mutationFn: (id: string) => call(closeTerminal, { params: { id } }),
    onSettled: again,
  })
  return { query, opening, ending, again }
}

/** The dock; its terminals go on when it is closed. */
export function TerminalDock({ testbed, onClose }: TerminalDockProps) {
  const { query, opening, ending, again } = useTerminals(testbed)
  const [chosen, choose] = useState<string | null>(null)
  const [spoken, speak] = useStored('terminal-spoken')
  const tabs = useRef<HTMLDivElement>(null)
  const failed = [query, opening, ending].find(({ error }) => error !== null)
  const terminals = query.data?.terminals ?? []
  const shown = terminals.find(({ id }) => id === chosen) ?? terminals.at(-1) ?? null
  const isRunning = useLive(({ runs }) =>
    [...runs.values()].some((run) => run.testbed === thisTab && run.state === 'running'),
  )
  const open = (place: string): void => opening.mutate(place, { onSuccess: ({ id }) => choose(id) })
  return (
    <section className={classes.dock} aria-label={i18n.t('Terminals')}>
      <div className={classes.bar}>
        <div className={classes.tabs} ref={tabs}>
          {terminals.map((one) => (
            <Tab
              key={one.id}
              of={one}
              isShown={one.id === shown?.id}
              show={() => choose(one.id)}
              end={() => ending.mutate(one.id)}
            />
          ))}
          {query.data !== undefined && <PlaceChoice view={query.data} pending={opening.isPending} open={open} />}
          <Checkbox
            label={i18n.t('Read output aloud')}
            checked={spoken === 'yes'}
            onChange={({ currentTarget }) => speak(currentTarget.checked ? 'yes' : 'no')}
          />
        </div>
        <IconButton aria-label={i18n.t('Hide the terminals; they go on')} title={i18n.t('Hide')} onClick={onClose}>
          <IconX size={18} aria-hidden />
        </IconButton>
      </div>
      {testbed === thisTab && isRunning && (
        <p role="status" className="muted">
          {i18n.t('A step is running: the terminals wait until it has ended.')}
        </p>
      )}
      {failed !== undefined && <FetchProblem error={failed.error} retry={() => void again()} />}
      {query.data?.refusal !== null && query.data !== undefined && <p className="muted">{query.data.refusal}</p>}
      {shown !== null && (
        <TerminalPanel key={`${shown.id} ${spoken}`} of={shown} spoken={spoken === 'yes'} tabs={tabs} />
      )}
      {shown === null && query.data?.refusal === null && (
        <p className="muted">
          {i18n.t(
            'A shell at a place of the path, with the programs of the labs. Choose a place. Esc Esc leaves a terminal.',
          )}
        </p>
      )}
    </section>
  )
}

interface TabProps {
  of: TerminalView
  isShown: boolean
  show: () => void
  end: () => void
}

function Tab({ of, isShown, show, end }: TabProps) {
  return (
    <span className={classes.tab} data-shown={isShown || undefined}>
      <button type="button" aria-current={isShown} onClick={show}>
        {of.place}
      </button>
      <button
        type="button"
        aria-label={i18n.t('End the terminal at {place}', { place: of.place })}
        title={i18n.t('End')}
        onClick={end}
      >
        <IconX size={14} aria-hidden />
      </button>
    </span>
  )
}

interface PlaceChoiceProps {
  view: TerminalsView
  pending: boolean
  open: (place: string) => void
}

function PlaceChoice({ view: { places }, pending, open }: PlaceChoiceProps) {
  return (
    <>
      {places.map((place) => (
        <Button
          key={place}
          variant="subtle"
          size="compact-md"
          leftSection={<IconPlus size={16} aria-hidden />}
          aria-label={i18n.t('Open a terminal at {place}', { place })}
          title={i18n.t('Open a terminal at {place}', { place })}
          disabled={pending}
          onClick={() => open(place)}
        >
          {place}
        </Button>
      ))}
    </>
  )
}
