/** Runs commands in pods and shows each as a person would type it. */
import { LabError } from '@expresslane/shared/base/errors'
import type { CallContext } from '../../testbed.ts'
import { linesOf, type ExecOutput } from '../../target.ts'
import { typedLine } from '../../typed.ts'
import type { Cluster } from '../api/cluster.ts'
import { execIn, type ExecTarget } from './exec.ts'
import type { Reaper } from './reap.ts'

/** Deadline in milliseconds for a command that ends at once unless it hangs. */
const COMMAND_MS = 20_000

export interface Command {
  readonly at: ExecTarget
  readonly argv: readonly string[]
  /** The place where it runs, for people. @defaultValue the pod's name */
  readonly where?: string
  /** Shown to people; by default argv through `kubectl exec`, quoted as a shell needs it. */
  readonly typed?: string
  /** @defaultValue COMMAND_MS */
  readonly deadlineMs?: number
  /** Its pod is removed right after it, which also ends the command. @defaultValue false */
  readonly goesWithPod?: boolean
}

export interface Console {
  /**
   * Emits and yields line by line, the exit last.
   *
   * @throws the errors of `execIn`; `signal.reason` once aborted, and the command is gone by then
   */
  stream(command: Command, context: CallContext): AsyncGenerator<ExecOutput, void, void>
  /** Shows the output of a command that runs elsewhere, line by line. @throws the errors of the output */
  show(
    shown: { readonly where: string; readonly typed: string },
    output: AsyncIterable<ExecOutput>,
    context: CallContext,
  ): AsyncGenerator<ExecOutput, void, void>
  /** The lines of stdout. @throws LabError `tool_failed` with the command's output when its exit code is not 0 */
  run(command: Command, context: CallContext): Promise<string[]>
  /**
   * Does `work` and shows it as `typed`, the `kubectl` command that a person would use for it.
   *
   * @param work gets a function that prints a line of the command's output
   */
  showAs<T>(typed: string, context: CallContext, work: (print: (text: string) => void) => Promise<T>): Promise<T>
  /** Resolves when no command is running. */
  idle(): Promise<void>
}

/** A command in a container as a person would type it. */
export function kubectlExec({ namespace, pod, container }: ExecTarget, argv: readonly string[]): string {
  return typedLine(['kubectl', '-n', namespace, 'exec', pod, '-c', container, '--', ...argv])
}

/** An error as `kubectl` would print it. */
function wordsOf(error: unknown): string {
  if (error instanceof LabError) return error.detail ?? error.message
  return error instanceof Error ? error.message : String(error)
}

export function createConsole(cluster: Cluster, reaper: Reaper): Console {
  let nextId = 0
  const running = new Set<Promise<void>>()

  /** Emits the start of a command; call `end` with its exit code, null if it was stopped. */
  function begin(where: string, typed: string, { emit }: CallContext): { id: number; end(code: number | null): void } {
    const ended = Promise.withResolvers<void>()
    const id = nextId++
    emit({ type: 'command.started', commandId: id, where, typed })
    running.add(ended.promise)
    return {
      id,
      end(exitCode) {
        running.delete(ended.promise)
        ended.resolve()
        emit({ type: 'command.ended', commandId: id, exitCode, signal: null })
      },
    }
  }

  function stream(command: Command, context: CallContext): AsyncGenerator<ExecOutput, void, void> {
    const { at, argv, where = at.pod, typed = kubectlExec(at, argv), deadlineMs = COMMAND_MS } = command
    const options = { signal: context.signal, deadlineMs }
    const output = command.goesWithPod === true ? execIn(cluster, at, argv, options) : reaper.exec(at, argv, options)
    return show({ where, typed }, output, context)
  }

  async function* show(
    { where, typed }: { readonly where: string; readonly typed: string },
    output: AsyncIterable<ExecOutput>,
    context: CallContext,
  ): AsyncGenerator<ExecOutput, void, void> {
    const { signal, emit } = context
    signal.throwIfAborted()
    const shown = begin(where, typed, context)
    let exit: (ExecOutput & { type: 'exit' }) | null = null
    try {
      for await (const item of output) {
        if (item.type === 'exit') exit = item
        else {
          emit({ type: 'command.output', commandId: shown.id, stream: item.stream, text: item.text })
          yield item
        }
      }
    } finally {
      shown.end(exit?.code ?? null)
    }
    if (exit !== null) yield exit
  }

  async function showAs<T>(
    typed: string,
    context: CallContext,
    work: (print: (text: string) => void) => Promise<T>,
  ): Promise<T> {
    context.signal.throwIfAborted()
    const shown = begin(cluster.context, typed, context)
    const print = (to: 'stdout' | 'stderr', text: string): void =>
      context.emit({ type: 'command.output', commandId: shown.id, stream: to, text })
    let code: number | null = null
    try {
      const result = await work((text) => print('stdout', text))
      code = 0
      return result
    } catch (error) {
      if (!context.signal.aborted) {
        code = 1
        for (const text of wordsOf(error).split('\n')) print('stderr', text)
      }
      throw error
    } finally {
      shown.end(code)
    }
  }

  return {
    stream,
    show,
    run: (command, context) =>
      linesOf(stream(command, context), command.typed ?? kubectlExec(command.at, command.argv)),
    showAs,
    async idle() {
      await Promise.all(running)
    },
  }
}
