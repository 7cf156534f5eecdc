/** The recordings that are open in this tab, and the store that the pages read them from. */
import { LabError, toLabError, type Problem } from '@expresslane/shared/base/errors'
import { i18n } from '@expresslane/shared/base/language'
import type { Session } from '@expresslane/shared/wire/protocol'
import type { SavedMachine } from '@expresslane/shared/wire/tab'
import { answerInTab } from '../api/request.ts'
import { createPageStore } from '../api/live.tsx'
import type { Store } from '../api/store.ts'
import { addressOf, recordingsInAddress, sourceOf, type Source, type Wanted } from './address.ts'
import { answersFrom } from './answers.ts'
import { openReader } from './file/reader.ts'
import { createPlayer, type Player } from './player.ts'
import type { Computer } from './computer.ts'
import type { Shipped } from './shipped.ts'

export interface Tab {
  readonly store: Store
  players(): readonly Player[]
  subscribe(listener: () => void): () => void
  /** Opens a recording and shows its result; a recording that is open already stays as it is. @throws LabError */
  open(source: Source): Promise<Player>
  close(player: Player): void
  /** The emulated computer; null if it was not started, or has been stopped. */
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

/** @param preload loads the pages of a recording, while the recording opens */
export function createTab(shipped: Shipped, preload: () => void): Tab {
  // Nothing is lost on the way from a worker.
  const store = createPageStore(() => undefined)
  const listeners = new Set<() => void>()
  let players: readonly Player[] = []
  let starting: Promise<Computer> | null = null
  let computer: Computer | null = null

  function change(now: readonly Player[]): void {
    players = now
    for (const listener of listeners) listener()
  }

  async function bytesOf(source: Source): Promise<Uint8Array<ArrayBuffer>> {
    if ('shipped' in source) return shipped.recording(source.shipped)
    if ('url' in source) return bytesFrom(source.url)
    return new Uint8Array(await source.file.arrayBuffer())
  }

  async function open(source: Source): Promise<Player> {
    const id = 'shipped' in source ? source.shipped : null
    const known = players.find(({ opened }) => opened.view.id === id)
    if (known !== undefined) return known
    preload()
    const { reader, opened } = await openReader(bytesOf(source), id)
    const same = players.find((one) => one.opened.view.id === opened.view.id)
    if (same !== undefined) {
      reader.close()
      return same
    }
    const name = 'url' in source ? source.url : opened.view.id
    const player = createPlayer(name, opened, reader, {
      store,
      now: () => performance.now(),
      every(ms, callback) {
        const timer = setInterval(callback, ms)
        return () => clearInterval(timer)
      },
    })
    await player.seek(opened.result.to)
    change([...players, player])
    return player
  }

  async function start(machine: SavedMachine): Promise<Computer> {
    const { startComputer } = await import('./computer.ts')
    const { labs } = await shipped.labs(document.documentElement.lang)
    return startComputer({ machine, disk: await shipped.machineOnDisk(), labs, store })
  }

  function stopComputer(): void {
    computer?.end()
    starting = computer = null
    change(players)
  }

  answerInTab(
    answersFrom({
      computer: () => computer,
      players: () => players,
      labs: shipped.labs,
      version: shipped.version,
      shown: (run) => store.snapshot().runs.get(run) ?? null,
    }),
  )
  store.connection('live')

  return {
    store,
    players: () => players,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    open,
    close(player) {
      player.close()
      store.replaceRuns(player.opened.sessionId, [])
      change(players.filter((one) => one !== player))
    },
    computer: () => computer,
    async tryHere(lab) {
      if (shipped.machine === null) throw new Error('this site has no computer')
      preload()
      starting ??= start(shipped.machine)
      try {
        computer = await starting
      } catch (error) {
        starting = null
        throw error
      }
      const session = await computer.begin(lab)
      change(players)
      return session
    },
    stopComputer,
  }
}

/** Opens the recordings of the page's address. Without all of them the page shows the start page instead of the linked page. */
export async function openAddressed(tab: Tab): Promise<Wanted> {
  const path = location.hash.slice(1)
  const files: string[] = []
  const problems: Problem[] = []
  const players: Player[] = []
  for (const name of recordingsInAddress(location.search)) {
    const source = sourceOf(name)
    if (source === null) files.push(name)
    else
      await tab.open(source).then(
        (player) => players.push(player),
        (error: unknown) => problems.push(toLabError(error).toProblem()),
      )
  }
  const [first] = players
  const complete = files.length === 0 && problems.length === 0
  if (!complete) location.hash = '/'
  else if (first !== undefined && ['', '/'].includes(path))
    location.hash = addressOf(first.opened, first.opened.result.stepId)
  return { path, files, problems }
}
