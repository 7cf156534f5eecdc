/** Runs a command on a testbed until it ends, and returns its output as text. */
import { LabError } from '@expresslane/shared/base/errors'
import type { Target } from '../testbeds/target.ts'
import type { CallContext, Testbed } from '../testbeds/testbed.ts'

const WORDS_KEPT = 2000

/** The same call, whose commands are shown without their output. @param ending also ends it */
export function withoutOutput({ signal, emit }: CallContext, ending?: AbortSignal): CallContext {
  return {
    signal: ending === undefined ? signal : AbortSignal.any([signal, ending]),
    emit: (event) => {
      if (event.type !== 'command.output') emit(event)
    },
  }
}

/** @returns the command's stdout @throws LabError `tool_failed` if its exit code is not 0 */
export async function collect(
  testbed: Testbed,
  target: Target,
  argv: readonly string[],
  context: CallContext,
): Promise<string> {
  const out: string[] = []
  const words: string[] = []
  for await (const item of testbed.exec(target, argv, context)) {
    if (item.type === 'line') {
      words.push(item.text)
      if (item.stream === 'stdout') out.push(item.text)
      continue
    }
    if (item.code === 0) continue
    const how = item.code === null ? `was ended by ${item.signal ?? 'a signal'}` : `failed with exit code ${item.code}`
    throw new LabError('tool_failed', `\`${argv.join(' ')}\` ${how}.`, 'Check its output, then run the step again.', {
      detail: words.join('\n').slice(-WORDS_KEPT),
    })
  }
  return out.join('\n')
}
