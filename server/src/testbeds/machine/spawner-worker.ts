/** The thread that starts processes. It does nothing else: while the kernel makes a process, it waits. */
import { spawn, type ChildProcess } from 'node:child_process'
import { parentPort } from 'node:worker_threads'
import { readLines } from './read-lines.ts'
import type { Begin, Order, Report } from './spawner-messages.ts'

interface Process {
  write(text: string): void
  finish(): void
  taken(lines: number): void
}

const processes = new Map<number, Process>()

function tell(report: Report): void {
  parentPort?.postMessage(report, [])
}

/** As the leader of its own group: a signal to the group reaches everything that it started. */
function spawned({ argv, surroundings: { env, user }, input }: Begin): ChildProcess {
  const [program = '', ...rest] = argv
  const ids = user === null ? {} : { uid: user.uid, gid: user.gid }
  const stdin = input === 'nothing' ? 'ignore' : 'pipe'
  // The user may not be allowed to enter the server's own folder.
  return spawn(program, rest, { env, cwd: '/', stdio: [stdin, 'pipe', 'pipe'], detached: true, ...ids })
}

function fail(id: number, error: unknown): void {
  const code = error instanceof Error && 'code' in error ? String(error.code) : null
  tell({ id, report: 'failed', detail: error instanceof Error ? error.message : String(error), code })
}

function begin(id: number, how: Begin): void {
  const child = spawned(how)
  if (child.pid === undefined) {
    child.once('error', (error) => fail(id, error))
    return
  }
  const { stdout, stderr } = child
  if (stdout === null || stderr === null) throw new Error('a process without pipes')
  const { taken, last } = readLines({ stdout, stderr }, (lines) => tell({ id, report: 'lines', lines }))
  // The process can end before it has read everything; its exit shows why.
  child.stdin?.on('error', () => {})
  if (typeof how.input === 'object') child.stdin?.end(how.input.text)
  processes.set(id, {
    write: (text) => void child.stdin?.write(text),
    finish: () => void child.stdin?.end(),
    taken,
  })
  child.once('close', (code, signal) => {
    last()
    processes.delete(id)
    tell({ id, report: 'closed', code, signal })
  })
  tell({ id, report: 'begun', pid: child.pid })
}

function beginSafely(id: number, how: Begin): void {
  try {
    begin(id, how)
  } catch (error) {
    fail(id, error)
  }
}

parentPort?.on('message', (given: Order) => {
  // A process that has ended takes no more.
  const process = processes.get(given.id)
  switch (given.order) {
    case 'begin':
      return beginSafely(given.id, given)
    case 'write':
      return process?.write(given.text)
    case 'finish':
      return process?.finish()
    case 'taken':
      return process?.taken(given.lines)
  }
})
