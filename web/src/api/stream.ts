/** The event stream. It resumes by `seq`: a reconnect neither loses nor repeats an event. */
import type { LoggedEvent } from '@expresslane/shared/run/events'
import { BEAT_MS, streamClose, streamFrame, type StreamFrame } from '@expresslane/shared/wire/stream'

/**
 * - `outdated`: this page can't read a frame, so page and server have different versions
 * - `crowded`: the same person has too many newer pages open
 * - `revoked`: the server took this browser's access back, or no longer knows it
 */
export type Connection = 'connecting' | 'live' | 'reconnecting' | 'offline' | 'outdated' | 'revoked' | 'crowded'

/** A line that the instructor wrote. */
export interface Message {
  readonly text: string
  readonly at: number
}

/** A frame that replaces a part of what the page knows. */
export type NewsFrame = Exclude<StreamFrame, { type: 'hello' | 'beat' | 'events' }>

/** Receives what arrives on the stream. */
export interface StreamSink {
  connection(now: Connection): void
  /** Events in `seq` order, none twice unless the stream was rewound. */
  events(events: readonly LoggedEvent[]): void
  /** A frame with something else that is new. */
  news(frame: NewsFrame): void
  /** Something arrived, so the server and the way to it are there. */
  heard(): void
  /** A new server process answers; with `logLost` it has a new log, too. */
  rebooted(logLost: boolean): void
}

/** The part of a WebSocket that the stream uses. */
export interface StreamSocket {
  /** After this its listener receives nothing more. */
  close(): void
}

export interface SocketListener {
  message(data: unknown): void
  /** @param code of the WebSocket close frame */
  closed(code: number): void
}

export interface StreamDeps {
  open(path: string, listener: SocketListener): StreamSocket
  /** Calls back after `ms`; the returned function cancels it. */
  schedule(callback: () => void, ms: number): () => void
  /** Asks the server whether it refuses this browser; false without an answer. A WebSocket can't see why it was refused. */
  refused(): Promise<boolean>
}

export interface Stream {
  start(): void
  stop(): void
  /** Requests the events after `seq` again, if the stream is already further. */
  rewind(seq: number): void
  /** Reconnects now: the network is back, or the page is visible again. */
  wake(): void
  /** Connects again, because the present connection may be broken without saying so: the browser lost its network. */
  doubt(): void
}

const firstDelayMs = 250
const longestDelayMs = 4000
/** After this many failed attempts (about 3.5 s) the page shows that the server is offline. */
const triesUntilOffline = 4
/** A connection that is silent for longer is broken. */
const SILENCE_MS = 1.5 * BEAT_MS

export function reconnectDelay(tries: number): number {
  return Math.min(longestDelayMs, firstDelayMs * 2 ** Math.max(0, tries - 1))
}

function readFrame(data: unknown): StreamFrame | null {
  try {
    const parsed = streamFrame.safeParse(JSON.parse(String(data)))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

/** Creates a stream; `start` connects it. */
export function createStream({ open, schedule, refused }: StreamDeps, sink: StreamSink): Stream {
  let socket: StreamSocket | null = null
  let lastSeq: number | null = null
  let boot: string | null = null
  let tries = 0
  let unschedule: (() => void) | null = null
  let unwatch: (() => void) | null = null
  let greeted = false
  let over = false

  function drop(): void {
    unschedule?.()
    unschedule = null
    unwatch?.()
    unwatch = null
    socket?.close()
    socket = null
  }

  function connect(): void {
    drop()
    greeted = false
    socket = open(lastSeq === null ? '/api/stream' : `/api/stream?after=${lastSeq}`, { message: receive, closed })
  }

  function end(because: 'outdated' | 'revoked' | 'crowded'): void {
    drop()
    over = true
    sink.connection(because)
  }

  function closed(code: number): void {
    drop()
    if (code === streamClose.revoked) return end('revoked')
    // A page that reconnects would close another one.
    if (code === streamClose.tooMany) return end('crowded')
    tries += 1
    sink.connection(tries > triesUntilOffline ? 'offline' : 'reconnecting')
    unschedule = schedule(connect, reconnectDelay(tries))
    if (!greeted) void askWhy()
  }

  async function askWhy(): Promise<void> {
    const refusedNow = await refused()
    if (refusedNow && !greeted && !over) end('revoked')
  }

  /** Something is wrong with a connection that looks open. */
  function suspect(): void {
    sink.connection('reconnecting')
    connect()
  }

  function watch(): void {
    unwatch?.()
    unwatch = schedule(suspect, SILENCE_MS)
  }

  function greet(hello: Extract<StreamFrame, { type: 'hello' }>): void {
    tries = 0
    greeted = true
    const logLost = lastSeq !== null && hello.seq < lastSeq
    if (lastSeq === null || logLost) lastSeq = hello.seq
    const another = boot !== null && boot !== hello.boot
    boot = hello.boot
    if (another || logLost) sink.rebooted(logLost)
    sink.connection('live')
  }

  function receive(data: unknown): void {
    const frame = readFrame(data)
    if (frame === null) return end('outdated')
    sink.heard()
    if (frame.type === 'hello') return greet(frame)
    if (frame.type === 'beat') return watch()
    if (frame.type !== 'events') return sink.news(frame)
    const after = lastSeq ?? 0
    const fresh = frame.events.filter(({ seq }) => seq > after).toSorted((a, b) => a.seq - b.seq)
    const last = fresh.at(-1)
    if (last === undefined) return
    lastSeq = last.seq
    sink.events(fresh)
  }

  return {
    start: connect,
    stop: drop,
    rewind(seq) {
      if (over || (lastSeq !== null && lastSeq <= seq)) return
      lastSeq = seq
      // A socket without a greeting yet would start with the next event.
      if (socket !== null) connect()
    },
    wake() {
      if (unschedule !== null) connect()
    },
    doubt() {
      if (socket !== null) suspect()
    },
  }
}
