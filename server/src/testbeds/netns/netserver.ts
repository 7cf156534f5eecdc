/** The server pod's netserver: a background process that the testbed owns. */
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { LabError } from '@expresslane/shared/wire/errors'
import type { Console, Entrance } from './console.ts'
import { onCpu } from './cpus.ts'
import { endGroup } from './group.ts'
import { requireProgram, type Outside } from './outside.ts'
import { startProcess } from './process.ts'
import type { CallContext } from '../testbed.ts'

/** `-D`: stay in the foreground; `-N`: leave no debug file in /tmp. */
const argv = ['netserver', '-D', '-N']

/** netserver prints this, flushed, once it listens. */
const LISTENING = 'Starting netserver'

export interface Netserver {
  /** Ends it and its tests; resolves when none of its processes is left. */
  stop(): Promise<void>
}

function startError(detail: string): LabError {
  return new LabError(
    'tool_failed',
    'netserver did not start listening in the server pod.',
    'Read its output, then run the step again.',
    { detail },
  )
}

/**
 * Starts netserver in a namespace and waits until it listens.
 *
 * @param cpu the CPU that it runs on, with the processes that it starts; undefined to leave them to the scheduler
 *
 * @throws LabError `tool_missing`, `tool_failed`, `testbed_gone`; `signal.reason`
 */
export async function startNetserver(
  namespace: string,
  cpu: number | undefined,
  { console, entrance, context }: { console: Console; entrance: Entrance; context: CallContext },
  outside: Outside,
): Promise<Netserver> {
  await requireProgram('netserver', outside.env)
  const typed = ['ip', 'netns', 'exec', namespace, ...onCpu(cpu, argv)]
  const child = await startProcess(entrance.enter(typed), outside, 'ignore')
  const words: string[] = []
  const listening = Promise.withResolvers<void>()
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) throw new Error('netserver has no pipes')
    createInterface({ input: stream }).on('line', (line) => {
      if (words.length < 20) words.push(line)
      if (line.startsWith(LISTENING)) listening.resolve()
    })
  }
  const closed = once(child, 'close')
  void closed.then(() => listening.reject(startError(words.join('\n'))))
  const stop = AbortSignal.any([context.signal, AbortSignal.timeout(outside.commandMs)])
  const abort = (): void =>
    listening.reject(context.signal.aborted ? context.signal.reason : startError(words.join('\n')))
  stop.addEventListener('abort', abort, { once: true })
  if (stop.aborted) abort()
  try {
    await listening.promise
  } catch (error) {
    await endGroup(child.pid)
    if (!context.signal.aborted) await entrance.check(context.signal)
    throw error
  } finally {
    stop.removeEventListener('abort', abort)
  }
  console.showBackground({ where: namespace, argv: typed }, context)
  return {
    async stop() {
      await endGroup(child.pid)
      await closed
    },
  }
}
