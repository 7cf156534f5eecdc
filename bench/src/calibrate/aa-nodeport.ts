/** Comparisons of a NodePort hook with itself, saved to check the verdicts of NodePort's labs: a file for each hook. Pure. */
import { hookName, type ForwardingHook } from '@expresslane/shared/features/nodeport/hooks'
import { NODEPORT_HOOK, NODEPORT_SERVICES } from '@expresslane/shared/features/nodeport/settings'
import { findTool } from '@expresslane/shared/features/metrics'
import { experimentPlan, runsOf, type ExperimentPlan } from '@expresslane/shared/measure/experiment'
import { valuesLineOf } from './aa-values.ts'
import type { Repeated } from './collect.ts'

/** The arms of NodePort's labs. */
export const nodePortHooks = ['xdp', 'tc', 'nftables', 'iptables'] as const satisfies readonly ForwardingHook[]

export interface NodePortDesign {
  /** `new-flows` or another of NodePort's tools. */
  readonly tool: string
  readonly services: number
  /** The repeats of each of the two arms. */
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

/** The series to measure for a hook. */
export function repeatedFor(hook: ForwardingHook, design: NodePortDesign): Repeated {
  const plan = planOf(hook, design)
  return {
    plan,
    // Every run also makes its own path, which takes longer than this.
    quietMs: runsOf(plan) * (design.seconds + 0.5) * 1000,
    testbed: 'netns:forwarder',
    lineOf: valuesLineOf,
  }
}
