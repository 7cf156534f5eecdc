/** Background processes of the pods, such as netserver: the testbed owns them, and they end with the pods. */
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { LabError } from '@expresslane/shared/wire/errors'
import type { CallContext } from '../testbed.ts'
import type { Console, Entrance } from './console.ts'
import { endGroup } from '../group.ts'
import { requireProgram, type Outside } from './outside.ts'
import { startProcess, userIn } from '../process.ts'

/** Output lines that an error shows. */
const LINES_KEPT = 20

/** netserver stays in the foreground (`-D`) and leaves no debug file in /tmp (`-N`). */
export const netserverArgv = ['netserver', '-D', '-N']

/** netserver prints this, flushed, once it listens. */
export function isNetserverListening(line: string): boolean {
  return line.startsWith('Starting netserver')
}

export interface Background {
  /** Ends it and what it started; resolves when none of its processes is left. */
  stop(): Promise<void>
}

export interface BackgroundCommand {
  /** The name of the pod. */
  readonly where: string
  readonly program: string
  /** With what enters the pod's namespace. */
  readonly argv: readonly string[]
  readonly typed: string
  /** Its standard input, which is then closed. @defaultValue empty */
  readonly input?: string
  /** Whether a line of its output shows that it is ready. */
  isReady(line: string): boolean
}

function startError({ program, where }: BackgroundCommand, detail: string): LabError {
  return new LabError(
    'tool_failed',
    `${program} did not get ready in ${where}.`,
    'Read its output, then run the step again.',
    { detail },
  )
}

/**
 * Starts a process and waits until it is ready.
 *
 * @throws LabError `tool_missing`, `tool_failed`, `testbed_gone`; `signal.reason`
 */
export async function startBackground(
  command: BackgroundCommand,
  { console, entrance, context }: { console: Console; entrance: Entrance; context: CallContext },
  outside: Outside,
): Promise<Background> {
  const { where, program, argv, typed, input, isReady } = command
  await requireProgram(program, outside.env)
  context.signal.throwIfAborted()
  const child = await startProcess(
    entrance.enter(argv),
    userIn(entrance, outside),
    input === undefined ? 'ignore' : 'pipe',
  )
  // It can end before it has read everything; its output shows why.
  child.stdin?.on('error', () => {}).end(input)
  const words: string[] = []
  const ready = Promise.withResolvers<void>()
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) throw new Error(`${program} has no pipes`)
    createInterface({ input: stream }).on('line', (line) => {
      if (words.length < LINES_KEPT) words.push(line)
      if (isReady(line)) ready.resolve()
    })
  }
  const closed = once(child, 'close')
  void closed.then(() => ready.reject(startError(command, words.join('\n'))))
  const stop = AbortSignal.any([context.signal, AbortSignal.timeout(outside.commandMs)])
  const abort = (): void =>
    ready.reject(context.signal.aborted ? context.signal.reason : startError(command, words.join('\n')))
  stop.addEventListener('abort', abort, { once: true })
  if (stop.aborted) abort()
  try {
    await ready.promise
  } catch (error) {
    await endGroup(child.pid)
    if (!context.signal.aborted) await entrance.check(context.signal)
    throw error
  } finally {
    stop.removeEventListener('abort', abort)
  }
  console.showBackground({ where, argv, typed }, context)
  return {
    async stop() {
      await endGroup(child.pid)
      await closed
    },
  }
}
