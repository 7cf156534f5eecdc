/** The connection to an agent: its greeting, its beat, and its end. */
import type { Duplex } from 'node:stream'
import { LabError } from '@expresslane/shared/base/errors'
import { createAgent, type Agent } from './agent.ts'
import { PROTOCOL } from './frames.ts'
import { connectionOf } from './stream.ts'

/** An agent ends when it has heard nothing for so many seconds: a connection can be cut without a word. */
export const MOST_SILENCE = 30
/** How often it hears something within that time. */
const BEATS = 3

/** A stream with an agent at its other end. */
export interface Wire {
  /** The name of the place, for errors. */
  readonly name: string
  readonly stream: Duplex
  /** Resolves when the stream has ended. @returns why there is no agent, and why there is none any more. Never rejects. */
  readonly ended: Promise<{ readonly unmet: unknown; readonly gone: unknown }>
  /** The output of the other end so far, for errors. */
  words(): string
  /** Ends the stream; resolves with {@link ended}. */
  close(): Promise<void>
}

export interface ConnectOptions {
  /** How long the greeting may take, in milliseconds. */
  readonly connectMs: number
  /** Seconds of silence after which the agent ends. @defaultValue MOST_SILENCE */
  readonly mostSilence?: number
}

export interface Connected extends Agent {
  /** Aborted with the reason when the stream has ended. */
  readonly gone: AbortSignal
}

function slowError({ name, words }: Wire, ms: number): LabError {
  return new LabError(
    'deadline_exceeded',
    `${name} was not ready within ${ms / 1000} seconds.`,
    'Check the connection to it, then try again.',
    { detail: words() },
  )
}

function silentError({ name }: Wire, seconds: number): LabError {
  return new LabError(
    'testbed_gone',
    `${name} has not answered for ${seconds} seconds.`,
    'Press Solve: it runs the steps up to this one again. A machine that has too much to do answers late.',
  )
}

function otherProtocolError({ name }: Wire): LabError {
  return new LabError(
    'internal',
    `The agent on ${name} speaks another protocol than this server.`,
    'Start Expresslane again. An image must be of the same version.',
  )
}

/**
 * Waits for the agent's greeting, and keeps it from ending.
 *
 * @throws LabError `deadline_exceeded`, `internal`; the wire's `unmet`; `signal.reason`. The stream has ended by then
 */
export async function connectAgent(wire: Wire, options: ConnectOptions, signal: AbortSignal): Promise<Connected> {
  const { connectMs, mostSilence = MOST_SILENCE } = options
  const hello = Promise.withResolvers<number>()
  const gone = new AbortController()
  const agent = createAgent(connectionOf(wire.stream), ({ protocol }) => hello.resolve(protocol))
  const end = (why: Awaited<Wire['ended']>): void => {
    hello.reject(why.unmet)
    gone.abort(why.gone)
  }
  void wire.ended.then(end)
  const stop = AbortSignal.any([signal, AbortSignal.timeout(connectMs)])
  const give = (): void => hello.reject(stop.reason)
  stop.addEventListener('abort', give, { once: true })
  if (stop.aborted) give()
  try {
    if ((await hello.promise) !== PROTOCOL) throw otherProtocolError(wire)
  } catch (error) {
    await wire.close()
    signal.throwIfAborted()
    throw error === stop.reason ? slowError(wire, connectMs) : error
  } finally {
    stop.removeEventListener('abort', give)
  }
  let heardAt = performance.now()
  const ask = async (): Promise<void> => {
    // Between the two, something else can keep the stream open.
    if (performance.now() - heardAt > mostSilence * 1000) {
      gone.abort(silentError(wire, mostSilence))
      await wire.close()
    } else if (await agent.ping()) heardAt = performance.now()
  }
  const beat = setInterval(() => void ask(), (mostSilence * 1000) / BEATS)
  gone.signal.addEventListener('abort', () => clearInterval(beat), { once: true })
  if (gone.signal.aborted) clearInterval(beat)
  return { ...agent, gone: gone.signal }
}
