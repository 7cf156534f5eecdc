/** Reads the frames of streams. Many people receive the same text: each distinct one is parsed once. */
import { streamFrame, type StreamFrame } from '@expresslane/shared/wire/stream'
import type { RawData } from 'ws'
import { textOf } from './text-of.ts'

/** More than are on their way at once. */
const KEPT = 1000

const known = new Map<string, StreamFrame>()

export function frameOf(data: RawData): StreamFrame {
  const text = textOf(data)
  const frame = known.get(text) ?? streamFrame.parse(JSON.parse(text))
  if (known.size >= KEPT) known.clear()
  known.set(text, frame)
  return frame
}
