/** `tc qdisc`: how many packets came as far as TC. */
import { z } from 'zod'
import { readOutput, type Described } from './read-output.ts'

/** All queueing disciplines with their counters. */
export const qdiscArgv: readonly string[] = ['tc', '-s', '-j', 'qdisc', 'show']

const printed = z.array(
  z.union([
    z.object({ kind: z.string(), dev: z.string(), packets: z.number().int().nonnegative().optional() }),
    z.strictObject({}),
  ]),
)

const output: Described = {
  name: 'The output of `tc qdisc`',
  remedy: 'Check that `tc -s -j qdisc show` prints JSON in the Cilium agent.',
}

/** Cilium's own devices and its ends of pods' devices, which packets between machines do not pass as NodePort traffic. */
const INSIDE = /^(lxc|cilium_)/

/**
 * The packets that clsact has seen on a node's devices, in both directions; null if there is none, as with tcx.
 *
 * @throws LabError `tool_output_unreadable`
 */
export function parseClsactPackets(text: string): number | null {
  const counts = readOutput(printed, text, output).flatMap((one) =>
    'kind' in one && one.kind === 'clsact' && !INSIDE.test(one.dev) && one.packets !== undefined ? [one.packets] : [],
  )
  return counts.length === 0 ? null : counts.reduce((sum, one) => sum + one, 0)
}
