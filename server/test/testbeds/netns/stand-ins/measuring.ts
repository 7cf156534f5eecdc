/**
 * A process that measures as the server does, with one of the feature's tools: a node that forwards with a hook, a generator and
 * a sink. It prints a line when packets have passed. Killed by its test.
 */
import { NODEPORT_HOOK } from '@expresslane/shared/features/nodeport/settings'
import { nodeport as kinds } from '@expresslane/shared/features/nodeport/feature'
import { FORWARDER } from '@expresslane/shared/features/nodeport/roles'
import { fingerprintOf } from '@expresslane/shared/measure/fingerprint'
import { epochMs } from '@expresslane/shared/base/units'
import { podOf } from '@expresslane/shared/testbed/placement'
import { nodeport } from '../../../../src/features/nodeport/feature.ts'
import { netnsTestbed } from '../../../support/netns.ts'
import { forwarder } from '../../../../src/features/nodeport/topology.ts'

const [, , hook = 'nftables', tool = ''] = process.argv
const kind = kinds.benchmarks.find((one) => one.tool === tool)
if (kind === undefined) throw new Error(`There is no tool named ${tool}.`)
const testbed = netnsTestbed({ topology: forwarder })
const quiet = { signal: new AbortController().signal, emit: () => {} }
await testbed.set({ [NODEPORT_HOOK]: hook }, quiet)
const placement = await testbed.deploy({ roles: ['client', FORWARDER, 'backend'] }, 'other-node', quiet)
const invocation = {
  arm: hook,
  caseId: null,
  family: 'ipv4' as const,
  benchmark: kind.usual,
  address: podOf(placement, FORWARDER)?.addresses.ipv4 ?? '',
  placement,
  repeat: 1,
  warmup: false,
  seconds: 3_000,
  previous: null,
  fingerprint: fingerprintOf(await testbed.facts(quiet), await testbed.read(quiet)),
  before: null,
}
await nodeport.runners[kind.tool](invocation, {
  testbed,
  signal: quiet.signal,
  now: () => epochMs.parse(Date.now()),
  emit: (event) => {
    if (event.type === 'sample.taken') process.stdout.write('packets pass\n')
  },
})
