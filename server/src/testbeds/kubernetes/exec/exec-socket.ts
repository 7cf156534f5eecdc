/**
 * The WebSocket of one `exec`: opened with the kubeconfig's credentials, its channels separated.
 *
 * The client library's own handler never settles when the upgrade is refused with a body, and hides the
 * socket whose silence must be watched; the protocol itself is one byte that names the channel.
 *
 * @see https://github.com/kubernetes/kubernetes/blob/master/staging/src/k8s.io/apimachinery/pkg/util/remotecommand/constants.go
 */
import type { IncomingMessage } from 'node:http'
import { StringDecoder } from 'node:string_decoder'
import { ApiException } from '@kubernetes/client-node'
import { WebSocket, type ClientOptions } from 'ws'
import { z } from 'zod'
import type { TerminalSize } from '../../terminal.ts'
import { REQUEST_MS, type Cluster } from '../api/cluster.ts'

/** Version 5 closes streams one by one, which is not needed here; version 4 is the oldest that reports exit codes. */
const PROTOCOLS = ['v5.channel.k8s.io', 'v4.channel.k8s.io']

const CHANNEL = { stdin: 0, stdout: 1, stderr: 2, status: 3, resize: 4 } as const

/** The bytes of a standard input that are on their way at once. */
const FRAME_BYTES = 64 * 1024

export interface ExecTarget {
  readonly namespace: string
  readonly pod: string
  readonly container: string
  /** UID of the pod: a later pod can have the same name. */
  readonly uid?: string
  /** The container's image, for people. */
  readonly image?: string
}

/** The end of a command as the runtime reports it: a `Status` of the API. */
export const execStatus = z.object({
  status: z.string().optional(),
  reason: z.string().optional(),
  message: z.string().optional(),
  details: z
    .object({ causes: z.array(z.object({ reason: z.string().optional(), message: z.string().optional() })).optional() })
    .optional(),
})
export type ExecStatus = z.infer<typeof execStatus>

interface Endings {
  status(status: ExecStatus): void
  /** The socket closed, failed or fell silent before it sent a status. */
  dropped(why: string): void
}

/** Receives lines, then once either a status or a drop. */
export interface ExecListener extends Endings {
  line(stream: 'stdout' | 'stderr', text: string): void
}

/** Receives bytes, then once either a status or a drop. */
export interface ByteListener extends Endings {
  /** The socket is read on once a promise is resolved, which takes less than a pulse. */
  bytes(stream: 'stdout' | 'stderr', bytes: Buffer): void | Promise<void>
}

export interface ExecSocket {
  /** Sends bytes to the standard input; resolves when the socket has taken them, or has ended. */
  write(bytes: Buffer): Promise<void>
  /** Sets the size of its terminal. */
  resize(size: TerminalSize): void
  /** Closes it at once. The command keeps running: kubernetes#89031. */
  terminate(): void
}

/** How often a socket is pinged, and when it is given up, in milliseconds. */
interface Pulse {
  readonly pingMs: number
  /** Longer than an API server that was stopped for 20 s needs. */
  readonly silenceMs: number
}

const PULSE: Pulse = { pingMs: 5_000, silenceMs: 45_000 }

/** Splits frames into lines; a frame can end anywhere, even inside a character. */
function lineCutter(line: (text: string) => void): { push(bytes: Buffer): void; end(): void } {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  return {
    push(bytes) {
      const parts = (rest + decoder.write(bytes)).split('\n')
      rest = parts.pop() ?? ''
      for (const part of parts) line(part.endsWith('\r') ? part.slice(0, -1) : part)
    },
    end() {
      rest += decoder.end()
      if (rest !== '') line(rest)
      rest = ''
    },
  }
}

function parseStatus(bytes: Buffer): ExecStatus | null {
  try {
    return execStatus.parse(JSON.parse(bytes.toString('utf8')))
  } catch {
    return null
  }
}

function urlOf(
  cluster: Cluster,
  at: ExecTarget,
  argv: readonly string[],
  { hasInput, tty = false }: ByteOptions,
): string {
  const server = cluster.config.getCurrentCluster()?.server ?? ''
  const query = new URLSearchParams({ container: at.container, stdout: 'true', stderr: `${!tty}`, tty: `${tty}` })
  if (hasInput) query.set('stdin', 'true')
  for (const word of argv) query.append('command', word)
  const path = ['api/v1/namespaces', encodeURIComponent(at.namespace), 'pods', encodeURIComponent(at.pod), 'exec']
  return `${server.replace(/^http/, 'ws').replace(/\/+$/, '')}/${path.join('/')}?${query.toString()}`
}

function bufferOf(data: Buffer | ArrayBuffer | readonly Buffer[]): Buffer {
  if (Buffer.isBuffer(data)) return data
  return data instanceof ArrayBuffer ? Buffer.from(data) : Buffer.concat(data)
}

/** Pings a socket, and calls `silent` when nothing has arrived for too long. */
function watchPulse(socket: WebSocket, { pingMs, silenceMs }: Pulse, silent: () => void): () => void {
  let lastSign = performance.now()
  const sign = (): void => {
    lastSign = performance.now()
  }
  socket.on('message', sign).on('pong', sign).on('ping', sign)
  const timer = setInterval(() => {
    if (performance.now() - lastSign >= silenceMs) silent()
    else if (socket.readyState === WebSocket.OPEN) socket.ping()
  }, pingMs)
  return () => clearInterval(timer)
}

