/** The server's side of the connection to the agent in a machine: processes and files by channel. */
import {
  CHANNELS,
  createFrameReader,
  endFrame,
  INPUT_WINDOW,
  inputEndFrame,
  inputFrame,
  MOST_PAYLOAD,
  outputCreditFrame,
  pingFrame,
  readFrame,
  resizeFrame,
  signalFrame,
  startFrame,
  type Frame,
  type ProcessFrame,
} from './frames.ts'
import type { TerminalSize } from '../terminal.ts'

/** Output of one channel that can be on its way. */
const OUTPUT_WINDOW = 256 * 1024

export type Stream = 'stdout' | 'stderr'

/** How a channel ended. `failed` is an errno's name; `lost`: the connection ended first. */
export type ChannelEnd =
  | { readonly type: 'exited'; readonly code: number | null; readonly signal: string | null }
  | { readonly type: 'failed'; readonly error: string }
  | { readonly type: 'lost' }

export interface AgentProcessSpec extends ProcessFrame {
  /** Takes output. The process waits until it resolves once {@link OUTPUT_WINDOW} is on its way. */
  onOutput(stream: Stream, bytes: Buffer): void | Promise<void>
}

export interface AgentProcess {
  /** True once it runs; false if it could not be started: `closed` has the reason. */
  readonly started: Promise<boolean>
  /** Resolves after the last output. Never rejects. */
  readonly closed: Promise<ChannelEnd>
  /** Resolves when the machine has taken all bytes; bytes that a process no longer takes are dropped. */
  write(bytes: Uint8Array): Promise<void>
  /** Closes its input after the written bytes. */
  endInput(): void
  /** Changes the size of its terminal, if it has one. */
  resize(size: TerminalSize): void
  /** To its process group. */
  signal(name: NodeJS.Signals): void
  /** SIGTERM to its group, and SIGKILL after a second of the machine's time; then `closed` resolves. */
  end(): void
}

/** The line to an agent. */
export interface Connection {
  write(bytes: Uint8Array): void
  /** Passes on the bytes that come, in pieces of any size. */
  onBytes(listener: (bytes: Uint8Array) => void): void
  /** Calls back when it has ended; more than once is no matter. */
  onEnd(listener: () => void): void
  destroy(): void
}

export interface Agent {
  /** Waits for a free channel first. @throws RangeError for words that fit no frame */
  start(spec: AgentProcessSpec): Promise<AgentProcess>
  /** A file's bytes; null if it can't be read. */
  read(path: string): Promise<Buffer | null>
  /** Resolves when the agent has answered; false once the connection has ended. */
  ping(): Promise<boolean>
}

interface Channel {
  readonly onOutput: AgentProcessSpec['onOutput']
  readonly onStarted: () => void
  readonly onEnd: (end: ChannelEnd) => void
  /** Output that has come since the last credit. */
  received: number
  /** Input that may be sent. */
  credit: number
  /** Resolves the wait for credit. */
  more: (() => void) | null
}

type Handlers = Pick<Channel, 'onOutput' | 'onStarted' | 'onEnd'>

type Channels = ReturnType<typeof createChannels>

/** The open channels of a connection, and the free numbers. */
function createChannels() {
  const channels = new Map<number, Channel>()
  const free = Array.from({ length: CHANNELS }, (_, index) => index)
  const waiting: (() => void)[] = []
  let lost = false

  function giveBack(number: number): void {
    free.push(number)
    waiting.shift()?.()
  }

  function close(number: number, end: ChannelEnd): void {
    const channel = channels.get(number)
    if (channel === undefined) return
    channels.delete(number)
    channel.more?.()
    channel.onEnd(end)
    giveBack(number)
  }

  return {
    /** Waits for a free number; the caller opens it at once, or gives it back. */
    async take(): Promise<number> {
      for (;;) {
        const number = free.pop()
        if (number !== undefined) return number
        const turn = Promise.withResolvers<void>()
        waiting.push(turn.resolve)
        await turn.promise
      }
    },
    giveBack,
    open(number: number, handlers: Handlers): Channel {
      const channel: Channel = { ...handlers, received: 0, credit: INPUT_WINDOW, more: null }
      channels.set(number, channel)
      if (lost) close(number, { type: 'lost' })
      return channel
    },
    find: (number: number) => channels.get(number),
    close,
    /** The connection has ended: with it all channels, also later ones. */
    lose() {
      lost = true
      for (const number of channels.keys()) close(number, { type: 'lost' })
    },
  }
}

type Send = (bytes: Buffer) => void

