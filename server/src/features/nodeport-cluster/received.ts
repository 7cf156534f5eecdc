/** Packets that nodes receive during a measurement: with DSR the called node gets only requests, else the replies, too. */
import { LabError } from '@expresslane/shared/base/errors'
import { collect, withoutOutput } from '../../benchmarks/collect.ts'
import type { BenchmarkContext } from '../../benchmarks/invocation.ts'
import { linkShowArgv, parseNumberedLinks } from '../../tools/ip-link.ts'

/** Devices within a node: Cilium's own, its ends of pods' devices, and the loopback. */
const INSIDE = /^(lxc|cilium_|lo$)/

/** The packets that a node's devices have received from other machines; null if they could not be read. */
export async function readReceived(node: string, context: BenchmarkContext): Promise<number | null> {
  const quiet = withoutOutput(context)
  try {
    const links = parseNumberedLinks(await collect(context.testbed, `node:${node}`, linkShowArgv(), quiet))
    const counts = links.flatMap(({ link: { device, counters } }) =>
      INSIDE.test(device) || counters === null ? [] : [counters.rxPackets],
    )
    return counts.length === 0 ? null : counts.reduce((sum, one) => sum + one, 0)
  } catch (error) {
    context.signal.throwIfAborted()
    if (error instanceof LabError && error.code === 'tool_failed') return null
    throw error
  }
}

/** Before and after. */
type Received = readonly [before: number | null, after: number | null]

function during([before, after]: Received): number | null {
  return before === null || after === null ? null : after - before
}

/** Packets into the called node for each one into the backend's node; null if it is unknown. */
export function entryPackets(entry: Received, backend: Received): number | null {
  const [into, behind] = [during(entry), during(backend)]
  return into === null || behind === null || into < 0 || behind <= 0 ? null : into / behind
}
