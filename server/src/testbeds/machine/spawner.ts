/**
 * Starts processes in a separate thread. Starting a process blocks until the new one runs its program: the kernel copies the
 * memory's page tables, and the new process then waits for a processor, for seconds on a busy machine. In the event loop
 * that would block every request.
 */
import { LabError } from '@expresslane/shared/base/errors'
import { Worker } from 'node:worker_threads'
import type { ProcessEnd } from './machine.ts'
import { tooManyFiles } from './open-files.ts'
import type { Begin, Line, Order, Report } from './spawner-messages.ts'

/** A process that was started. */
export interface Started {
  readonly pid: number
  /** Resolves after the last line, once it has ended and its output is closed. Never rejects. */
  readonly closed: Promise<ProcessEnd>
  /** Writes to a process with an open input. */
  write(text: string): void
  /** Ends its input. */
  finish(): void
}

export interface ProcessToStart extends Begin {
  /** Called for each line, without its end; a last line without an end counts. */
  onLine(...line: Line): void
}

export interface Spawner {
  /** @throws LabError `tool_failed` if it can't be started, `too_many_files` */
  start(process: ProcessToStart): Promise<Started>
}

interface Client {
  readonly onLine: ProcessToStart['onLine']
  readonly begun: PromiseWithResolvers<number>
  readonly closed: PromiseWithResolvers<ProcessEnd>
}

function failure(program: string, error: unknown): LabError {
  const full = tooManyFiles(error)
  if (full !== null) return full
  const detail = error instanceof Error ? error.message : String(error)
  return new LabError('tool_failed', `${program} could not be started.`, 'Check that this user can run it.', { detail })
}

/** The thread is made with the first process. It keeps this process alive only while a process that it started runs. */
export function createSpawner(): Spawner {
  const clients = new Map<number, Client>()
  let thread: Worker | null = null
  let latest = 0

  function forget(id: number): void {
    clients.delete(id)
    if (clients.size === 0) thread?.unref()
  }

  function hear(report: Report): void {
    const { id } = report
    const client = clients.get(id)
    if (client === undefined) return
    switch (report.report) {
      case 'begun':
        return client.begun.resolve(report.pid)
      case 'failed':
        forget(id)
        return client.begun.reject(Object.assign(new Error(report.detail), { code: report.code }))
      case 'lines':
        for (const line of report.lines) client.onLine(...line)
        return tell({ id, order: 'taken', lines: report.lines.length })
      case 'closed':
        forget(id)
        return client.closed.resolve({ code: report.code, signal: report.signal })
    }
  }

  /** With the thread, the pipes of its processes are gone. The next process gets a new thread. */
  function lose(why: string): void {
    thread = null
    for (const { begun, closed } of clients.values()) {
      begun.reject(new Error(why))
      closed.resolve({ code: null, signal: null })
    }
    clients.clear()
  }

  function begin(): Worker {
    // Options of this process can name modules to load first.
    const begun = new Worker(new URL('./spawner-worker.ts', import.meta.url), { execArgv: [], env: {} })
    let why = 'the thread that starts processes has ended'
    begun.on('message', hear)
    begun.on('error', (error) => {
      why = error instanceof Error ? error.message : String(error)
    })
    begun.once('exit', () => lose(why))
    return begun
  }

  function tell(order: Order): void {
    thread ??= begin()
    thread.postMessage(order, [])
  }

  return {
    async start({ argv, surroundings, input, onLine }) {
      latest += 1
      const id = latest
      const client: Client = { onLine, begun: Promise.withResolvers(), closed: Promise.withResolvers() }
      clients.set(id, client)
      tell({ id, order: 'begin', argv, surroundings, input })
      thread?.ref()
      try {
        return {
          pid: await client.begun.promise,
          closed: client.closed.promise,
          write: (text) => tell({ id, order: 'write', text }),
          finish: () => tell({ id, order: 'finish' }),
        }
      } catch (error) {
        throw failure(argv[0] ?? '', error)
      }
    },
  }
}
