/** Runs one command in one container: its lines as it prints them, then its exit. */
import { ApiException } from '@kubernetes/client-node'
import { LabError } from '@expresslane/shared/base/errors'
import type { ExecOutput } from '../../target.ts'
import { typedLine } from '../../typed.ts'
import type { Cluster } from '../api/cluster.ts'
import { hasStatus, toClusterError } from '../api/errors.ts'
import { openExec, type ExecSocket, type ExecStatus, type ExecTarget, type OpenOptions } from './exec-socket.ts'

export type { ExecTarget } from './exec-socket.ts'

export interface ExecOptions extends OpenOptions {
  /** Time limit for the command in milliseconds. */
  readonly deadlineMs: number
  /** `NAME=value` in the environment of the command and everything that it starts. */
  readonly mark?: string
}

/** The exit code of a shell, and of `env`, for a missing program. */
const NOT_FOUND = 127
/** 128 + SIGKILL: the exit code of a command whose pod is removed. */
const KILLED = 137

function programOf(argv: readonly string[]): string {
  return argv[0] ?? ''
}

/** @param program the missing program */
function programMissing(program: string, at: ExecTarget, detail: string): LabError {
  const image = at.image === undefined ? `its image` : `the image ${at.image}`
  return new LabError(
    'tool_missing',
    `The program ${program} is not in container ${at.container} of pod ${at.pod}.`,
    `Use an image that has it; ${image} does not. manifests/netperf-image builds one with everything that the labs need.`,
    { detail },
  )
}

function podGone(at: ExecTarget, detail: string): LabError {
  return new LabError(
    'testbed_gone',
    `Pod ${at.pod} was removed or replaced while a command ran in it.`,
    'If the lab has a Deploy step, run it again. Then run this step again.',
    { detail, remedyCommand: typedLine(['kubectl', '-n', at.namespace, 'get', 'pod', at.pod]) },
  )
}

function notRunning(at: ExecTarget, detail: string): LabError {
  return new LabError(
    'testbed_gone',
    `Container ${at.container} of pod ${at.pod} is not running.`,
    'Find out why it ended, then run the step again.',
    { detail, remedyCommand: typedLine(['kubectl', '-n', at.namespace, 'describe', 'pod', at.pod]) },
  )
}

function dropped(at: ExecTarget, argv: readonly string[], why: string): LabError {
  return new LabError(
    'exec_dropped',
    `The connection to the API server ended while ${programOf(argv)} ran in pod ${at.pod}.`,
    'Run the step again. The command may still be running in the pod; it is ended before the next command starts there.',
    { detail: why },
  )
}

function late(at: ExecTarget, argv: readonly string[], deadlineMs: number): LabError {
  return new LabError(
    'deadline_exceeded',
    `${programOf(argv)} did not end within ${deadlineMs / 1000} seconds in pod ${at.pod} and was stopped.`,
    'Run the step again; if it happens again, check the load of the nodes.',
    { detail: argv.join(' ') },
  )
}

/** Whether the pod is gone or ending; false if the API server does not answer. */
async function isGone(cluster: Cluster, at: ExecTarget, signal: AbortSignal): Promise<boolean> {
  const permission = { verb: 'get', resource: 'pods', namespace: at.namespace, name: at.pod }
  try {
    const { metadata } = await cluster.request(permission, signal, (options) =>
      cluster.core.readNamespacedPod({ namespace: at.namespace, name: at.pod }, options),
    )
    if (metadata?.deletionTimestamp !== undefined) return true
    return at.uid !== undefined && metadata?.uid !== at.uid
  } catch (error) {
    signal.throwIfAborted()
    return hasStatus(error, 404)
  }
}

/** The error for an upgrade that was refused or failed. */
export function refused(cluster: Cluster, at: ExecTarget, error: unknown): LabError {
  const words = error instanceof ApiException ? String(error.body) : ''
  // A WebSocket starts with a GET. API servers from 1.35 on also require `create`, and their error says so.
  const permission = { verb: 'get', resource: 'pods', subresource: 'exec', namespace: at.namespace }
  if (error instanceof ApiException) {
    if (error.code === 404) return podGone(at, words)
    if (
      /container not found|not have a host assigned|container .* is not (valid|running)|current phase is/.test(words)
    ) {
      return notRunning(at, words)
    }
  }
  return toClusterError(cluster.context, permission, error)
}

