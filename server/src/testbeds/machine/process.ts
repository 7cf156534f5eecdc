/** Processes of the machine that the server runs on. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { LabError } from '@expresslane/shared/wire/errors'
import { endGroup } from './group.ts'
import type { Machine, ProcessEnd } from './machine.ts'

const THIS_MACHINE = 'this machine'

/** What surrounds a process: its environment, and the user that it runs as, null for the server's own. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string>>
  readonly user: { readonly uid: number; readonly gid: number } | null
}

/** Starts a process as the leader of its own group: a signal to the group reaches everything that it started. */
export async function startProcess(
  argv: readonly string[],
  { env, user }: Surroundings,
  stdin: 'pipe' | 'ignore',
): Promise<ChildProcess & { readonly pid: number }> {
  const [program = '', ...rest] = argv
  const ids = user === null ? {} : { uid: user.uid, gid: user.gid }
  // The server's own folder may be one that the user can't enter.
  const child = spawn(program, rest, { env, cwd: '/', stdio: [stdin, 'pipe', 'pipe'], detached: true, ...ids })
  try {
    await once(child, 'spawn')
  } catch (error) {
    throw new LabError('tool_failed', `${program} could not be started.`, 'Check that this user can run it.', {
      detail: error instanceof Error ? error.message : String(error),
      cause: error,
    })
  }
  const { pid } = child
  if (pid === undefined) throw new Error(`${program} was spawned without a pid`)
  return Object.assign(child, { pid })
}

/** Starts processes of this machine in these surroundings; one that asks for the server's rights has the server's user. */
export function processesHere({
  env,
  user,
}: Surroundings): Pick<Machine, 'kind' | 'instructionsPerMicrosecond' | 'name' | 'start'> {
  return {
    kind: 'netns',
    instructionsPerMicrosecond: null,
    name: THIS_MACHINE,
    async start({ argv, asServer = false, input, onLine }) {
      const own: Surroundings = { env, user: asServer ? null : user }
      const child = await startProcess(argv, own, input === undefined ? 'ignore' : 'pipe')
      for (const stream of ['stdout', 'stderr'] as const) {
        const output = child[stream]
        if (output === null) throw new Error(`${stream} is no pipe`)
        createInterface({ input: output, crlfDelay: Infinity }).on('line', (text) => onLine(stream, text))
      }
      const closed = Promise.withResolvers<ProcessEnd>()
      child.once('close', (code, signal) => closed.resolve({ code, signal }))
      // It can end before it has read everything; its exit shows why.
      child.stdin?.on('error', () => {}).end(input)
      return { closed: closed.promise, end: () => endGroup(child.pid) }
    },
  }
}
