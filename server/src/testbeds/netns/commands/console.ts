/** Runs commands and shows each as a person would type it. */
import type { CallContext } from '../../testbed.ts'
import { typedLine } from '../../typed.ts'
import type { Entrance, Machine, ProcessStart } from '../../machine/machine.ts'
import { runProcess } from '../../machine/run.ts'
import { linesOf, type ExecOutput } from '../../target.ts'
import { requireProgram } from './programs.ts'

export interface Command {
  /** The name of the namespace that it runs in; null for the machine itself. */
  readonly where: string | null
  /** The command, without the part that enters the testbed's namespaces. */
  readonly argv: readonly string[]
  readonly input?: string
  /** Shown to people; by default argv, quoted as a shell needs it. */
  readonly typed?: string
  /** @defaultValue `commandMs` of the machine */
  readonly deadlineMs?: number
}

export interface Console {
  /** @throws LabError `tool_missing` */
  require(program: string): Promise<void>
  /** Emits and yields line by line, the exit last. @throws LabError, or `signal.reason` once aborted */
  stream(command: Command, context: CallContext, entrance?: Entrance): AsyncGenerator<ExecOutput, void, void>
  /** The lines of stdout. @throws LabError `tool_failed` with the command's output when its exit code is not 0 */
  run(command: Command, context: CallContext, entrance?: Entrance): Promise<string[]>
  /** Resolves when no command is running. */
  idle(): Promise<void>
  /** Shows a command that keeps running in the background, as a shell's `&` does. */
  showBackground(command: Command, context: CallContext): void
}

/** The process that starts a command at its place. @param entrance none for a command that enters nothing */
export function entered(
  argv: readonly string[],
  entrance?: Entrance,
): Pick<ProcessStart, 'argv' | 'asServer' | 'namespace'> {
  if (entrance === undefined) return { argv }
  const { asServer = false, namespace } = entrance
  return { argv: entrance.enter(argv), asServer, ...(namespace === undefined ? {} : { namespace }) }
}

export function createConsole(machine: Machine): Console {
  let nextId = 0
  const running = new Set<Promise<unknown>>()

  function track(closed: Promise<unknown>): void {
    running.add(closed)
    void closed.then(() => running.delete(closed))
  }

  async function* stream(
    command: Command,
    context: CallContext,
    entrance?: Entrance,
  ): AsyncGenerator<ExecOutput, void, void> {
    const { argv, where, typed = typedLine(argv), input, deadlineMs = machine.commandMs } = command
    await requireProgram(argv[0] ?? '', machine)
    context.signal.throwIfAborted()
    const commandId = nextId++
    context.emit({ type: 'command.started', commandId, where: where ?? machine.name, typed })
    const given = input === undefined ? {} : { input }
    const spec = { ...entered(argv, entrance), deadlineMs, started: track, ...given }
    let exit: { code: number | null; signal: string | null } | null = null
    try {
      for await (const item of runProcess(spec, machine, context.signal)) {
        if (item.type === 'exit') {
          exit = item
          // A command also fails when its place has ended: then that is the error.
          if (item.code !== 0) await entrance?.check(context.signal)
        } else context.emit({ type: 'command.output', commandId, stream: item.stream, text: item.text })
        if (item.type === 'line') yield item
      }
    } finally {
      context.emit({
        type: 'command.ended',
        commandId,
        exitCode: exit?.code ?? null,
        signal: exit?.signal ?? null,
      })
    }
    if (exit !== null) yield { type: 'exit', ...exit }
  }

  return {
    require: (program) => requireProgram(program, machine),
    stream,
    run: (command, context, entrance) =>
      linesOf(stream(command, context, entrance), command.typed ?? typedLine(command.argv)),
    async idle() {
      await Promise.all(running)
    },
    showBackground({ where, argv, typed = typedLine(argv) }, context) {
      const commandId = nextId++
      context.emit({ type: 'command.started', commandId, where: where ?? machine.name, typed: `${typed} &` })
      context.emit({ type: 'command.ended', commandId, exitCode: 0, signal: null })
    },
  }
}
