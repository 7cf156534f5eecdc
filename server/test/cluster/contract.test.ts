import { afterAll, beforeAll } from 'vitest'
import { withFeatures } from '../../src/features/with-features.ts'
import { ciliumKeys, clusterChecks } from '../../src/features/registry.ts'
import { createKubernetesTestbed } from '../../src/testbeds/kubernetes/index.ts'
import { listContexts } from '../../src/testbeds/kubernetes/api/contexts.ts'
import type { Testbed } from '../../src/testbeds/testbed.ts'
import { bigTcpContract } from '../contract/contract-big-tcp.ts'
import { testbedContract } from '../contract/testbed-contract.ts'
import { ciliumConfig, putBack, removeNamespace } from './support/kubectl.ts'

const namespace = 'expresslane-contract'

let before: Readonly<Record<string, string>>
beforeAll(async () => {
  before = await ciliumConfig()
})
// A cluster outlives its testbed.
afterAll(async () => {
  await putBack(before)
  await removeNamespace(namespace)
})

const env = { ...process.env, KUBECONFIG: process.env['E2E_KUBECONFIG'] }

function makeTestbed(): Testbed {
  const testbed = createKubernetesTestbed({
    env,
    context: listContexts(env).find(({ current }) => current)?.name ?? null,
    namespace,
    image: process.env['E2E_NETPERF_IMAGE'] ?? 'expresslane/netperf',
    podSeconds: 3600,
    keys: ciliumKeys(),
    checks: clusterChecks(),
  })
  return withFeatures(testbed)
}

testbedContract('kubernetes', makeTestbed)
bigTcpContract('kubernetes', makeTestbed)
