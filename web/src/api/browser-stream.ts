/** The stream on a browser's WebSocket and timers; it reconnects when the browser loses or regains its network, and when the page is shown. */
import { serverRefuses } from './request.ts'
import { createStream, type SocketListener, type Stream, type StreamSink, type StreamSocket } from './stream.ts'

function openSocket(path: string, { message, closed }: SocketListener): StreamSocket {
  const socket = new WebSocket(new URL(path, location.href.replace(/^http/, 'ws')))
  const silence = new AbortController()
  const { signal } = silence
  socket.addEventListener('message', ({ data }: MessageEvent<unknown>) => message(data), { signal })
  socket.addEventListener('close', ({ code }) => closed(code), { signal })
  return {
    close() {
      silence.abort()
      socket.close()
    },
  }
}

/** Connects, and stays connected until the returned function is called. */
export function connectStream(sink: StreamSink, onCreate: (stream: Stream) => void): () => void {
  const stream = createStream(
    {
      open: openSocket,
      schedule(callback, ms) {
        const timer = setTimeout(callback, ms)
        return () => clearTimeout(timer)
      },
      refused: serverRefuses,
    },
    sink,
  )
  const wake = (): void => {
    if (document.visibilityState === 'visible') stream.wake()
  }
  onCreate(stream)
  stream.start()
  // On this machine the server stays reachable without a network: then the new connection is there at once.
  const doubt = (): void => stream.doubt()
  window.addEventListener('online', wake)
  window.addEventListener('offline', doubt)
  document.addEventListener('visibilitychange', wake)
  return () => {
    window.removeEventListener('online', wake)
    window.removeEventListener('offline', doubt)
    document.removeEventListener('visibilitychange', wake)
    stream.stop()
  }
}
