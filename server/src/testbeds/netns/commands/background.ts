/** Background processes of the pods, such as netserver: the testbed owns them, and they end with the pods. */
import { LabError } from '@expresslane/shared/base/errors'
import type { CallContext } from '../../testbed.ts'
import type { Entrance, Machine, RunningProcess } from '../../machine/machine.ts'
import { entered, type Console } from './console.ts'
import { requireProgram } from './programs.ts'

/** Output lines that an error shows. */
const LINES_KEPT = 20

/** netserver stays in the foreground (`-D`) and leaves no debug file in /tmp (`-N`). */
export const netserverArgv = ['netserver', '-D', '-N']

/** netserver prints this, flushed, once it listens. */
export function isNetserverListening(line: string): boolean {
  return line.startsWith('Starting netserver')
}

export interface Background {
  /** Whether this command started it, and it still runs. */
  is(command: Pick<BackgroundCommand, 'where' | 'argv' | 'input'>): boolean
  /** Ends it and its descendants; resolves when none of them is left. */
  stop(): Promise<void>
}

export interface BackgroundCommand {
  /** The name of the pod; null for the machine itself. */
  readonly where: string | null
  readonly program: string
  /** The command without its entrance. */
  readonly argv: readonly string[]
  readonly typed: string
  /** Its standard input, which is then closed. @defaultValue empty */
  readonly input?: string
  /** Whether a line of its output shows that it is ready. */
  isReady(line: string): boolean
}

function startError({ program, where }: BackgroundCommand, machine: Machine, detail: string): LabError {
  return new LabError(
    'tool_failed',
    `${program} did not get ready ${where === null ? `on ${machine.name}` : `in ${where}`}.`,
    'Read its output, then run the step again.',
    { detail },
  )
}

function keyOf({ where, argv, input = '' }: Pick<BackgroundCommand, 'where' | 'argv' | 'input'>): string {
  return JSON.stringify([where, argv, input])
}

/**
 * Starts a process and waits until it is ready.
 *
 * @throws LabError `tool_missing`, `tool_failed`, `testbed_gone`; `signal.reason`
 */
export async function startBackground(
  command: BackgroundCommand,
  { console, entrance, context }: { console: Console; entrance: Entrance; context: CallContext },
  machine: Machine,
): Promise<Background> {
  const { where, program, argv, typed, input, isReady } = command
  await requireProgram(program, machine)
  context.signal.throwIfAborted()
  const words: string[] = []
  const ready = Promise.withResolvers<void>()
  const running: RunningProcess = await machine.start({
    ...entered(argv, entrance),
    ...(input === undefined ? {} : { input }),
    ready: ready.promise,
    onLine(_stream, line) {
      if (words.length < LINES_KEPT) words.push(line)
      if (isReady(line)) ready.resolve()
    },
  })
  let isOver = false
  const failure = (): LabError => startError(command, machine, words.join('\n'))
  const over = (): void => {
    isOver = true
    ready.reject(failure())
  }
  void running.closed.then(over)
  const stop = AbortSignal.any([context.signal, AbortSignal.timeout(machine.commandMs)])
  const abort = (): void => ready.reject(context.signal.aborted ? context.signal.reason : failure())
  stop.addEventListener('abort', abort, { once: true })
  if (stop.aborted) abort()
  try {
    await ready.promise
  } catch (error) {
    await running.end()
    if (!context.signal.aborted) await entrance.check(context.signal)
    throw error
  } finally {
    stop.removeEventListener('abort', abort)
  }
  console.showBackground({ where, argv, typed }, context)
  const key = keyOf(command)
  return {
    is: (other) => !isOver && keyOf(other) === key,
    async stop() {
      await running.end()
      await running.closed
    },
  }
}
