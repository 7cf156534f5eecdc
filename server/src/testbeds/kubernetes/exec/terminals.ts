/** Terminals in the workload's pods: a shell by `exec` with a terminal of its own. */
import { shell, shellEnv } from '../../terminal.ts'
import type { CallContext, Testbed } from '../../testbed.ts'
import type { Cluster } from '../api/cluster.ts'
import { exitCode, refused, type ExecTarget } from './exec.ts'
import { openExecBytes } from './exec-socket.ts'
import type { Reaper } from './reap.ts'

export interface PodPlaces {
  /** The names of the roles that have pods. */
  readonly places: readonly string[]
  /** The pod of a place, ready for commands. @throws LabError `not_found`, `step_not_ready` without pods */
  readonly target: (place: string, context: CallContext) => Promise<ExecTarget>
}

interface Parts extends PodPlaces {
  readonly cluster: Cluster
  readonly reaper: Reaper
}

/** The image decides whether there is Bash. */
const anyShell = ['sh', '-c', 'command -v bash >/dev/null && exec "$@"; exec sh -i', 'sh', ...shell]

export function createPodTerminals({ cluster, reaper, places, target }: Parts): NonNullable<Testbed['terminals']> {
  return {
    places,
    // The pods go with Restore, and nobody can change more than a pod here.
    wereUsed: () => false,
    undo: async () => [],
    async open({ namespace: place, size, onOutput }, context) {
      const at = await target(place, context)
      const { mark, leave } = await reaper.begin(at, context.signal)
      const closed = Promise.withResolvers<{ readonly code: number | null; readonly signal: string | null }>()
      const { PATH: _own, ...env } = shellEnv(place, '')
      const words = Object.entries(env).map(([name, value]) => `${name}=${value}`)
      const listener = {
        bytes: (_stream: 'stdout' | 'stderr', bytes: Buffer) => onOutput(bytes),
        status: (status: Parameters<typeof exitCode>[0]) => closed.resolve({ code: exitCode(status), signal: null }),
        dropped: (why: string) => closed.resolve({ code: null, signal: why }),
      }
      const options = { signal: context.signal, hasInput: true, tty: true }
      const socket = await openExecBytes(cluster, at, ['env', mark, ...words, ...anyShell], listener, options).catch(
        async (error: unknown) => {
          await leave(false)
          context.signal.throwIfAborted()
          throw refused(cluster, at, error)
        },
      )
      socket.resize(size)
      // A shell that ended can have left processes.
      const over = closed.promise.then(async (how) => {
        await leave(false)
        return how
      })
      return {
        closed: over,
        write: (bytes) => socket.write(Buffer.from(bytes)),
        resize: (next) => socket.resize(next),
        async end() {
          socket.terminate()
          closed.resolve({ code: null, signal: 'ended' })
          await over
        },
      }
    },
  }
}
