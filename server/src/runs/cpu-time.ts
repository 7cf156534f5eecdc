/** How long the machines of both pods were busy. */
import { LabError } from '@expresslane/shared/wire/errors'
import type { Context, Testbed } from '../testbeds/testbed.ts'
import { parseProcStat, procStatArgv, type CpuTime } from '../tools/proc-stat.ts'
import { collect } from './collect.ts'

/** Of both pods' machines at one moment. */
export interface PairCpuTime {
  readonly client: CpuTime
  readonly server: CpuTime
}

/** @returns null where a pod may not read it; @throws LabError of the testbed; `signal.reason` */
export async function readPairCpuTime(testbed: Testbed, { signal, emit }: Context): Promise<PairCpuTime | null> {
  const quiet: Context = {
    signal,
    emit: (event) => {
      if (event.type !== 'command.output') emit(event)
    },
  }
  const read = async (role: 'client' | 'server'): Promise<CpuTime> =>
    parseProcStat(await collect(testbed, role, procStatArgv, quiet))
  try {
    const [client, server] = await Promise.all([read('client'), read('server')])
    return { client, server }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof LabError && (error.code === 'tool_failed' || error.code === 'tool_output_unreadable')) {
      return null
    }
    throw error
  }
}

/**
 * CPU seconds that the machines of client and server were busy in between; one kernel under both pods counts once.
 * Whatever else ran there is in it.
 *
 * @returns null where it was not read, or a machine was booted in between
 */
export function busySeconds(before: PairCpuTime | null, after: PairCpuTime | null): number | null {
  if (before === null || after === null) return null
  if (before.client.bootId !== after.client.bootId || before.server.bootId !== after.server.bootId) return null
  const client = after.client.busySeconds - before.client.busySeconds
  const server = after.server.busySeconds - before.server.busySeconds
  return before.client.bootId === before.server.bootId ? Math.max(client, server) : client + server
}
