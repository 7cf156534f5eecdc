/** The open terminals: each goes on without a page, and keeps its last output for the page that comes back. */
import { randomInt } from 'node:crypto'
import { LabError } from '@expresslane/shared/base/errors'
import type { TestbedId } from '@expresslane/shared/testbed/id'
import type { TerminalSize, TerminalView } from '@expresslane/shared/wire/terminal'
import type { Clock } from '../runs/clock.ts'
import type { Terminal } from '../testbeds/terminal.ts'
import type { LabTestbed } from '../runs/perform/perform.ts'
import { createScrollback, type Scrollback } from './scrollback.ts'

/** Open terminals of a person on a testbed. */
const MOST = 8
/** Output that is kept of each. */
const KEPT_BYTES = 256 * 1024
/** Output of a terminal within a second; what comes then waits. A full screen has some 10 kB. */
const SECOND_BYTES = 512 * 1024
const SECOND_MS = 1000
/** Pages at a terminal. */
const MOST_PAGES = 8
/** The programs of a terminal draw the whole screen again for each size. */
const RESIZE_MS = 50
/** A command is over soon after its line: then the path may have changed. Longer commands show with the next regular reading. */
const COMMAND_MS = 150
/** After how long without a page a terminal ends. */
const ALONE_MS = 3_600_000

/** A page at a terminal. */
export interface Viewer {
  output(bytes: Buffer): void
  resized(size: TerminalSize): void
  /** Called last. @param message in words for people */
  ended(message: string): void
}

export interface Terminals {
  /** @throws LabError `queue_full` with too many, `testbed_unavailable` on a testbed without terminals; the testbed's errors */
  open(person: string, testbed: TestbedId, place: string, size: TerminalSize): Promise<TerminalView>
  of(person: string, testbed: TestbedId): TerminalView[]
  /** @throws LabError `not_found` for a terminal that is not the person's, or has ended */
  require(person: string, id: string): OpenTerminal
  /** Called when a terminal opens or ends. @returns unsubscribes */
  subscribe(listener: () => void): () => void
}

export interface OpenTerminal {
  readonly view: TerminalView
  /**
   * Sends the output from a byte on, and then what comes.
   *
   * @param after undefined for all that is kept
   * @returns the first byte that is sent, the present size, and a function that leaves
   */
  watch(
    viewer: Viewer,
    after: number | undefined,
  ): { readonly byte: number; readonly size: TerminalSize; readonly leave: () => void }
  /** Resolves when the terminal has taken it. */
  type(text: string): Promise<void>
  /** The last of several sizes at once counts. */
  resize(size: TerminalSize): void
  end(): Promise<void>
}

function noTerminal(): LabError {
  return new LabError('not_found', 'This terminal has ended.', 'Open another terminal.')
}

/** @returns takes bytes: undefined below the limit, else a promise that resolves when more may come */
function createPace(clock: Clock): (bytes: number) => Promise<void> | undefined {
  let [spent, begun] = [0, clock.now()]
  return (bytes) => {
    if (clock.now() - begun >= SECOND_MS) [spent, begun] = [0, clock.now()]
    spent += bytes
    if (spent < SECOND_BYTES) return undefined
    const { promise, resolve } = Promise.withResolvers<void>()
    clock.after(SECOND_MS, resolve)
    return promise
  }
}

/** @param ms how long values are held back @returns calls back with the last of them */
function createLatest<T>(clock: Clock, ms: number, take: (value: T) => void): (value: T) => void {
  let latest: { readonly value: T } | null = null
  return (value) => {
    if (latest === null) {
      clock.after(ms, () => {
        if (latest !== null) take(latest.value)
        latest = null
      })
    }
    latest = { value }
  }
}

function newId(): string {
  return `t_${Array.from({ length: 20 }, () => randomInt(36).toString(36)).join('')}`
}