/** @returns null if the command has none, because it did not start or was lost */
export function exitCode({ status, details }: ExecStatus): number | null {
  if (status === 'Success') return 0
  const words = details?.causes?.find(({ reason }) => reason === 'ExitCode')?.message
  return words !== undefined && /^\d+$/.test(words) ? Number(words) : null
}

/** The error of a command that the runtime could not start, or lost. */
function notStarted(at: ExecTarget, argv: readonly string[], status: ExecStatus): LabError {
  const detail = status.message ?? JSON.stringify(status)
  const missing = /exec: "?([^":]+)"?: (?:executable file not found|stat .*no such file)/.exec(detail)
  if (missing !== null) return programMissing(missing[1] ?? programOf(argv), at, detail)
  if (/container not found|not running|is not created/.test(detail)) return notRunning(at, detail)
  return new LabError(
    'tool_failed',
    `${programOf(argv)} could not be run in pod ${at.pod}.`,
    "Read the node's message, then run the step again.",
    { detail },
  )
}

type End =
  | { readonly type: 'status'; readonly status: ExecStatus }
  | { readonly type: 'dropped'; readonly why: string }
  | { readonly type: 'late' }

/**
 * Runs argv in a container, never through a shell, and yields its lines as it prints them, its exit last.
 * Leaving it early, a deadline and an abort only close the socket: the command keeps running in the pod
 * (kubernetes#89031). A `Reaper` ends it.
 *
 * @throws LabError `exec_dropped`, `testbed_gone`, `tool_missing`, `deadline_exceeded`, `cluster_unreachable`,
 * `cluster_forbidden`, `tool_failed`; `signal.reason` once aborted
 */
export async function* execIn(
  cluster: Cluster,
  at: ExecTarget,
  argv: readonly string[],
  { signal: asked, deadlineMs, mark, ...more }: ExecOptions,
): AsyncGenerator<ExecOutput, void, void> {
  const signal = AbortSignal.any([asked, cluster.closed])
  signal.throwIfAborted()
  const items: ((ExecOutput & { type: 'line' }) | End)[] = []
  let wake = Promise.withResolvers<void>()
  const push = (item: (typeof items)[number]): void => {
    items.push(item)
    wake.resolve()
  }
  const listener = {
    line: (stream: 'stdout' | 'stderr', text: string) => push({ type: 'line', stream, text }),
    status: (status: ExecStatus) => push({ type: 'status', status }),
    dropped: (why: string) => push({ type: 'dropped', why }),
  }
  let socket: ExecSocket | null = null
  const timer = setTimeout(() => {
    push({ type: 'late' })
    socket?.terminate()
  }, deadlineMs)
  const stop = (): void => wake.resolve()
  signal.addEventListener('abort', stop, { once: true })
  let notFound: string | null = null
  try {
    const words = mark === undefined ? argv : ['env', mark, ...argv]
    socket = await openExec(cluster, at, words, listener, { ...more, signal }).catch((error: unknown) => {
      signal.throwIfAborted()
      throw refused(cluster, at, error)
    })
    for (;;) {
      signal.throwIfAborted()
      const item = items.shift()
      if (item === undefined) {
        await wake.promise
        wake = Promise.withResolvers()
      } else if (item.type === 'line') {
        // `env`, which sets the mark, prints its own message for a missing program.
        if (item.stream === 'stderr' && item.text.startsWith('env: ')) notFound = item.text
        yield item
      } else {
        yield await exitOf(item)
        return
      }
    }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    socket?.terminate()
  }

  async function exitOf(end: End): Promise<ExecOutput> {
    if (end.type === 'late') throw late(at, argv, deadlineMs)
    if (end.type === 'dropped') {
      throw (await isGone(cluster, at, signal)) ? podGone(at, end.why) : dropped(at, argv, end.why)
    }
    const { status } = end
    const code = exitCode(status)
    if (code === NOT_FOUND && notFound !== null) throw programMissing(programOf(argv), at, notFound)
    const lost = code === null || code === KILLED
    if (lost && (await isGone(cluster, at, signal))) throw podGone(at, status.message ?? 'the command was killed')
    if (code === null) throw notStarted(at, argv, status)
    return { type: 'exit', code, signal: null }
  }
}
