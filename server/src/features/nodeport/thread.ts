/**
 * Lets the node handle the client's packets in a kernel thread (threaded NAPI). The thread's CPU time is then the cost
 * of forwarding, up to the backend's device; nothing else on the machine is in it.
 *
 * The thread shares the client's CPU and goes before everything else there. On another CPU, every packet would have to
 * move from one CPU's cache to another's, which costs more than the packet and varies by the distance: 39 ns or 220 ns
 * a cache line on a virtual machine whose CPUs the host moves (`docs/statistics.md`). The thread can't keep the CPU to
 * itself: its packets come from the client, which has to have its turn on the same CPU.
 */
import { FORWARDER } from '@expresslane/shared/features/nodeport/roles'
import { CLIENT, type Placement } from '@expresslane/shared/testbed/placement'
import { LabError } from '@expresslane/shared/base/errors'
import { collect } from '../../benchmarks/collect.ts'
import type { BenchmarkContext } from '../../benchmarks/invocation.ts'
import {
  affinityArgv,
  goesFirst,
  goFirstArgv,
  napiThreadsArgv,
  parseAffinity,
  parsePids,
  parseSchedstat,
  pinArgv,
  policyArgv,
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

async function pin(pid: number, placement: Placement, context: BenchmarkContext): Promise<void> {
  const { testbed } = context
  // Without a placement, the scheduler moves the client, or there is one CPU.
  const cpu = placement.cpus[CLIENT] ?? parseAffinity(await collect(testbed, HOST, affinityArgv(pid), context)).at(-1)
  if (cpu === undefined) throw unavailable('No CPU is there for the node’s kernel thread.')
  const pinned = parseAffinity(await collect(testbed, HOST, pinArgv(pid, cpu), context))
  if (pinned.join() !== `${cpu}`) throw unavailable(`The node’s kernel thread could not be pinned to CPU ${cpu}.`)
  await collect(testbed, HOST, goFirstArgv(pid), context)
  if (!goesFirst(await collect(testbed, HOST, policyArgv(pid), context)))
    throw unavailable('The node’s kernel thread could not get a higher priority.')
}

/**
 * Starts the thread on the client's CPU, where it goes first.
 *
 * @throws LabError `tool_failed` if there is no such thread, or it does not get its CPU or priority; the errors of the
 *   testbed; `signal.reason`
 */
export async function startThread(placement: Placement, context: BenchmarkContext): Promise<ForwardingThread> {
  const { testbed } = context
  const others = new Set(await threads(context))
  const device = parseDevice(await collect(testbed, FORWARDER, deviceArgv(DEVICE, { threaded: true }), context))
  const [pid, ...more] = (await threads(context)).filter((one) => !others.has(one))
  if (device.threaded !== true || pid === undefined) throw unavailable('The node’s device has no kernel thread.')
  if (more.length > 0) throw unavailable('Another device of this name got a kernel thread at the same moment.')
  await pin(pid, placement, context)
  return { times: async () => parseSchedstat(await collect(testbed, HOST, schedstatArgv(pid), context)) }
}
