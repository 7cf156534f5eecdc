/** The emulated computer in this tab: its worker, its sessions and the events of its runs. */
import { LabError } from '@expresslane/shared/base/errors'
import { i18n } from '@expresslane/shared/base/language'
import type { Lab, RunId } from '@expresslane/shared/labs/lab'
import type { LoggedEvent } from '@expresslane/shared/run/events'
import { createFold } from '@expresslane/shared/run/fold'
import type { RunState } from '@expresslane/shared/run/run-state'
import type { Session } from '@expresslane/shared/wire/protocol'
import {
  tabLabs,
  type MachineFiles,
  type SavedMachine,
  type TabMessage,
  type TabQuestions,
} from '@expresslane/shared/wire/tab'
import type { Store } from '../api/store.ts'
import { createAsker, type Asker } from './asker.ts'

export interface Computer extends Pick<Asker<TabQuestions>, 'ask'> {
  /** Begins a lab, or goes on with it. @throws LabError */
  begin(lab: string): Promise<Session>
  session(id: string): Session | null
  /** The ids of a session's runs, oldest first. */
  runsOf(session: string): readonly RunId[]
  /** Null for a run of anybody else. */
  sessionOf(run: string): Session | null
  events(run: string): readonly LoggedEvent[]
  whole(run: string): RunState | null
  /** Ends the computer. Its results stay in the tab. */
  end(): void
}

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
  readonly store: Pick<Store, 'events' | 'openSession'>
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

function startWorker(disk: MachineOnDisk | null): Worker {
  if (disk === null) return new Worker('machine/worker.js')
  const address = URL.createObjectURL(new Blob([disk.worker], { type: 'text/javascript' }))
  try {
    return new Worker(address)
  } finally {
    URL.revokeObjectURL(address)
  }
}

/** Starts the computer. @throws LabError `testbed_unavailable` */
export async function startComputer({ machine, disk, labs, store }: ComputerOptions): Promise<Computer> {
  requireAbilities()
  const events = new Map<string, LoggedEvent[]>()
  const sessions = new Map<string, Session>()
  const owners = new Map<string, string>()

  function follow(news: Extract<TabMessage, { events: unknown }>): void {
    for (const logged of news.events) {
      const known = events.get(logged.runId) ?? []
      known.push(logged)
      events.set(logged.runId, known)
      if (logged.event.type === 'run.started') owners.set(logged.runId, logged.event.sessionId)
    }
    store.events(news.events)
  }

  const asker = createAsker<TabQuestions, Extract<TabMessage, { events: unknown }>>(startWorker(disk), broken, follow)
  try {
    await asker.ask('open', {
      machine,
      files: disk?.files ?? null,
      labs: labs.filter(({ id }) => tabLabs.includes(id)),
    })
  } catch (error) {
    asker.end(stopped())
    throw error
  }

  return {
    ask: asker.ask,
    async begin(lab) {
      const view = await asker.ask('begin', { lab })
      sessions.set(view.session.id, view.session)
      store.openSession(view)
      return view.session
    },
    session: (id) => sessions.get(id) ?? null,
    runsOf: (session) => [...owners].flatMap(([run, owner]) => (owner === session ? [run] : [])),
    sessionOf: (run) => sessions.get(owners.get(run) ?? '') ?? null,
    events: (run) => events.get(run) ?? [],
    whole(run) {
      const fold = createFold()
      for (const logged of events.get(run) ?? []) fold.add(logged)
      return fold.state()
    },
    end: () => asker.end(stopped()),
  }
}
