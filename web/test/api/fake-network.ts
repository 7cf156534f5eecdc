/** A server at the other end of the socket, and a clock that only tests move. */
import type { LoggedEvent } from '@expresslane/shared/run/events'
import type { StreamFrame } from '@expresslane/shared/wire/stream'
import type { SocketListener, StreamDeps, StreamSocket } from '../../src/api/stream.ts'

/** A connection as the server sees it. */
export interface Line {
  /** The event that the client continues after; null if it asked for no earlier events. */
  readonly after: number | null
  readonly open: boolean
  send(frame: StreamFrame): void
  sendRaw(data: string): void
  events(events: LoggedEvent[]): void
  /** The connection breaks. */
  breakOff(code?: number): void
}

export interface FakeNetwork extends StreamDeps {
  readonly lines: Line[]
  /** The connection made last. */
  line(): Line
  /** The delays that wait now. */
  readonly waiting: number[]
  /** Lets the next delay pass. */
  pass(): void
  /** Whether this browser's HTTP requests are answered; if not, they are refused. */
  allowed: boolean
}

export function fakeNetwork(): FakeNetwork {
  const lines: Line[] = []
  const timers: { callback: () => void; ms: number }[] = []

  function connect(path: string, listener: SocketListener): StreamSocket {
    let open = true
    const deliver = (data: string): void => {
      if (open) listener.message(data)
    }
    const after = new URL(path, 'http://127.0.0.1').searchParams.get('after')
    lines.push({
      after: after === null ? null : Number(after),
      get open() {
        return open
      },
      send: (frame) => deliver(JSON.stringify(frame)),
      sendRaw: deliver,
      events: (events) => deliver(JSON.stringify({ type: 'events', events })),
      breakOff(code = 1006) {
        open = false
        listener.closed(code)
      },
    })
    return { close: () => void (open = false) }
  }

  let allowed = true

  return {
    lines,
    get allowed() {
      return allowed
    },
    set allowed(now) {
      allowed = now
    },
    refused: () => Promise.resolve(!allowed),
    line() {
      const last = lines.at(-1)
      if (last === undefined) throw new Error('nothing has connected')
      return last
    },
    get waiting() {
      return timers.map(({ ms }) => ms)
    },
    pass() {
      const next = timers.shift()
      if (next === undefined) throw new Error('nothing waits')
      next.callback()
    },
    open: connect,
    schedule(callback, ms) {
      const timer = { callback, ms }
      timers.push(timer)
      return () => {
        const at = timers.indexOf(timer)
        if (at >= 0) timers.splice(at, 1)
      }
    },
  }
}

export function hello(seq: number, boot = 'one'): StreamFrame {
  return { type: 'hello', seq, boot, version: '0.1.0' }
}
