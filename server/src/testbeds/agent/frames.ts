/** The frames between the server and the agent in the counted machine (server/native/README.md). Pure. */
import { constants } from 'node:os'
import { getSystemErrorName } from 'node:util'
import type { TerminalSize } from '../terminal.ts'

const HEADER_BYTES = 8
/** The largest payload that the agent takes. Its own payloads are smaller. */
export const MOST_PAYLOAD = 65_536
/** The bytes of a process's input that may be sent before the first credit. */
export const INPUT_WINDOW = 65_536
export const CHANNELS = 64
/** The version that this server speaks. */
export const PROTOCOL = 3

const sent = {
  start: 1,
  read: 2,
  input: 3,
  inputEnd: 4,
  outputCredit: 5,
  signal: 6,
  end: 7,
  ping: 8,
  resize: 9,
} as const

/** The content of the frame that starts a process. */
export interface ProcessFrame {
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** True: the server writes its input. False: its input is empty. A size: it runs in a terminal of this size. */
  readonly input: boolean | TerminalSize
  /** The path of the network namespace that it runs in; null for the machine's own. */
  readonly namespace: string | null
}

/** A frame from the agent. */
export type Frame =
  | { readonly type: 'hello'; readonly protocol: number; readonly clockNs: bigint }
  | { readonly type: 'output'; readonly channel: number; readonly stream: 'stdout' | 'stderr'; readonly bytes: Buffer }
  | { readonly type: 'inputCredit'; readonly channel: number; readonly bytes: number }
  | { readonly type: 'started'; readonly channel: number }
  | { readonly type: 'exited'; readonly channel: number; readonly code: number | null; readonly signal: string | null }
  /** `error` is an errno's name. */
  | { readonly type: 'failed'; readonly channel: number; readonly error: string }
  | { readonly type: 'pong'; readonly clockNs: bigint }

function frame(type: keyof typeof sent, channel: number, payload: Uint8Array = Buffer.alloc(0)): Buffer {
  if (payload.length > MOST_PAYLOAD) throw new RangeError(`a frame's payload has ${payload.length} bytes`)
  const bytes = Buffer.alloc(HEADER_BYTES + payload.length)
  bytes.writeUInt32LE(payload.length, 0)
  bytes.writeUInt16LE(sent[type], 4)
  bytes.writeUInt16LE(channel, 6)
  bytes.set(payload, HEADER_BYTES)
  return bytes
}

function texts(all: readonly string[]): Buffer {
  if (all.some((text) => text.includes('\0'))) throw new RangeError('a word has a zero byte')
  return Buffer.from(all.map((text) => `${text}\0`).join(''), 'utf8')
}

/** @throws RangeError if the words are too many, or too long together */
export function startFrame(channel: number, { argv, env, input, namespace }: ProcessFrame): Buffer {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  if (argv.length === 0 || argv.length > 1024 || variables.length > 1024) throw new RangeError('too many words')
  const counts = Buffer.alloc(5)
  counts.writeUInt8(typeof input === 'object' ? 2 : input ? 1 : 0, 0)
  counts.writeUInt16LE(argv.length, 1)
  counts.writeUInt16LE(variables.length, 3)
  const size = typeof input === 'object' ? sizeBytes(input) : Buffer.alloc(0)
  return frame('start', channel, Buffer.concat([counts, size, texts([namespace ?? '', ...argv, ...variables])]))
}

function sizeBytes({ rows, columns }: TerminalSize): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt16LE(rows, 0)
  bytes.writeUInt16LE(columns, 2)
  return bytes
}

export const resizeFrame = (channel: number, size: TerminalSize): Buffer => frame('resize', channel, sizeBytes(size))

export const readFrame = (channel: number, path: string): Buffer => frame('read', channel, texts([path]))

/** @param bytes at most {@link MOST_PAYLOAD} of them */
export const inputFrame = (channel: number, bytes: Uint8Array): Buffer => frame('input', channel, bytes)

export const inputEndFrame = (channel: number): Buffer => frame('inputEnd', channel)

export function outputCreditFrame(channel: number, bytes: number): Buffer {
  const payload = Buffer.alloc(4)
  payload.writeUInt32LE(bytes)
  return frame('outputCredit', channel, payload)
}

export const signalFrame = (channel: number, signal: NodeJS.Signals): Buffer =>
  frame('signal', channel, Buffer.of(constants.signals[signal]))

export const endFrame = (channel: number): Buffer => frame('end', channel)

export const pingFrame = (): Buffer => frame('ping', 0)

const signalNames = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]))

/** A status of wait(2). */
function exitOf(status: number): { code: number | null; signal: string | null } {
  const by = status & 0x7f
  if (by === 0) return { code: (status >> 8) & 0xff, signal: null }
  return { code: null, signal: signalNames.get(by) ?? `signal ${by}` }
}

function parse(type: number, channel: number, payload: Buffer): Frame {
  const number = (): number => payload.readUInt32LE(0)
  switch (type) {
    case 64:
      return { type: 'hello', protocol: number(), clockNs: payload.readBigUInt64LE(4) }
    case 65:
    case 66:
      // A copy: the chunk's memory is used again.
      return { type: 'output', channel, stream: type === 65 ? 'stdout' : 'stderr', bytes: Buffer.from(payload) }
    case 67:
      return { type: 'inputCredit', channel, bytes: number() }
    case 68:
      return { type: 'exited', channel, ...exitOf(number()) }
    case 69:
      return { type: 'failed', channel, error: getSystemErrorName(-number()) }
    case 70:
      return { type: 'pong', clockNs: payload.readBigUInt64LE(0) }
    case 71:
      return { type: 'started', channel }
    default:
      throw new RangeError(`a frame of the unknown type ${type}`)
  }
}

/**
 * Takes the bytes as they come, in pieces of any size, and returns the frames that they complete. It keeps less than a
 * frame.
 *
 * @throws RangeError if no agent sends such bytes
 */
export function createFrameReader(): (chunk: Uint8Array) => Frame[] {
  let kept = Buffer.alloc(0)
  return (chunk) => {
    const bytes =
      kept.length === 0 ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length) : Buffer.concat([kept, chunk])
    const frames: Frame[] = []
    let at = 0
    while (bytes.length - at >= HEADER_BYTES) {
      const length = bytes.readUInt32LE(at)
      const [type, channel] = [bytes.readUInt16LE(at + 4), bytes.readUInt16LE(at + 6)]
      if (length > MOST_PAYLOAD || channel >= CHANNELS) throw new RangeError('a frame with a wrong header')
      if (bytes.length - at - HEADER_BYTES < length) break
      at += HEADER_BYTES
      frames.push(parse(type, channel, bytes.subarray(at, at + length)))
      at += length
    }
    kept = Buffer.from(bytes.subarray(at))
    return frames
  }
}
