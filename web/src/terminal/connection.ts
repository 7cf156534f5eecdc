/** A page's connection to a terminal: it comes back after a loss, and goes on where it was. */
import type { TestbedId } from '@expresslane/shared/testbed/id'
import { MOST_KEYS, terminalFrame, type TerminalMessage, type TerminalSize } from '@expresslane/shared/wire/terminal'

/** The part of a WebSocket that a connection uses. */
export interface Socket {
  send(text: string): void
  close(): void
}

export interface SocketEvents {
  open(): void
  message(data: string | Uint8Array): void
  close(): void
}

/** The query of a person's terminals on a testbed. */
export const terminalsKey = (testbed: TestbedId): readonly string[] => ['terminals', testbed]

export interface Surroundings {
  /** @param after the number of the bytes that are here */
  open(after: number, events: SocketEvents): Socket
  /** Calls back after a while. @returns takes it back */
  after(ms: number, callback: () => void): () => void
}

export interface Listener {
  /** Output was lost: the screen begins empty. */
  restart(): void
  output(bytes: Uint8Array): void
  /** The size that its person chose: only for a page that looks at somebody else's terminal. */
  size(size: TerminalSize): void
  /** @param message why it ended; null while it is only lost */
  state(state: 'connected' | 'lost' | 'ended', message: string | null): void
}

export interface Connection {
  type(text: string): void
  resize(size: TerminalSize): void
  /** Leaves; the terminal goes on. */
  close(): void
}

const FIRST_MS = 500
const MOST_MS = 5000

/** A text in parts, none of which ends within a character. */
function partsOf(text: string): string[] {
  const parts: string[] = []
  let part = ''
  for (const character of text) {
    if (part.length + character.length > MOST_KEYS) {
      parts.push(part)
      part = ''
    }
    part += character
  }
  return [...parts, part].filter((one) => one !== '')
}

export function connectTerminal({ open, after }: Surroundings, listener: Listener): Connection {
  let received = 0
  let wait = FIRST_MS
  let [isOpen, isOver] = [false, false]
  let size: TerminalSize | null = null
  let takeBack = (): void => {}
  let socket: Socket | null = null

  function send(message: TerminalMessage): void {
    if (isOpen) socket?.send(JSON.stringify(message))
  }

  function act(text: string): void {
    const frame = terminalFrame.parse(JSON.parse(text))
    if (frame.type === 'ended') {
      isOver = true
      listener.state('ended', frame.message)
      return
    }
    if (frame.type === 'size') return listener.size(frame)
    if (frame.byte !== received) listener.restart()
    received = frame.byte
  }

  function connect(): void {
    socket = open(received, {
      open() {
        isOpen = true
        wait = FIRST_MS
        listener.state('connected', null)
        if (size !== null) send({ type: 'size', ...size })
      },
      message(data) {
        if (typeof data === 'string') act(data)
        else {
          received += data.length
          listener.output(data)
        }
      },
      close() {
        isOpen = false
        if (isOver) return
        listener.state('lost', null)
        takeBack = after(wait, connect)
        wait = Math.min(2 * wait, MOST_MS)
      },
    })
  }
  connect()

  return {
    type(text) {
      for (const part of partsOf(text)) send({ type: 'keys', text: part })
    },
    resize(next) {
      size = next
      send({ type: 'size', ...next })
    },
    close() {
      isOver = true
      takeBack()
      socket?.close()
    },
  }
}

/** Connects to a terminal by its id. */
type Open = (id: string, ...from: Parameters<Surroundings['open']>) => Socket

let openSocket: Open = (id, after, events) => {
  const url = new URL(`/api/terminals/${id}/stream?after=${after}`, location.href.replace(/^http/, 'ws'))
  const socket = new WebSocket(url)
  socket.binaryType = 'arraybuffer'
  socket.addEventListener('open', () => events.open())
  socket.addEventListener('message', ({ data }: MessageEvent<string | ArrayBuffer>) =>
    events.message(typeof data === 'string' ? data : new Uint8Array(data)),
  )
  socket.addEventListener('close', () => events.close())
  return { send: (text) => socket.send(text), close: () => socket.close() }
}

/** Connects from now on to the terminals of a computer in this tab. */
export function connectInTab(open: Open): void {
  openSocket = open
}

/** On a browser's WebSocket, or in a tab without a server. */
export function browserSurroundings(id: string): Surroundings {
  return {
    open: (after, events) => openSocket(id, after, events),
    after(ms, callback) {
      const timer = setTimeout(callback, ms)
      return () => clearTimeout(timer)
    },
  }
}
