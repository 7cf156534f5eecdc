/** One process of this machine: its lines as they come, and an end that leaves nothing running. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { LabError } from '@expresslane/shared/wire/errors'
import { endGroup } from './group.ts'

/** What surrounds a process: its environment, and the user that it runs as, null for the server's own. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string>>
  readonly user: { readonly uid: number; readonly gid: number } | null
}

export interface ProcessSpec {
  readonly argv: readonly string[]
  readonly outside: Surroundings
  /** Written to its standard input, which is then closed; without it, stdin is empty. */
  readonly input?: string
  readonly deadlineMs: number
  /** Called once it runs, with a promise that resolves when it has ended. */
  readonly started?: (closed: Promise<void>) => void
}

export type ProcessOutput =
  | { readonly type: 'line'; readonly stream: 'stdout' | 'stderr'; readonly text: string }
  | { readonly type: 'exit'; readonly code: number | null; readonly signal: string | null }

/** Starts a process as the leader of its own group: a signal to the group reaches everything that it started. */
export async function startProcess(
  argv: readonly string[],
  { env, user }: Surroundings,
  stdin: 'pipe' | 'ignore',
): Promise<ChildProcess & { readonly pid: number }> {
  const [program = '', ...rest] = argv
  const ids = user === null ? {} : { uid: user.uid, gid: user.gid }
  // The server's own folder may be one that the user can't enter.
  const child = spawn(program, rest, { env, cwd: '/', stdio: [stdin, 'pipe', 'pipe'], detached: true, ...ids })
  try {
    await once(child, 'spawn')
  } catch (error) {
    throw new LabError('tool_failed', `${program} could not be started.`, 'Check that this user can run it.', {
      detail: error instanceof Error ? error.message : String(error),
      cause: error,
    })
  }
  const { pid } = child
  if (pid === undefined) throw new Error(`${program} was spawned without a pid`)
  return Object.assign(child, { pid })
}

/** The environment and the user of a process that enters a place: the testbed's user, or the server's own. */
export function userIn({ asServer }: { readonly asServer?: boolean }, { env, user }: Surroundings): Surroundings {
  return { env, user: asServer === true ? null : user }
}

function deadlineError({ argv, deadlineMs }: ProcessSpec): LabError {
  return new LabError(
    'deadline_exceeded',
    `${argv[0] ?? 'A command'} did not end within ${deadlineMs / 1000} seconds and was stopped.`,
    'Run the step again; if it happens again, check the load of this machine.',
    { detail: argv.join(' ') },
  )
}

/**
 * Runs a process and yields its lines as it prints them, its exit last. Leaving the loop early stops it.
 *
 * @throws `signal.reason` when aborted, LabError `deadline_exceeded`; the whole process group is gone by then
 */
export async function* runProcess(spec: ProcessSpec, signal: AbortSignal): AsyncGenerator<ProcessOutput, void, void> {
  signal.throwIfAborted()
  const child = await startProcess(spec.argv, spec.outside, spec.input === undefined ? 'ignore' : 'pipe')
  const items: ProcessOutput[] = []
  let wake = Promise.withResolvers<void>()
  const push = (item: ProcessOutput): void => {
    items.push(item)
    wake.resolve()
  }
  for (const stream of ['stdout', 'stderr'] as const) {
    const input = child[stream]
    if (input === null) throw new Error(`${stream} is no pipe`)
    createInterface({ input, crlfDelay: Infinity }).on('line', (text) => push({ type: 'line', stream, text }))
  }
  const closed = Promise.withResolvers<void>()
  child.once('close', (code, by) => {
    push({ type: 'exit', code, signal: by })
    closed.resolve()
  })
  spec.started?.(closed.promise)
  // It can end before it has read everything; its exit shows why.
  child.stdin?.on('error', () => {}).end(spec.input)

  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(deadlineError(spec)), spec.deadlineMs)
  const stop = AbortSignal.any([signal, deadline.signal])
  let ended = false
  let ending: Promise<void> | null = null
  const end = (): void => {
    // At once, not when the reader asks for the next line.
    if (!ended) ending ??= endGroup(child.pid)
    wake.resolve()
  }
  stop.addEventListener('abort', end, { once: true })
  try {
    while (!ended) {
      stop.throwIfAborted()
      const item = items.shift()
      if (item !== undefined) {
        ended = item.type === 'exit'
        yield item
      } else {
        await wake.promise
        wake = Promise.withResolvers()
      }
    }
  } finally {
    clearTimeout(timer)
    stop.removeEventListener('abort', end)
    if (!ended) await (ending ?? endGroup(child.pid))
  }
}
