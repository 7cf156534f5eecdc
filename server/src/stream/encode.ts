/** Encodes frames once, however many clients receive them. */
import { loggedEvent, type LoggedEvent } from '@expresslane/shared/run/events'
import { streamFrame, type StreamFrame } from '@expresslane/shared/wire/stream'
import type { Presentation } from '@expresslane/shared/wire/presentation'
import { z } from 'zod'

const events = new WeakMap<LoggedEvent, string>()
const frames = new WeakMap<StreamFrame, Buffer>()
const presentations = new WeakMap<Presentation, StreamFrame>()

const nothingPresented: StreamFrame = { type: 'presentation', presentation: null }

/** Most frames of stored events are smaller. */
const FRAME_BYTES = 64 * 1024

function textOf(logged: LoggedEvent): string {
  return JSON.stringify(z.encode(loggedEvent, logged))
}

function encodeEvent(logged: LoggedEvent): string {
  const known = events.get(logged)
  if (known !== undefined) return known
  const text = textOf(logged)
  events.set(logged, text)
  return text
}

function frameOf(encoded: readonly string[]): string {
  return `{"type":"events","events":[${encoded.join(',')}]}`
}

/** The data of an `events` frame. Each event is encoded once, in whichever frames it is sent. */
export function encodeEvents(logged: readonly LoggedEvent[]): Buffer {
  return Buffer.from(frameOf(logged.map(encodeEvent)))
}

/** Encodes an `events` frame. The data is valid until the next call. */
export type EncodeStored = (logged: readonly LoggedEvent[]) => Buffer

/**
 * For events that are read for one client: all its frames use the same memory. A long history has thousands of frames. A
 * buffer for each would stay until the next garbage collection, and scatter the memory of a server that runs for long.
 */
export function createStoredEncoder(): EncodeStored {
  let memory = Buffer.allocUnsafeSlow(FRAME_BYTES)
  return (logged) => {
    const text = frameOf(logged.map(textOf))
    const length = Buffer.byteLength(text)
    if (length > memory.length) memory = Buffer.allocUnsafeSlow(2 * length)
    memory.write(text)
    return memory.subarray(0, length)
  }
}

/** The data of a frame. The same frame object is encoded once. */
export function encodeFrame(frame: StreamFrame): Buffer {
  const known = frames.get(frame)
  if (known !== undefined) return known
  const data = Buffer.from(JSON.stringify(z.encode(streamFrame, frame)))
  frames.set(frame, data)
  return data
}

/** The frame of a presentation: the same object for every client. */
export function presentationFrame(presentation: Presentation | null): StreamFrame {
  if (presentation === null) return nothingPresented
  const frame: StreamFrame = presentations.get(presentation) ?? { type: 'presentation', presentation }
  presentations.set(presentation, frame)
  return frame
}
