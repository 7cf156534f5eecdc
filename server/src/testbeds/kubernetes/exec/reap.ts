/**
 * Ends commands in pods for certain. Closing an exec's socket does not end the command (kubernetes#89031), so each is
 * started with a mark in its environment, which its children inherit, and is ended by a second exec that looks for
 * the mark.
 */
import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { LabError } from '@expresslane/shared/base/errors'
import { lives } from '../../machine/process.ts'
import type { ExecOutput } from '../../target.ts'
import type { Cluster } from '../api/cluster.ts'
import { execIn, type ExecOptions, type ExecTarget } from './exec.ts'
import { killArgv, listArgv, MARK } from './reap-scripts.ts'

/** Time limit for ending a command, including the connection. */
const KILL_MS = 10_000
/** A command that is not seen after so many rounds of 50 ms was never started, or has ended. */
const ROUNDS = 20

/** The Expresslane process that started a command: `HOST.PID.RANDOM`, without a slash. */
export type Owner = string

/** A unique name for this process. */
export function thisOwner(): Owner {
  return `${hostname().replaceAll(/[^\w-]/g, '-')}.${process.pid}.${randomBytes(4).toString('hex')}`
}

/**
 * Whether the owner is an Expresslane that still runs on this machine. Commands of a headless run that is measuring
 * now must not be ended.
 */
export function stillRuns(owner: Owner, self: Owner, isRunning: (pid: number) => boolean = lives): boolean {
  if (owner === self) return true
  const [host, pid] = owner.split('.')
  const [ownHost, ownPid] = self.split('.')
  // This process has one owner, so another owner with its process id is of a process that is gone.
  return host === ownHost && pid !== ownPid && pid !== undefined && isRunning(Number(pid))
}

export interface Reaper {
  /**
   * Like {@link execIn}, but when it ends, the command and everything that it started are gone. If the pod can't be
   * reached, they are ended before the next command starts there.
   */
  exec(at: ExecTarget, argv: readonly string[], options: ExecOptions): AsyncGenerator<ExecOutput, void, void>
  /**
   * For a command that is started otherwise: its mark, as an argument of `env`, and a function to call last.
   *
   * @returns `leave` ends the command with everything that it started, unless it is over
   */
  begin(
    at: ExecTarget,
    signal: AbortSignal,
  ): Promise<{ readonly mark: string; readonly leave: (isOver: boolean) => Promise<void> }>
  /** Registers a new pod, in which nothing has run yet. */
  fresh(at: ExecTarget): void
  /** Resolves when the commands of now have ended, and are gone. */
  idle(): Promise<void>
}

function keyOf(at: ExecTarget): string {
  return `${at.namespace}/${at.pod}/${at.container}/${at.uid ?? ''}`
}

/** The command was never started, or went with its pod. */
function leavesNothing(error: unknown): boolean {
  const codes = ['testbed_gone', 'tool_missing', 'tool_failed', 'cluster_forbidden', 'cluster_unauthorized']
  return error instanceof LabError && codes.includes(error.code)
}

async function lines(
  cluster: Cluster,
  at: ExecTarget,
  argv: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const found: string[] = []
  for await (const item of execIn(cluster, at, argv, { signal, deadlineMs: KILL_MS })) {
    if (item.type === 'line') found.push(item.text)
    else if (item.code !== 0) {
      const detail = found.join(' ')
      throw new LabError(
        'tool_failed',
        `Commands in pod ${at.pod} could not be ended.`,
        'Run the step again. If that does not help, delete the pod.',
        { detail },
      )
    }
  }
  return found
}

async function kill(
  cluster: Cluster,
  at: ExecTarget,
  mark: string,
  rounds: number,
  signal: AbortSignal,
): Promise<void> {
  try {
    await lines(cluster, at, killArgv(mark, rounds), signal)
  } catch (error) {
    if (!(error instanceof LabError && error.code === 'testbed_gone')) throw error
  }
}

/**
 * @param namespace of the workload: in its pods, commands of Expresslanes that are gone are ended before anything
 * else is run. Other pods are not searched.
 */
export function createReaper(cluster: Cluster, namespace: string, owner: Owner = thisOwner()): Reaper {
  let count = 0
  /** By pod: marks of the commands that could not be ended yet. */
  const owed = new Map<string, Set<string>>()
  /** A promise for each command, until the command is gone. */
  const running = new Set<Promise<void>>()
  /** By pod: the search for commands that other Expresslanes left. */
  const searched = new Map<string, Promise<void>>()

  /** Ends one of our commands; if that fails now, it is done before the next command there. */
  async function end(at: ExecTarget, mark: string): Promise<void> {
    try {
      await kill(cluster, at, mark, ROUNDS, AbortSignal.timeout(KILL_MS))
    } catch {
      owe(at, mark)
    }
  }

  function owe(at: ExecTarget, mark: string): void {
    const key = keyOf(at)
    owed.set(key, (owed.get(key) ?? new Set()).add(mark))
  }

  async function search(at: ExecTarget, signal: AbortSignal): Promise<void> {
    const owners = (await lines(cluster, at, listArgv(), signal)).map((line) => line.split('/')[0] ?? '')
    for (const gone of new Set(owners.filter((one) => !stillRuns(one, owner)))) {
      await kill(cluster, at, `${MARK}=/${gone}/`, 0, signal)
    }
  }

  /** Ends commands that could not be ended before in this pod, and leftovers of other processes. */
  async function prepare(at: ExecTarget, signal: AbortSignal): Promise<void> {
    const key = keyOf(at)
    for (const mark of owed.get(key) ?? []) {
      await kill(cluster, at, mark, 0, signal)
      owed.get(key)?.delete(mark)
    }
    if (at.namespace !== namespace || at.uid === undefined) return
    const searching = searched.get(key) ?? search(at, signal)
    searched.set(key, searching)
    await searching.catch((error: unknown) => {
      if (searched.get(key) === searching) searched.delete(key)
      throw error
    })
  }

  async function begin(at: ExecTarget, signal: AbortSignal): ReturnType<Reaper['begin']> {
    await prepare(at, signal)
    count += 1
    const mark = `${MARK}=/${owner}/${count}/`
    const gone = Promise.withResolvers<void>()
    running.add(gone.promise)
    return {
      mark,
      async leave(isOver) {
        if (!isOver) await end(at, mark)
        running.delete(gone.promise)
        gone.resolve()
      },
    }
  }

  async function* exec(
    at: ExecTarget,
    argv: readonly string[],
    options: ExecOptions,
  ): AsyncGenerator<ExecOutput, void, void> {
    options.signal.throwIfAborted()
    const { mark, leave } = await begin(at, options.signal)
    let over = false
    try {
      for await (const item of execIn(cluster, at, argv, { ...options, mark })) {
        over = item.type === 'exit'
        yield item
      }
    } catch (error) {
      // Aborted, for whatever reason: it still runs.
      over = !options.signal.aborted && leavesNothing(error)
      if (error instanceof LabError && error.code === 'exec_dropped') {
        over = true
        owe(at, mark)
      }
      throw error
    } finally {
      await leave(over)
    }
  }

  return {
    exec,
    begin,
    fresh: (at) => void searched.set(keyOf(at), Promise.resolve()),
    async idle() {
      await Promise.all(running)
    },
  }
}
