/** Both pods' packet counters at one moment. */
import { LabError } from '@expresslane/shared/base/errors'
import { CLIENT, SERVER, type Role } from '@expresslane/shared/testbed/placement'
import type { CallContext, Testbed } from '../testbeds/testbed.ts'
import { linkShowArgv, parseLinks } from '../tools/ip-link.ts'
import { parseTcpCounters, tcpCountersArgv, type PairCounters, type PodCounters } from '../tools/tcp-counters.ts'
import { collect, withoutOutput } from './collect.ts'

const POD_DEVICE = 'eth0'

async function readPod(testbed: Testbed, role: Role, context: CallContext): Promise<PodCounters> {
  const [shown, counted] = await Promise.all([
    collect(testbed, role, linkShowArgv(POD_DEVICE), context),
    collect(testbed, role, tcpCountersArgv, context),
  ])
  const links = parseLinks(shown)
  const tcp = parseTcpCounters(counted)
  const device = links.find((link) => link.device === POD_DEVICE)?.counters
  if (device === undefined || device === null) {
    throw new LabError(
      'tool_output_unreadable',
      `The ${role} pod's ${POD_DEVICE} reports no packet counters.`,
      'Check that `ip -s -j link` prints statistics there.',
    )
  }
  return { device, tcp }
}

/**
 * Reads the counters that `packetRate` needs. Emits the commands but not their output, which has several thousand
 * columns.
 *
 * @throws LabError `tool_failed`, `tool_output_unreadable`
 */
export async function readPairCounters(testbed: Testbed, context: CallContext): Promise<PairCounters> {
  const quiet = withoutOutput(context)
  const [client, server] = await Promise.all([readPod(testbed, CLIENT, quiet), readPod(testbed, SERVER, quiet)])
  return { client, server }
}
