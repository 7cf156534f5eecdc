/** Processes of the machine that the server runs on. */
import { endGroup } from './group.ts'
import type { Machine } from './machine.ts'
import type { Surroundings } from './spawner-messages.ts'
import { createSpawner, type ProcessToStart, type Started } from './spawner.ts'

const THIS_MACHINE = 'this machine'

const spawner = createSpawner()

/**
 * Starts a process as the leader of its own group: a signal to the group reaches everything that it started.
 *
 * @throws LabError `tool_failed` if it can't be started
 */
export function startProcess(process: ProcessToStart): Promise<Started> {
  return spawner.start(process)
}

/** Starts processes of this machine in these surroundings. With the server's rights, a process has the server's user. */
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
      const read = input === undefined ? 'nothing' : { text: input }
      const { pid, closed } = await startProcess({ argv, surroundings: own, input: read, onLine })
      return { closed, end: () => endGroup(pid) }
    },
  }
}

/** Whether a process with this pid runs on this machine. */
export function lives(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // No permission to signal it: then it exists.
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}
