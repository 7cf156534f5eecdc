/** Packets that the node's hooks count during a measurement. */
import type { Hook } from '@expresslane/shared/features/nodeport/hooks'
import type { Family } from '@expresslane/shared/base/units'
import { collect, withoutOutput } from '../../benchmarks/collect.ts'
import type { BenchmarkContext } from '../../benchmarks/invocation.ts'
import { readRules, rulesTaken, type RulesRead, type RulesTaken } from './reading.ts'

/** @throws LabError of the tools; `signal.reason` */
export function readCounts(context: BenchmarkContext): Promise<RulesRead> {
  const { testbed } = context
  const quiet = withoutOutput(context)
  return readRules({ look: (target, argv) => collect(testbed, target, argv, quiet) })
}

/** New UDP flows between two readings, by the arm's hook and by all other hooks. */
export function countsTaken(hook: Hook, family: Family, before: RulesRead, after: RulesRead): RulesTaken {
  return rulesTaken(hook, { family, protocol: 'udp' }, before, after)
}
