/** The stream on a real browser's WebSocket, timers and signs of life. */
import { createStream, type Stream, type StreamSink } from './stream.ts'

/** Connects, and stays connected until the function returned is called. */
export function connectStream(sink: StreamSink, hand: (stream: Stream) => void): () => void {
  const stream = createStream(
    {
      open: (path) => new WebSocket(new URL(path, location.href.replace(/^http/, 'ws'))),
      schedule(callback, ms) {
        const timer = setTimeout(callback, ms)
        return () => clearTimeout(timer)
      },
    },
    sink,
  )
  const wake = (): void => {
    if (document.visibilityState === 'visible') stream.wake()
  }
  hand(stream)
  stream.start()
  window.addEventListener('online', wake)
  document.addEventListener('visibilitychange', wake)
  return () => {
    window.removeEventListener('online', wake)
    document.removeEventListener('visibilitychange', wake)
    stream.stop()
  }
}
