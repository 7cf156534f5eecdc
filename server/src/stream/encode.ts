/** Encodes frames once, however many clients receive them. */
import { loggedEvent, type LoggedEvent } from '@expresslane/shared/run/events'
import { streamFrame, type StreamFrame } from '@expresslane/shared/wire/protocol'
import type { Presentation } from '@expresslane/shared/wire/presentation'
import { z } from 'zod'

const events = new WeakMap<LoggedEvent, string>()
const frames = new WeakMap<StreamFrame, Buffer>()
const presentations = new WeakMap<Presentation, StreamFrame>()

const nothingPresented: StreamFrame = { type: 'presentation', presentation: null }

function encodeEvent(logged: LoggedEvent): string {
  const known = events.get(logged)
  if (known !== undefined) return known
  const text = JSON.stringify(z.encode(loggedEvent, logged))
  events.set(logged, text)
  return text
}

/** The data of an `events` frame. Each event is encoded once, in whichever frames it is sent. */
export function encodeEvents(logged: readonly LoggedEvent[]): Buffer {
  return Buffer.from(`{"type":"events","events":[${logged.map(encodeEvent).join(',')}]}`)
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
