/** The recordings that are open in this tab, and the store that the pages read them from. */
import { LabError, toLabError, type Problem } from '@expresslane/shared/base/errors'
import { i18n } from '@expresslane/shared/base/language'
import type { Session } from '@expresslane/shared/wire/protocol'
import type { SavedMachine } from '@expresslane/shared/wire/tab'
import { answerInTab } from '../api/request.ts'
import { createPageStore } from '../api/live.tsx'
import type { Store } from '../api/store.ts'
import { recordingsInAddress, resultAddress, sourceOf, type Source, type Wanted } from './address.ts'
import { answersFrom } from './answers.ts'
import type { Opened } from './file/questions.ts'
import { openFile, startReader } from './file/reader.ts'
import { createPlayer, type Player } from './player.ts'
import { kindOfFile } from './report/kind.ts'
import type { OpenReport } from './report/open-report.ts'
import type { Computer } from './computer.ts'
import type { Shipped } from './shipped.ts'

export interface Tab {
  readonly store: Store
  players(): readonly Player[]
  reports(): readonly OpenReport[]
  subscribe(listener: () => void): () => void
  /** Opens a recording at its result, or a report; a file that is open already stays as it is. @throws LabError */
  open(source: Source): Promise<Player | OpenReport>
  close(shown: Player | OpenReport): void
  /** The emulated computer; null if it does not run. */
  computer(): Computer | null
  /** Begins a lab on the emulated computer, which starts with the first lab. @throws LabError */
  tryHere(lab: string): Promise<Session>
  stopComputer(): void
}

function refusedAddress(url: string, why: string, cause: unknown): LabError {
  return new LabError(
    'not_found',
    i18n.t('The recording at {url} can’t be read: {why}.', { url, why }),
    i18n.t(
      'The server of that address decides who may read the file: it must send the header Access-Control-Allow-Origin (CORS). Download the file and open it here instead.',
    ),
    { cause },
  )
}

async function bytesFrom(url: string): Promise<Uint8Array<ArrayBuffer>> {
  let response: Response
  try {
    response = await fetch(url, { credentials: 'omit', referrerPolicy: 'no-referrer' })
  } catch (cause) {
    throw refusedAddress(url, i18n.t('the browser was refused, or found no server'), cause)
  }
  if (!response.ok) throw refusedAddress(url, i18n.t('status {status}', { status: response.status }), null)
  return new Uint8Array(await response.arrayBuffer())
}

interface OwnComputerParts {
  readonly shipped: Shipped
  readonly store: Store
  changed(): void
}

/** The emulated computer of a tab: one at a time. */
function createOwnComputer({ shipped, store, changed }: OwnComputerParts) {
  let starting: Promise<Computer> | null = null
  let computer: Computer | null = null

  function ended(): void {
    starting = computer = null
    changed()
  }

  async function start(machine: SavedMachine): Promise<Computer> {
    const { requireAbilities, startComputer } = await import('./computer.ts')
    requireAbilities()
    const { labs } = await shipped.labs(document.documentElement.lang)
    return startComputer({ machine, disk: await shipped.machineOnDisk(), labs, store, onEnd: ended })
  }

  return {
    computer: () => computer,
    async tryHere(lab: string): Promise<Session> {
      if (shipped.machine === null) throw new Error('this site has no computer')
      starting ??= start(shipped.machine)
      try {
        computer = await starting
      } catch (error) {
        ended()
        throw error
      }
      changed()
      return computer.begin(lab)
    },
    stopComputer: () => computer?.end(),
  }
}

/** @param preload loads the pages of a recording, while the recording opens */
export function createTab(shipped: Shipped, preload: () => void): Tab {
  // Nothing is lost on the way from a worker.
  const store = createPageStore(() => undefined)
  const listeners = new Set<() => void>()
  let players: readonly Player[] = []
  let reports: readonly OpenReport[] = []

  function change(now: { players?: readonly Player[]; reports?: readonly OpenReport[] }): void {
    players = now.players ?? players
    reports = now.reports ?? reports
    for (const listener of listeners) listener()
  }

  async function bytesOf(source: Source): Promise<Uint8Array<ArrayBuffer>> {
    if ('shipped' in source) return shipped.recording(source.shipped)
    if ('url' in source) return bytesFrom(source.url)
    return new Uint8Array(await source.file.arrayBuffer())
  }

  async function openReport(kind: 'report' | 'result', bytes: Uint8Array, url: string | null): Promise<OpenReport> {
    const { readReport, readResult } = await import('./report/read-report.ts')
    const read = kind === 'report' ? readReport(bytes) : readResult(bytes)
    const report = url === null ? read : { ...read, name: url }
    const same = reports.find(({ id }) => id === report.id)
    if (same === undefined) change({ reports: [...reports, report] })
    return same ?? report
  }

  async function open(source: Source): Promise<Player | OpenReport> {
    const id = 'shipped' in source ? source.shipped : null
    const known = players.find(({ opened }) => opened.view.id === id)
    if (known !== undefined) return known
    preload()
    // Its worker starts while the file loads.
    const reader = startReader()
    const url = 'url' in source ? source.url : null
    let opened: Opened
    try {
      const bytes = await bytesOf(source)
      const kind = kindOfFile(bytes, 'file' in source ? source.file.name : (url ?? ''))
      if (kind !== null) {
        reader.close()
        return await openReport(kind, bytes, url)
      }
      opened = await openFile(reader, bytes, id)
    } catch (error) {
      reader.close()
      throw error
    }
    const same = players.find((one) => one.opened.view.id === opened.view.id)
    if (same !== undefined) {
      reader.close()
      return same
    }
    const player = createPlayer(url ?? opened.view.id, opened, reader, {
      store,
      now: () => performance.now(),
      every(ms, callback) {
        const timer = setInterval(callback, ms)
        return () => clearInterval(timer)
      },
    })
    await player.seek(opened.result.to)
    change({ players: [...players, player] })
    return player
  }

  const { computer, tryHere, stopComputer } = createOwnComputer({ shipped, store, changed: () => change({}) })

  answerInTab(
    answersFrom({
      computer,
      players: () => players,
      reports: () => reports,
      labs: shipped.labs,
      version: shipped.version,
      shown: (run) => store.snapshot().runs.get(run) ?? null,
    }),
  )
  store.connection('live')

  return {
    store,
    players: () => players,
    reports: () => reports,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    open,
    close(shown) {
      if ('opened' in shown) {
        shown.close()
        store.replaceRuns(shown.opened.sessionId, [])
      }
      change({ players: players.filter((one) => one !== shown), reports: reports.filter((one) => one !== shown) })
    },
    computer,
    async tryHere(lab) {
      preload()
      return tryHere(lab)
    },
    stopComputer,
  }
}

/** Opens the recordings of the page's address. Without all of them the page shows the start page instead of the linked page. */
export async function openAddressed(tab: Tab): Promise<Wanted> {
  const path = location.hash.slice(1)
  const files: string[] = []
  const problems: Problem[] = []
  const shown: (Player | OpenReport)[] = []
  for (const name of recordingsInAddress(location.search)) {
    const source = sourceOf(name)
    if (source === null) files.push(name)
    else
      await tab.open(source).then(
        (one) => shown.push(one),
        (error: unknown) => problems.push(toLabError(error).toProblem()),
      )
  }
  const [first] = shown
  const complete = files.length === 0 && problems.length === 0
  if (!complete) location.hash = '/'
  else if (first !== undefined && ['', '/'].includes(path)) location.hash = resultAddress(first)
  return { path, files, problems }
}
