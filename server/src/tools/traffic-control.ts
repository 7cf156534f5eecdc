/** `tc`: the queues of a network namespace with their counters, and a policer. */
import { z } from 'zod'
import { readOutput, unreadable, type Described } from './read-output.ts'

/** Loads the commands of its standard input, one a line, without the leading `tc`. */
export const tcBatchArgv: readonly string[] = ['tc', '-batch', '-']

const count = z.number().int().nonnegative()
const queue = z.object({
  kind: z.string(),
  dev: z.string(),
  packets: count.default(0),
  drops: count.default(0),
  options: z
    .object({
      /** tbf: bytes a second; netem: in an object. */
      rate: z.union([z.number(), z.object({ rate: z.number() })]).optional(),
      delay: z.object({ delay: z.number() }).optional(),
      'loss-random': z.object({ loss: z.number() }).optional(),
    })
    .default({}),
})
export type Queue = z.infer<typeof queue>

const output: Described = {
  name: 'The output of `tc qdisc`',
  remedy: 'Check that `tc -s -j qdisc show` prints JSON here.',
}

/** The output of `qdiscArgv`. @throws LabError `tool_output_unreadable` */
export function parseQueues(text: string): Queue[] {
  const printed = z.array(z.union([queue, z.strictObject({}).transform(() => null)]))
  return readOutput(printed, text, output).filter((one) => one !== null)
}

/** Shows what looks at packets that a device receives. */
export const ingressFiltersArgv = (device: string): string[] => ['tc', '-s', 'filter', 'show', 'dev', device, 'ingress']

export interface Policer {
  readonly mbit: number
  readonly passed: number
  readonly dropped: number
}

/** The policer in the output of {@link ingressFiltersArgv}. @throws LabError `tool_output_unreadable` if there is none */
export function parsePolicer(text: string): Policer {
  const [, rate] = /police \S+ rate (\d+)Mbit/.exec(text) ?? []
  const [, all, dropped] = /Sent \d+ bytes (\d+) pkts? \(dropped (\d+)/.exec(text) ?? []
  if (rate === undefined || all === undefined || dropped === undefined)
    throw unreadable({ name: 'The policer of `tc filter`', remedy: 'Deploy again: every deploy makes new pods.' }, text)
  return { mbit: Number(rate), passed: Number(all) - Number(dropped), dropped: Number(dropped) }
}
