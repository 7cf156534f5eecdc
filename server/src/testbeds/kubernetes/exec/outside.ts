/** Runs commands on a machine outside of the cluster, through a command that runs its arguments there. */
import { LabError } from '@expresslane/shared/base/errors'
import { processesHere } from '../../machine/process.ts'
import { runProcess } from '../../machine/run.ts'
import { linesOf, type ExecOutput } from '../../target.ts'
import type { CallContext } from '../../testbed.ts'
import { typedLine } from '../../typed.ts'
import type { Console } from './console.ts'

export interface OutsideOptions {
  /** The command in front of the commands there: `outside exec`. Null if there is none. */
  readonly command: readonly string[] | null
  readonly env: Readonly<Record<string, string>>
}

/** Why no client can run outside. */
export const NO_OUTSIDE =
  'The client of this lab runs on a machine outside of the cluster: start Expresslane with EXPRESSLANE_OUTSIDE, a command that runs its arguments there.'

/** A machine outside of the cluster. */
export interface OutsideMachine {
  readonly isThere: boolean
  /** Runs argv there. @throws LabError `bad_request` without a command, `tool_failed`, `deadline_exceeded`; `signal.reason` */
  stream(argv: readonly string[], deadlineMs: number, context: CallContext): AsyncGenerator<ExecOutput, void, void>
  /** The lines of stdout. @throws LabError `tool_failed` with the command's output when its exit code is not 0 */
  run(argv: readonly string[], deadlineMs: number, context: CallContext): Promise<string[]>
}

export function createOutside({ command, env }: OutsideOptions, console: Console): OutsideMachine {
  const here = processesHere({ env: { ...env, LC_ALL: 'C' }, user: null })

  function stream(argv: readonly string[], deadlineMs: number, context: CallContext) {
    if (command === null) {
      throw new LabError('bad_request', NO_OUTSIDE, 'Set EXPRESSLANE_OUTSIDE, and start Expresslane again.')
    }
    const whole = [...command, ...argv]
    const output = runProcess({ argv: whole, deadlineMs }, here, context.signal)
    return console.show({ where: 'outside', typed: typedLine(whole) }, output, context)
  }

  return {
    isThere: command !== null,
    stream,
    run: async (argv, deadlineMs, context) =>
      linesOf(stream(argv, deadlineMs, context), typedLine([...(command ?? []), ...argv])),
  }
}
