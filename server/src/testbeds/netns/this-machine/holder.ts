/**
 * The one process that holds the testbed's private namespaces. When it ends, for any reason, the kernel ends
 * everything that runs in them and removes the devices.
 */
import { LabError } from '@expresslane/shared/base/errors'
import type { Machine, NamespaceHolder } from '../../machine/machine.ts'
import { namespacesRemedy } from './denied.ts'
import { endGroup, goOn } from '../../machine/group.ts'
import { inNamespace } from '../commands/places.ts'
import { requireProgram } from '../commands/programs.ts'
import { startProcess } from '../../machine/process.ts'
import type { ProcessToStart, Started } from '../../machine/spawner.ts'
import { createTerminals } from './terminals.ts'
import { helpedArgv, type User } from './user.ts'

/**
 * The namespaces' user namespace is inside another one, in which the same user is not root. tcpdump runs in the outer
 * one: as root it would switch to its own user, which fails in a namespace with one user. The creator of the inner
 * namespace can open packet sockets in it from outside (cap_capable in security/commoncap.c). A server that is root
 * starts all of it as an ordinary user: processes here own no file of root's.
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
 * Process 1 of the namespaces. It prints its pid on the host (a mounted /proc shows the pids of the namespace in
 * which it was mounted), then echoes each line, which proves that it is alive. Its stdin is a pipe from the server:
 * when the server dies, the read ends, then process 1, then everything else. The tmpfs hides the host's named
 * namespaces.
 */
const program = [
  'mount -t tmpfs tmpfs /run || exit 1',
  'read -r pid rest </proc/self/stat',
  'echo "$pid"',
  'while read -r line; do echo "$line"; done',
].join('\n')

function goneError(): LabError {
  return new LabError(
    'testbed_gone',
    'The testbed on this machine ended while it was in use.',
    'If the lab has a Deploy step, run it again. Then run this step again.',
  )
}

/** The environment of the holder, and who it runs as; null for the server's own user. */
interface HolderSurroundings {
  readonly env: Readonly<Record<string, string>>
  readonly user: User | null
}

/** Starts it as the testbed's user. */
async function startUnshare(
  argv: readonly string[],
  machine: Machine,
  { user, env }: HolderSurroundings,
  onLine: ProcessToStart['onLine'],
): Promise<Started> {
  const helped = user?.helped === true && (await machine.findProgram('setpriv')) !== null
  const how = { input: 'open', onLine } as const
  if (!helped || user === null) return startProcess({ argv, surroundings: { env, user }, ...how })
  return startProcess({ argv: helpedArgv(user, argv), surroundings: { env, user: null }, ...how })
}

/**
 * Makes the private namespaces.
 *
 * @throws LabError `namespaces_denied` with the remedy for this machine, `tool_missing`, or `signal.reason`
 */
export async function startHolder(
  machine: Machine,
  surroundings: HolderSurroundings,
  signal: AbortSignal,
): Promise<NamespaceHolder> {
  for (const name of ['unshare', 'nsenter', 'taskset', 'bash', 'mount', 'ip']) await requireProgram(name, machine)
  // Node's pipes are sockets. With a socket as stdin, bash assumes a remote shell and would read ~/.bashrc.
  const words: string[] = []
  /** Printed before anybody waited for it. */
  const early: string[] = []
  const waiting: ((line: string) => void)[] = []
  const holder = [...unshareArgv, 'bash', '--norc', '-c', program]
  const child = await startUnshare(holder, machine, surroundings, (stream, line) => {
    const next = stream === 'stdout' ? waiting.shift() : undefined
    if (next !== undefined) next(line)
    else (stream === 'stdout' ? early : words).push(line)
  })
  const { pid: group } = child
  const gone = new AbortController()
  const closed = child.closed.then(() => gone.abort(goneError()))

  /** The next line that it prints; rejects when `until` is aborted first. */
  function nextLine(until: AbortSignal): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const line = early.shift()
    if (line === undefined) waiting.push(resolve)
    else resolve(line)
    const stop = (): void => reject(until.reason)
    if (until.aborted) stop()
    until.addEventListener('abort', stop, { once: true })
    return promise.finally(() => until.removeEventListener('abort', stop))
  }

  const terminals = createTerminals({ enter: (argv) => enter(argv) }, machine, surroundings)

  async function close(): Promise<void> {
    await terminals.close()
    child.finish()
    await endGroup(group)
    await closed
  }

  let pid: string
  try {
    pid = await nextLine(AbortSignal.any([gone.signal, signal, AbortSignal.timeout(machine.commandMs)]))
  } catch (error) {
    const ended = gone.signal.aborted
    await close()
    signal.throwIfAborted()
    if (!ended) throw slowError(machine.commandMs, error)
    throw await deniedError(words.join('\n'), machine, error)
  }

  async function check(until: AbortSignal): Promise<void> {
    // All replies are equal, so the first waiter can take any of them.
    const alive = nextLine(AbortSignal.any([gone.signal, until]))
    child.write('alive\n')
    // A stopped process would not answer, and a server that ends would wait for it.
    goOn(group)
    await alive
  }

  const enter = (argv: readonly string[]): string[] => {
    return ['nsenter', '-t', pid, '-U', '-m', '-n', '-p', '--preserve-credentials', ...argv]
  }

  return {
    gone: gone.signal,
    enter,
    inside: (namespace) => ({ enter: (argv) => enter(inNamespace(namespace, argv)), check }),
    watching(namespace) {
      // All by file: nsenter of util-linux 2.41 enters the namespaces of `-t` first, without the rights in the user
      // namespace.
      const files = [
        `--user=/proc/${group}/ns/user`,
        `--net=/proc/${pid}/root/run/netns/${namespace}`,
        `--pid=/proc/${pid}/ns/pid`,
      ]
      return { enter: (argv) => ['nsenter', ...files, '--preserve-credentials', ...argv], check }
    },
    withServerRights(namespace) {
      const files = [`--net=/proc/${pid}/root/run/netns/${namespace}`, `--pid=/proc/${pid}/ns/pid`]
      return { asServer: true, enter: (argv) => ['nsenter', ...files, ...argv], check }
    },
    outside: { asServer: true, enter: (argv) => [...argv], check },
    check,
    terminal: terminals.open,
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

async function deniedError(detail: string, machine: Machine, cause: unknown): Promise<LabError> {
  const { remedy, remedyCommand } = await namespacesRemedy(machine)
  return new LabError('namespaces_denied', 'This machine does not let this user create network namespaces.', remedy, {
    detail,
    cause,
    ...(remedyCommand === null ? {} : { remedyCommand }),
  })
}