/** Sends a standard input. It stays open at its end: version 4 can't close it. */
async function feed(socket: WebSocket, input: Buffer): Promise<void> {
  for (let from = 0; from < input.length && socket.readyState === WebSocket.OPEN; from += FRAME_BYTES) {
    const frame = Buffer.concat([Buffer.of(CHANNEL.stdin), input.subarray(from, from + FRAME_BYTES)])
    // A socket that fails also closes, which is reported.
    await new Promise<unknown>((resolve) => socket.send(frame, resolve))
  }
}

/** The refusal of an upgrade, as the generated client would throw it. */
async function refusal(response: IncomingMessage): Promise<ApiException<string>> {
  const parts: Buffer[] = []
  for await (const part of response) parts.push(Buffer.from(part as Uint8Array))
  const body = Buffer.concat(parts).toString('utf8')
  return new ApiException(response.statusCode ?? 0, 'the upgrade was refused', body, {})
}

export interface OpenOptions {
  readonly signal: AbortSignal
  readonly pulse?: Pulse
  /** The standard input. The command gets no end of it. @defaultValue none */
  readonly input?: Buffer
}

interface ByteOptions extends Omit<OpenOptions, 'input'> {
  readonly hasInput: boolean
  /** The command gets a terminal, whose output is all on stdout. @defaultValue false */
  readonly tty?: boolean
}

/**
 * Starts a command in a container.
 *
 * @param signal ends the attempt to connect, and nothing after it
 * @throws ApiException when the API server refuses; LabError after the deadline of a request; the errors of `ws` or the
 * credentials; `signal.reason`
 */
export async function openExec(
  cluster: Cluster,
  at: ExecTarget,
  argv: readonly string[],
  listener: ExecListener,
  options: OpenOptions,
): Promise<ExecSocket> {
  const cutters = {
    stdout: lineCutter((text) => listener.line('stdout', text)),
    stderr: lineCutter((text) => listener.line('stderr', text)),
  }
  const bytes: ByteListener = {
    bytes: (stream, chunk) => cutters[stream].push(chunk),
    status(status) {
      cutters.stdout.end()
      cutters.stderr.end()
      listener.status(status)
    },
    dropped: (why) => listener.dropped(why),
  }
  const socket = await openExecBytes(cluster, at, argv, bytes, { ...options, hasInput: options.input !== undefined })
  if (options.input !== undefined) void socket.write(options.input)
  return socket
}

/** The same, by bytes. @throws as {@link openExec} */
export async function openExecBytes(
  cluster: Cluster,
  at: ExecTarget,
  argv: readonly string[],
  listener: ByteListener,
  options: ByteOptions,
): Promise<ExecSocket> {
  return cluster.attempt(options.signal, (signal) => connect(cluster, at, argv, listener, { ...options, signal }))
}

async function connect(
  cluster: Cluster,
  at: ExecTarget,
  argv: readonly string[],
  listener: ByteListener,
  { signal, pulse = PULSE, ...how }: ByteOptions,
): Promise<ExecSocket> {
  const options: ClientOptions = { handshakeTimeout: REQUEST_MS, perMessageDeflate: false }
  await cluster.config.applyToHTTPSOptions(options)
  // The library keeps its first agent, with the certificate that a login program gave first.
  const renews = options.cert !== undefined && cluster.config.getCurrentUser()?.authProvider !== undefined
  if (renews && cluster.config.getCurrentCluster()?.proxyUrl === undefined) delete options.agent
  signal.throwIfAborted()
  const socket = new WebSocket(urlOf(cluster, at, argv, { signal, ...how }), PROTOCOLS, options)
  const opened = Promise.withResolvers<void>()
  let over = false
  let lastError: string | null = null

  const abort = (): void => {
    opened.reject(signal.reason)
    socket.terminate()
  }
  const drop = (why: string): void => {
    if (over) return
    over = true
    socket.terminate()
    listener.dropped(why)
  }

  socket.on('message', (data, isBinary) => {
    const bytes = bufferOf(data)
    const [channel] = bytes
    if (over || !isBinary || bytes.length < 2) return
    const words = bytes.subarray(1)
    if (channel === CHANNEL.stdout) {
      const taken = listener.bytes('stdout', words)
      if (taken === undefined) return
      socket.pause()
      void taken.then(() => socket.resume())
    } else if (channel === CHANNEL.stderr) void listener.bytes('stderr', words)
    else if (channel === CHANNEL.status) {
      const status = parseStatus(words)
      if (status === null) return drop(`a status that can't be read: ${words.toString('utf8')}`)
      over = true
      listener.status(status)
      socket.close()
    }
  })
  socket.on('unexpected-response', (_request, response) => {
    void refusal(response).then(opened.reject, opened.reject)
  })
  socket.on('error', (error) => {
    lastError = error.message
    opened.reject(error)
  })
  socket.once('open', () => opened.resolve())
  const unwatch = watchPulse(socket, pulse, () => drop(`nothing arrived for ${pulse.silenceMs / 1000} seconds`))
  socket.once('close', (code, reason) => {
    unwatch()
    opened.reject(new Error('the socket closed'))
    const said = reason.toString('utf8')
    drop(lastError ?? (said === '' ? `the socket closed with code ${code}` : `${code}: ${said}`))
  })

  signal.addEventListener('abort', abort, { once: true })
  try {
    await opened.promise
  } catch (error) {
    over = true
    socket.terminate()
    throw error
  } finally {
    signal.removeEventListener('abort', abort)
  }
  return {
    write: (bytes) => feed(socket, bytes),
    resize({ rows, columns }) {
      const size = JSON.stringify({ Height: rows, Width: columns })
      if (socket.readyState === WebSocket.OPEN)
        socket.send(Buffer.concat([Buffer.of(CHANNEL.resize), Buffer.from(size)]))
    },
    terminate() {
      over = true
      socket.terminate()
    },
  }
}
