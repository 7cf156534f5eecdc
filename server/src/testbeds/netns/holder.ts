/**
 * The one process that holds the testbed's private namespaces. When it ends, for whatever
 * reason, the kernel ends all that runs in them and takes the devices away.
 */
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { LabError } from '@expresslane/shared/wire/errors'
import type { Entrance } from './console.ts'
import { namespacesRemedy } from './denied.ts'
import { endGroup } from './group.ts'
import { requireProgram, type Outside } from './outside.ts'
import { startProcess } from './process.ts'

/**
 * Around the namespaces' own user namespace lies another, in which the same user is no root. tcpdump runs in that one:
 * for a root it would change to a user of its own, and in a namespace with one user it can't. Who made the inner one
 * may still open its packet sockets from there (cap_capable in security/commoncap.c).
 */
const unshareArgv: readonly string[] = [
  'unshare',
  '--user',
  '--map-user=1',
  '--map-group=1',
  '--fork',
  '--kill-child',
  'unshare',
  '--user',
  '--map-root-user',
  '--net',
  '--mount',
  '--pid',
  '--fork',
  '--kill-child',
]

/**
 * What runs as process 1 of the namespaces. It tells its pid as the host counts (a mounted /proc
 * shows the pids of the namespace that it was mounted in), then echoes each line: that proves it
 * alive. Its stdin is a pipe from the server: when the server dies, however it dies, the read
 * ends, and with process 1 everything. The tmpfs hides the host's named namespaces. Node's pipe is a socket,
 * by which bash takes itself for one that rshd started and would read the user's ~/.bashrc, whatever that does.
 */
const program = [
  'mount -t tmpfs tmpfs /run || exit 1',
  'read -r pid rest </proc/self/stat',
  'echo "$pid"',
  'while read -r line; do echo "$line"; done',
].join('\n')

export interface Holder extends Entrance {
  readonly incarnation: string
  /** The way into a named network namespace for what sees packets there. */
  watching(namespace: string): Entrance
  /** Aborted with `testbed_gone` when it has ended. */
  readonly gone: AbortSignal
  /** Ends it; resolves when nothing of it is left. */
  close(): Promise<void>
}

function goneError(): LabError {
  return new LabError(
    'testbed_gone',
    'The testbed on this machine ended while it was in use.',
    'Deploy again: that builds a new testbed. Then run the step again.',
  )
}

/**
 * Makes the private namespaces.
 *
 * @throws LabError `namespaces_denied` with the remedy for this machine, `tool_missing`, or `signal.reason`
 */
export async function startHolder(incarnation: string, outside: Outside, signal: AbortSignal): Promise<Holder> {
  for (const name of ['unshare', 'nsenter', 'bash', 'mount', 'ip']) await requireProgram(name, outside.env)
  // Node's pipes are sockets, and with a socket as stdin bash takes itself for a remote shell: it would read ~/.bashrc.
  const child = await startProcess([...unshareArgv, 'bash', '--norc', '-c', program], outside.env, 'pipe')
  const { stdin, stdout, stderr, pid: group } = child
  if (stdin === null || stdout === null || stderr === null) throw new Error('the holder has no pipes')
  const gone = new AbortController()
  const words: string[] = []
  createInterface({ input: stderr }).on('line', (line) => words.push(line))
  // A write to a holder that just ended is answered by `gone`.
  stdin.on('error', () => {})
  const closed = once(child, 'close').then(() => gone.abort(goneError()))

  const waiting: ((line: string) => void)[] = []
  createInterface({ input: stdout }).on('line', (line) => waiting.shift()?.(line))

  /** The next line that it prints; rejects when `until` is aborted first. */
  function nextLine(until: AbortSignal): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    waiting.push(resolve)
    const stop = (): void => reject(until.reason)
    if (until.aborted) stop()
    until.addEventListener('abort', stop, { once: true })
    return promise.finally(() => until.removeEventListener('abort', stop))
  }

  async function close(): Promise<void> {
    stdin?.end()
    await endGroup(group)
    await closed
  }

  let pid: string
  try {
    pid = await nextLine(AbortSignal.any([gone.signal, signal, AbortSignal.timeout(outside.commandMs)]))
  } catch (error) {
    const ended = gone.signal.aborted
    await close()
    signal.throwIfAborted()
    if (!ended) throw slowError(outside.commandMs, error)
    throw await deniedError(words.join('\n'), outside, error)
  }

  async function check(until: AbortSignal): Promise<void> {
    // All replies are equal, so whoever is first in the queue may take any.
    const alive = nextLine(AbortSignal.any([gone.signal, until]))
    stdin?.write('alive\n')
    await alive
  }

  return {
    incarnation,
    gone: gone.signal,
    enter: (argv) => ['nsenter', '-t', pid, '-U', '-m', '-n', '-p', '--preserve-credentials', ...argv],
    watching(namespace) {
      const files = [`--user=/proc/${group}/ns/user`, `--net=/proc/${pid}/root/run/netns/${namespace}`]
      return { enter: (argv) => ['nsenter', '-t', pid, ...files, '-p', '--preserve-credentials', ...argv], check }
    },
    check,
    close,
  }
}

function slowError(ms: number, cause: unknown): LabError {
  return new LabError(
    'deadline_exceeded',
    `This machine did not create the testbed's namespaces within ${ms / 1000} seconds.`,
    'Check the load of this machine, then try again.',
    { cause },
  )
}

async function deniedError(detail: string, outside: Outside, cause: unknown): Promise<LabError> {
  const { remedy, remedyCommand } = await namespacesRemedy(outside)
  return new LabError('namespaces_denied', 'This machine does not let this user create network namespaces.', remedy, {
    detail,
    cause,
    ...(remedyCommand === null ? {} : { remedyCommand }),
  })
}