/** The people at a terminal, and its output. */
function createAudience(clock: Clock, first: TerminalSize, alone: () => void) {
  const viewers = new Set<Viewer>()
  const kept: Scrollback = createScrollback(KEPT_BYTES)
  let isOver = false
  let takeBack = clock.after(ALONE_MS, alone)
  let size = first
  return {
    add(bytes: Buffer): void {
      kept.add(bytes)
      for (const viewer of viewers) viewer.output(bytes)
    },
    resize(next: TerminalSize): void {
      size = next
      for (const viewer of viewers) viewer.resized(next)
    },
    watch: ((viewer, after = 0) => {
      takeBack()
      const { byte, bytes } = kept.from(after)
      const [oldest] = viewers
      if (oldest !== undefined && viewers.size === MOST_PAGES) {
        viewers.delete(oldest)
        oldest.ended(`This terminal is open in ${MOST_PAGES} newer pages.`)
      }
      viewers.add(viewer)
      if (bytes.length > 0) queueMicrotask(() => viewer.output(bytes))
      return {
        byte,
        size,
        leave() {
          viewers.delete(viewer)
          if (viewers.size === 0 && !isOver) takeBack = clock.after(ALONE_MS, alone)
        },
      }
    }) satisfies OpenTerminal['watch'],
    end(message: string): void {
      takeBack()
      // Pages that leave now must not keep the output for an hour.
      isOver = true
      for (const viewer of viewers) viewer.ended(message)
    },
  }
}

/** The testbeds that have terminals. */
export interface WithTerminals {
  get(id: TestbedId): Promise<Pick<LabTestbed, 'terminals'>>
}

/** @param commanded called with a testbed after each command that is typed on it */
export function createTerminals(
  testbeds: WithTerminals,
  clock: Clock,
  commanded: (testbed: TestbedId) => void,
): Terminals {
  const open = new Map<string, OpenTerminal & { readonly person: string }>()
  const listeners = new Set<() => void>()
  let opening: { readonly person: string; readonly testbed: TestbedId }[] = []

  function of(person: string, testbed: TestbedId): TerminalView[] {
    const all = [...open.values()].filter((one) => one.person === person && one.view.testbed === testbed)
    return all.map(({ view }) => view)
  }

  function requireRoom(person: string, testbed: TestbedId): void {
    const soon = opening.filter((one) => one.person === person && one.testbed === testbed)
    if (of(person, testbed).length + soon.length < MOST) return
    throw new LabError('queue_full', `You already have ${MOST} terminals here.`, 'Close one of them first.')
  }

  function report(): void {
    for (const listener of listeners) listener()
  }

  async function untilEnded(id: string, closed: Terminal['closed'], say: (message: string) => void): Promise<void> {
    const { code, signal, why } = await closed
    open.delete(id)
    report()
    if (why !== undefined) say(why)
    else say(signal === null ? `The shell ended with ${code ?? 0}.` : 'The terminal was ended.')
  }

  async function start(person: string, testbed: TestbedId, place: string, size: TerminalSize): Promise<TerminalView> {
    const { terminals } = await testbeds.get(testbed)
    if (terminals === undefined) {
      throw new LabError('testbed_unavailable', 'There are no terminals on this testbed.', 'Choose another testbed.')
    }
    const view: TerminalView = { id: newId(), testbed, place, openedAt: clock.now() }
    const audience = createAudience(clock, size, () => void open.get(view.id)?.end())
    const pace = createPace(clock)
    const terminal = await terminals.open(
      {
        namespace: place,
        size,
        onOutput(bytes) {
          audience.add(bytes)
          return pace(bytes.length)
        },
      },
      { signal: AbortSignal.timeout(60_000), emit: () => {} },
    )
    const afterCommand = createLatest(clock, COMMAND_MS, commanded)
    open.set(view.id, {
      person,
      view,
      watch: audience.watch,
      type(text) {
        if (/[\r\n]/.test(text)) afterCommand(testbed)
        return terminal.write(Buffer.from(text, 'utf8'))
      },
      resize: createLatest(clock, RESIZE_MS, (next) => {
        terminal.resize(next)
        audience.resize(next)
      }),
      end: terminal.end,
    })
    report()
    void untilEnded(view.id, terminal.closed, audience.end)
    return view
  }

  return {
    async open(person, testbed, place, size) {
      requireRoom(person, testbed)
      const mine = { person, testbed }
      opening.push(mine)
      try {
        return await start(person, testbed, place, size)
      } finally {
        opening = opening.filter((one) => one !== mine)
      }
    },
    of,
    require(person, id) {
      const found = open.get(id)
      if (found?.person !== person) throw noTerminal()
      return found
    },
    subscribe(listener) {
      const subscribed = (): void => listener()
      listeners.add(subscribed)
      return () => listeners.delete(subscribed)
    },
  }
}
