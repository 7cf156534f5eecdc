/** The workload's pods, for a feature's commands. */
import { LabError } from '@expresslane/shared/base/errors'
import type { Placement } from '@expresslane/shared/testbed/placement'
import { collect, withoutOutput } from '../benchmarks/collect.ts'
import type { Target } from '../testbeds/target.ts'
import type { CallContext, PodSetup, Testbed } from '../testbeds/testbed.ts'
import type { Answer, Pods } from './feature.ts'

function required(setup: PodSetup | null): PodSetup {
  if (setup !== null) return setup
  const message = 'This testbed can’t set up its pods for these settings.'
  throw new LabError('bad_request', message, 'Run the lab on this machine.')
}

async function askOf(testbed: Testbed, target: Target, argv: readonly string[], context: CallContext): Promise<Answer> {
  const lines: string[] = []
  let ok = false
  for await (const item of testbed.exec(target, argv, context)) {
    if (item.type === 'line') lines.push(item.text)
    else ok = item.code === 0
  }
  return { ok, lines }
}

/** The workload's pods on a testbed, to run commands in. */
export function podsOn(testbed: Testbed, placement: Placement, context: CallContext): Pods {
  const quiet = withoutOutput(context)
  return {
    placement,
    run: (target, argv) => collect(testbed, target, argv, context),
    look: (target, argv) => collect(testbed, target, argv, quiet),
    ask: (target, argv) => askOf(testbed, target, argv, context),
    async feed(target, fed) {
      await required(testbed.setup).feed(target, fed, context)
    },
    hold: async (target, held) => required(testbed.setup).hold(target, held, context),
  }
}