/** Sends credit for the output that was taken, once it is worth a frame. */
async function takeOutput(
  { channel: number, stream, bytes }: Frame & { type: 'output' },
  channel: Channel,
  channels: Channels,
  send: Send,
): Promise<void> {
  await channel.onOutput(stream, bytes)
  // Its number is another's once it is closed.
  if (channels.find(number) !== channel) return
  channel.received += bytes.length
  if (channel.received < OUTPUT_WINDOW / 4) return
  send(outputCreditFrame(number, channel.received))
  channel.received = 0
}

/** Starts a process on a channel of its own. */
async function startProcess(spec: AgentProcessSpec, channels: Channels, send: Send): Promise<AgentProcess> {
  const number = await channels.take()
  let first: Buffer
  try {
    first = startFrame(number, spec)
  } catch (error) {
    channels.giveBack(number)
    throw error
  }
  const started = Promise.withResolvers<boolean>()
  const closed = Promise.withResolvers<ChannelEnd>()
  const channel = channels.open(number, {
    onOutput: spec.onOutput,
    onStarted: () => started.resolve(true),
    onEnd(end) {
      started.resolve(end.type === 'exited')
      closed.resolve(end)
    },
  })
  /** Its number is another's once it is closed. */
  const isOpen = (): boolean => channels.find(number) === channel
  const ifOpen = (bytes: () => Buffer): void => {
    if (isOpen()) send(bytes())
  }
  send(first)
  send(outputCreditFrame(number, OUTPUT_WINDOW))
  return {
    started: started.promise,
    closed: closed.promise,
    async write(bytes) {
      for (let at = 0; at < bytes.length && isOpen();) {
        if (channel.credit === 0) {
          const more = Promise.withResolvers<void>()
          channel.more = more.resolve
          await more.promise
          continue
        }
        const part = bytes.subarray(at, at + Math.min(channel.credit, MOST_PAYLOAD))
        channel.credit -= part.length
        at += part.length
        ifOpen(() => inputFrame(number, part))
      }
    },
    resize: (size) => ifOpen(() => resizeFrame(number, size)),
    endInput: () => ifOpen(() => inputEndFrame(number)),
    signal: (name) => ifOpen(() => signalFrame(number, name)),
    end: () => ifOpen(() => endFrame(number)),
  }
}

async function readFile(path: string, channels: Channels, send: Send): Promise<Buffer | null> {
  const number = await channels.take()
  const chunks: Buffer[] = []
  const closed = Promise.withResolvers<ChannelEnd>()
  channels.open(number, { onOutput: (_, bytes) => void chunks.push(bytes), onStarted: () => {}, onEnd: closed.resolve })
  send(readFrame(number, path))
  send(outputCreditFrame(number, OUTPUT_WINDOW))
  const end = await closed.promise
  return end.type === 'exited' && end.code === 0 ? Buffer.concat(chunks) : null
}

/** @param greet called with the agent's first frame */
export function createAgent(connection: Connection, greet: (hello: Frame & { type: 'hello' }) => void): Agent {
  const channels = createChannels()
  const pings: ((answered: boolean) => void)[] = []
  const reader = createFrameReader()
  let lost = false

  function send(bytes: Buffer): void {
    if (!lost) connection.write(bytes)
  }

  function lose(): void {
    if (lost) return
    lost = true
    connection.destroy()
    channels.lose()
    for (const answer of pings.splice(0)) answer(false)
  }

  function act(frame: Frame): void {
    switch (frame.type) {
      case 'hello':
        greet(frame)
        return
      case 'output': {
        const channel = channels.find(frame.channel)
        if (channel !== undefined) void takeOutput(frame, channel, channels, send)
        return
      }
      case 'inputCredit': {
        const channel = channels.find(frame.channel)
        if (channel === undefined) return
        channel.credit += frame.bytes
        channel.more?.()
        return
      }
      case 'started':
        channels.find(frame.channel)?.onStarted()
        return
      case 'exited':
        channels.close(frame.channel, { type: 'exited', code: frame.code, signal: frame.signal })
        return
      case 'failed':
        channels.close(frame.channel, { type: 'failed', error: frame.error })
        return
      case 'pong':
        pings.shift()?.(true)
    }
  }

  connection.onBytes((chunk) => {
    try {
      for (const frame of reader(chunk)) act(frame)
    } catch {
      // No agent sends this: nothing that follows can be trusted.
      lose()
    }
  })
  connection.onEnd(lose)

  return {
    start: (spec) => startProcess(spec, channels, send),
    read: (path) => readFile(path, channels, send),
    ping() {
      if (lost) return Promise.resolve(false)
      const { promise, resolve } = Promise.withResolvers<boolean>()
      pings.push(resolve)
      send(pingFrame())
      return promise
    },
  }
}
