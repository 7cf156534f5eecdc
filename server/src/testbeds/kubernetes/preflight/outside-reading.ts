/** Reads the needs of a client outside: netperf on the machine outside, and the offloads of the nodes' veths. */
import { LabError } from '@expresslane/shared/base/errors'
import { offloadsArgv, parseOffloads } from '../../../tools/ethtool.ts'
import { parseVersion, versionArgv } from '../../../tools/versions.ts'
import type { CallContext } from '../../testbed.ts'
import { agentTarget, type AgentAnswer } from '../datapath/agents.ts'
import type { OutsideMachine } from '../exec/outside.ts'
import type { FactsParts } from '../facts/facts.ts'
import type { OutsideReading, Wire } from '../../cluster-view.ts'

/** Deadline for a command outside that ends at once. */
const CLIENT_MS = 10_000

async function readClient(outside: OutsideMachine, context: CallContext): Promise<string | LabError> {
  try {
    const lines = await outside.run(versionArgv('netperf'), CLIENT_MS, context)
    return parseVersion('netperf', lines.join('\n')) ?? 'of unknown version'
  } catch (error) {
    // A cancel is not an outcome.
    context.signal.throwIfAborted()
    if (error instanceof LabError) return error
    throw error
  }
}

async function readWire(
  { console }: FactsParts,
  { node, pod }: AgentAnswer,
  device: string,
  context: CallContext,
): Promise<Wire> {
  if (pod === null) return { node, device, offloads: null }
  try {
    const lines = await console.run({ at: agentTarget(pod), argv: offloadsArgv(device) }, context)
    return { node, device, offloads: parseOffloads(lines.join('\n')) }
  } catch (error) {
    context.signal.throwIfAborted()
    if (error instanceof LabError) return { node, device, offloads: null }
    throw error
  }
}

/** @throws `signal.reason` once aborted */
export async function readOutside(
  parts: FactsParts,
  outside: OutsideMachine,
  agents: readonly AgentAnswer[],
  context: CallContext,
): Promise<OutsideReading> {
  const veths = agents.flatMap((answer) =>
    (answer.links ?? [])
      .filter(({ kind, link }) => kind === 'veth' && answer.status?.devices?.includes(link.device) === true)
      .map(({ link }) => [answer, link.device] as const),
  )
  const [client, wires] = await Promise.all([
    readClient(outside, context),
    Promise.all(veths.map(([answer, device]) => readWire(parts, answer, device, context))),
  ])
  return { client, wires }
}
