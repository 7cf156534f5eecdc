/** The emulated computer in this tab: its worker, its sessions and the events of its runs. */
import { LabError } from '@expresslane/shared/base/errors'
import { i18n } from '@expresslane/shared/base/language'
import type { Lab, RunId } from '@expresslane/shared/labs/lab'
import type { LoggedEvent } from '@expresslane/shared/run/events'
import { createFold } from '@expresslane/shared/run/fold'
import type { RunState } from '@expresslane/shared/run/run-state'
import { thisTab } from '@expresslane/shared/testbed/id'
import type { DatapathState } from '@expresslane/shared/testbed/reading'
import type { Session } from '@expresslane/shared/wire/protocol'
import {
  tabLabs,
  type MachineFiles,
  type SavedMachine,
  type TabMessage,
  type TabQuestions,
} from '@expresslane/shared/wire/tab'
import type { Store } from '../api/store.ts'
import { connectInTab, type SocketEvents } from '../terminal/connection.ts'
import { createAsker, type Asker } from './asker.ts'
import { lineAt, measuredIn, type RunSource } from './source.ts'

export interface ComputerSource extends RunSource {
  events(run: RunId): readonly LoggedEvent[]
}

export interface Computer extends Pick<Asker<TabQuestions>, 'ask'> {
  /** Begins a lab, or goes on with it. @throws LabError */
  begin(lab: string): Promise<Session>
  /** The runs of each session, named by its id. */
  sources(): readonly ComputerSource[]
  /** Ends the computer, and with it its sessions. */
  end(): void
}

type News = Exclude<TabMessage, { number: number }>

/** The files of a page from a disk, where a page may fetch none: the script of the worker, and what that would fetch. */
export interface MachineOnDisk {
  readonly worker: string
  readonly files: MachineFiles
}

export interface ComputerOptions {
  readonly machine: SavedMachine
  /** Null on a host. */
  readonly disk: MachineOnDisk | null
  readonly labs: readonly Lab[]
  readonly store: Pick<Store, 'events' | 'news' | 'openSession' | 'replaceRuns'>
  /** Called when the computer has ended. */
  onEnd(): void
}

/** Names what the browser lacks. @throws LabError `testbed_unavailable` */
export function requireAbilities(): void {
  if (typeof WebAssembly === 'object' && typeof Worker === 'function') return
  throw new LabError(
    'testbed_unavailable',
    i18n.t('This browser can’t emulate a computer: WebAssembly is missing or switched off.'),
    i18n.t('Allow WebAssembly for this page, or open the page in another browser.'),
  )
}

function stopped(): LabError {
  return new LabError(
    'testbed_gone',
    i18n.t('The emulated computer was stopped.'),
    i18n.t('Press “Try it here” on the start page.'),
  )
}

function broken(reason: string): LabError {
  return new LabError(
    'testbed_unavailable',
    i18n.t('The emulated computer can’t run in this tab.'),
    i18n.t(
      'Close other tabs: the computer needs 400 MB of memory. Then try again, or open the page in another browser.',
    ),
    { detail: reason },
  )
}

function startWorker(disk: MachineOnDisk | null, edition: string): Worker {
  if (disk === null) return new Worker(`machine/worker.js?${edition}`)
  const address = URL.createObjectURL(new Blob([disk.worker], { type: 'text/javascript' }))
  try {
    return new Worker(address)
  } finally {
    URL.revokeObjectURL(address)
  }
}

/** The events of a session's runs. */
type Runs = Map<RunId, LoggedEvent[]>

function stateOf(events: readonly LoggedEvent[]): RunState | null {
  const fold = createFold()
  for (const logged of events) fold.add(logged)
  return fold.state()
}

function sourceOf(session: Session, title: string, runs: Runs): ComputerSource {
  const ids = [...runs.keys()]
  return {
    name: session.id,
    title,
    lab: session.labId,
    runs: ids,
    get measured() {
      return measuredIn([...runs.values()].flatMap((events) => stateOf(events) ?? []))
    },
    sessionOf: () => session,
    events: (run) => runs.get(run) ?? [],
    whole: (run) => Promise.resolve(stateOf(runs.get(run) ?? [])),
    lines: (run) => Promise.resolve((runs.get(run) ?? []).flatMap(lineAt)),
  }
}

/** Starts the computer. @throws LabError `testbed_unavailable` */
export async function startComputer({ machine, disk, labs, store, onEnd }: ComputerOptions): Promise<Computer> {
  const sessions = new Map<string, { readonly session: Session; readonly runs: Runs }>()
  const owners = new Map<RunId, Runs>()
  let incarnation = ''

  const terminals = new Map<string, SocketEvents>()

  function follow(events: readonly LoggedEvent[]): void {
    for (const logged of events) {
      const { runId, event } = logged
      if (event.type === 'run.started') owners.set(runId, sessions.get(event.sessionId)?.runs ?? new Map())
      const runs = owners.get(runId)
      const known = runs?.get(runId)
      if (known === undefined) runs?.set(runId, [logged])
      else known.push(logged)
      if (event.type === 'run.started') ({ incarnation } = event)
      if (event.type === 'datapath.read') showPath(event.datapath)
    }
    store.events(events)
  }

  const showPath = (datapath: DatapathState): void =>
    store.news({ type: 'live', testbed: thisTab, incarnation, datapath, problem: null })

  function hear(news: News): void {
    if ('events' in news) follow(news.events)
    else if ('datapath' in news) showPath(news.datapath)
    else terminals.get(news.terminal)?.message(news.data)
  }

  /** Its runs go on no more, so the page does not show them any more. */
  function forget(): void {
    for (const id of sessions.keys()) store.replaceRuns(id, [])
    for (const events of terminals.values()) events.close()
    onEnd()
  }

  const asker = createAsker<TabQuestions>(
    startWorker(disk, machine.edition),
    broken,
    (news) => hear(news as News),
    forget,
  )
  const files = disk?.files ?? null
  const runnable = labs.filter(({ id }) => tabLabs.includes(id))
  try {
    await asker.ask('open', { machine, files, labs: runnable }, files === null ? [] : Object.values(files))
  } catch (error) {
    asker.end(stopped())
    throw error
  }

  connectInTab((id, after, events) => {
    terminals.set(id, events)
    const ended = ({ message }: Error): void => events.message(JSON.stringify({ type: 'ended', message }))
    asker.ask('watchTerminal', { id, after }).then(events.open, ended)
    return {
      // It can end before it has the message.
      send: (text) => void asker.ask('typeTerminal', { id, text }).catch(() => {}),
      close: () => void (terminals.get(id) === events && terminals.delete(id)),
    }
  })

  return {
    ask: asker.ask,
    async begin(lab) {
      const view = await asker.ask('begin', { lab })
      const { session } = view
      if (!sessions.has(session.id)) sessions.set(session.id, { session, runs: new Map() })
      store.openSession(view)
      return session
    },
    sources: () =>
      [...sessions.values()].map(({ session, runs }) =>
        sourceOf(session, labs.find(({ id }) => id === session.labId)?.title ?? session.labId, runs),
      ),
    end() {
      asker.end(stopped())
      forget()
    },
  }
}
