/**
 * Lets the node handle what the client sends in a kernel thread (threaded NAPI) with a CPU of its own. The thread's CPU
 * time is then the cost of forwarding, up to the backend's device; nothing else on the machine is in it.
 */
import { FORWARDER } from '@expresslane/shared/features/nodeport/roles'
import type { Placement } from '@expresslane/shared/testbed/placement'
import { LabError } from '@expresslane/shared/wire/errors'
import { collect } from '../../benchmarks/collect.ts'
import type { BenchmarkContext } from '../../benchmarks/invocation.ts'
import {
  affinityArgv,
  napiThreadsArgv,
  parseAffinity,
  parsePids,
  parseSchedstat,
  pinArgv,
  schedstatArgv,
  type ThreadTimes,
} from '../../tools/kernel-thread.ts'
import { deviceArgv } from '../../tools/nodeport/argv.ts'
import { parseDevice } from '../../tools/nodeport/lines.ts'

/** The node's device on the client's side. */
const DEVICE = 'eth0'
/** Threads belong to the machine, whatever network their device is in. */
const HOST = `host:${FORWARDER}`

export interface ForwardingThread {
  /** Its times since it began. */
  times(): Promise<ThreadTimes>
}

/** All devices of this name on the machine, of other networks too. */
async function threads({ testbed, signal, emit }: BenchmarkContext): Promise<number[]> {
  const lines: string[] = []
  for await (const item of testbed.exec(HOST, napiThreadsArgv(DEVICE), { signal, emit })) {
    if (item.type === 'line' && item.stream === 'stdout') lines.push(item.text)
  }
  return parsePids(lines.join('\n'))
}

function unavailable(message: string): LabError {
  return new LabError('tool_failed', message, 'Run the step again.')
}

/**
 * Starts the thread, and pins it to a CPU on which no pod runs.
 *
 * @throws LabError `tool_failed` if there is no such thread or CPU; those of the testbed; `signal.reason`
 */
export async function startThread(placement: Placement, context: BenchmarkContext): Promise<ForwardingThread> {
  const { testbed } = context
  const others = new Set(await threads(context))
  const device = parseDevice(await collect(testbed, FORWARDER, deviceArgv(DEVICE, { threaded: true }), context))
  const [pid, ...more] = (await threads(context)).filter((one) => !others.has(one))
  if (device.threaded !== true || pid === undefined) throw unavailable('The node’s device has no kernel thread.')
  if (more.length > 0) throw unavailable('Another device of this name got a kernel thread at the same moment.')
  const taken = new Set(Object.values(placement.cpus))
  const possible = parseAffinity(await collect(testbed, HOST, affinityArgv(pid), context))
  const cpu = possible.findLast((one) => !taken.has(one))
  if (cpu === undefined) throw unavailable('No CPU is left for the node’s kernel thread.')
  const pinned = parseAffinity(await collect(testbed, HOST, pinArgv(pid, cpu), context))
  if (pinned.join() !== `${cpu}`) throw unavailable(`The node’s kernel thread could not be pinned to CPU ${cpu}.`)
  return { times: async () => parseSchedstat(await collect(testbed, HOST, schedstatArgv(pid), context)) }
}
