/** Comparisons of a NodePort hook with itself, saved to check the verdicts of NodePort's labs: a file for each hook. Pure. */
import { z } from 'zod'
import { compareArms } from '@expresslane/shared/compare/compare'
import type { Comparison } from '@expresslane/shared/compare/comparison'
import { hookName, type ForwardingHook } from '@expresslane/shared/features/nodeport/hooks'
import { NODEPORT_HOOK, NODEPORT_SERVICES } from '@expresslane/shared/features/nodeport/settings'
import { findTool } from '@expresslane/shared/features/metrics'
import { experimentPlan, runsOf, type ExperimentPlan } from '@expresslane/shared/measure/experiment'
import { measurement, type Measurement } from '@expresslane/shared/measure/measurement'
import { metricValues } from '@expresslane/shared/measure/metrics'
import { aaHeader, type AaHeader } from './aa-series.ts'
import type { Repeated } from './collect.ts'

/** The arms of NodePort's labs. */
export const nodePortHooks = ['xdp', 'tc', 'nftables', 'iptables'] as const satisfies readonly ForwardingHook[]

export interface NodePortDesign {
  /** `new-flows` or another of NodePort's tools. */
  readonly tool: string
  readonly services: number
  /** Of each of the two arms. */
  readonly repeats: number
  readonly seconds: number
}

/** @throws Error for a tool that does not exist */
function planOf(hook: ForwardingHook, { tool, services, repeats, seconds }: NodePortDesign): ExperimentPlan {
  const kind = findTool(tool)
  if (kind === null) throw new Error(`There is no tool named ${tool}.`)
  const settings = { [NODEPORT_HOOK]: hook, [NODEPORT_SERVICES]: services }
  return experimentPlan.parse({
    arms: ['a', 'b'].map((id) => ({ id, label: `${hookName[hook]} (${id})`, settings })),
    cases: [{ id: 'case', label: kind.name, family: 'ipv4', benchmark: kind.usual }],
    design: { order: 'interleaved', repeats, seconds, warmups: 0, budget: null },
  })
}

/** Arm and values; the runs in the order taken. */
const run = z.tuple([z.string(), metricValues])
const line = z.strictObject({ at: z.number().int(), runs: z.array(run).min(2) })
type Line = z.infer<typeof line>

/** What to measure for a hook. */
export function repeatedFor(hook: ForwardingHook, design: NodePortDesign): Repeated {
  const plan = planOf(hook, design)
  return {
    plan,
    // Every run also makes its own path, which takes longer than this.
    quietMs: runsOf(plan) * (design.seconds + 0.5) * 1000,
    testbed: 'netns:forwarder',
    lineOf: (at, taken): Line => ({ at, runs: taken.map(({ arm, values }) => [arm, values]) }),
  }
}

function compareLine({ plan }: AaHeader, { at, runs }: Line): Comparison | null {
  const [of] = plan.cases
  const [off, on] = plan.arms
  if (of === undefined || off === undefined || on === undefined)
    throw new Error('an A/A series has two arms and a case')
  const { family, benchmark } = of
  const { seconds: elapsedSeconds } = plan.design
  const taken = runs.map(([arm, values], index) =>
    measurement.parse({ arm, family, benchmark, repeat: index + 1, startedAt: at, elapsedSeconds, values }),
  )
  const by = (id: string): Measurement[] => taken.filter(({ arm }) => arm === id)
  return compareArms(by(off.id), by(on.id), { order: 'interleaved', names: { off: off.label, on: on.label } })
}

/** One of the files, judged as the app would. */
export interface NodePortSeries {
  readonly header: AaHeader
  readonly comparisons: readonly Comparison[]
}

/** @throws ZodError or SyntaxError for an invalid line; a half-written last line is left out */
export function compareNodePortSeries(text: string): NodePortSeries {
  const [first = '', ...rest] = text.split('\n').slice(0, -1)
  const header = aaHeader.parse(JSON.parse(first))
  return { header, comparisons: rest.flatMap((one) => compareLine(header, line.parse(JSON.parse(one))) ?? []) }
}
