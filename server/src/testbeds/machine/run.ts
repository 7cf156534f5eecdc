/** Runs a process of a machine: its lines as they come, and an end that leaves nothing running. */
import { LabError } from '@expresslane/shared/base/errors'
import type { ExecOutput } from '../target.ts'
import type { Machine, ProcessEnd, ProcessStart } from './machine.ts'

export interface ProcessSpec extends Omit<ProcessStart, 'onLine'> {
  readonly deadlineMs: number
  /** Called once it runs, with a promise that resolves when it has ended. */
  readonly started?: (closed: Promise<ProcessEnd>) => void
}

function deadlineError({ argv, deadlineMs }: ProcessSpec, name: string): LabError {
  return new LabError(
    'deadline_exceeded',
    `${argv[0] ?? 'A command'} did not end within ${deadlineMs / 1000} seconds and was stopped.`,
    `Run the step again; if it happens again, check the load of ${name}.`,
    { detail: argv.join(' ') },
  )
}

/**
 * Runs a process and yields its lines as it prints them, its exit last. Leaving the loop early stops it.
 *
 * @throws `signal.reason` when aborted, LabError `deadline_exceeded`; the whole process group is gone by then
 */
export async function* runProcess(
  spec: ProcessSpec,
  machine: Pick<Machine, 'name' | 'start'>,
  signal: AbortSignal,
): AsyncGenerator<ExecOutput, void, void> {
  signal.throwIfAborted()
  const { deadlineMs, started, ...process } = spec
  const items: ExecOutput[] = []
  let wake = Promise.withResolvers<void>()
  const push = (item: ExecOutput): void => {
    items.push(item)
    wake.resolve()
  }
  const running = await machine.start({ ...process, onLine: (stream, text) => push({ type: 'line', stream, text }) })
  void running.closed.then((end) => push({ type: 'exit', ...end }))
  started?.(running.closed)

  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(deadlineError(spec, machine.name)), deadlineMs)
  const stop = AbortSignal.any([signal, deadline.signal])
  let ended = false
  let ending: Promise<void> | null = null
  const end = (): void => {
    // At once, not when the reader asks for the next line.
    if (!ended) ending ??= running.end()
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
    if (!ended) await (ending ?? running.end())
  }
}
