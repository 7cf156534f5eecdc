import type { Observation } from '@expresslane/shared/events'
import type { Placement, Pod } from '@expresslane/shared/testbed'
import { familyName, type Family } from '@expresslane/shared/units'
import { observePath } from '../expectations.ts'
import { judge, readPath, type Act } from '../performance.ts'

function observeAddress(pod: Pod, family: Family): Observation {
  const address = pod.addresses[family]
  return {
    label: `${pod.name} (${pod.role}) ${familyName[family]}`,
    expected: 'an address',
    seen: address ?? 'none',
    ok: address !== null,
  }
}

function observePlacement({ client, server }: Placement, family: Family): Observation[] {
  return [
    {
      label: 'nodes',
      expected: 'two different ones',
      seen: `${client.node} and ${server.node}`,
      ok: client.node !== server.node,
    },
    observeAddress(client, family),
    observeAddress(server, family),
  ]
}

/** Makes fresh pods; they must be apart, reachable in the family, and born with the expected size. */
export const deploy: Act<'deploy'> = async ({ family, expect }, performance) => {
  const placement = await performance.testbed.deploy(performance)
  performance.emit({ type: 'placement.made', placement })
  const datapath = await readPath(performance)
  const observations = [...observePlacement(placement, family), ...observePath(datapath, family, { pods: expect })]
  return judge(
    observations,
    `netperf is ready: ${placement.client.name} on ${placement.client.node}, ${placement.server.name} on ${placement.server.node}.`,
    (wrong) => `The pods were made, but ${wrong} of ${observations.length} values are not what this step needs.`,
  )
}
