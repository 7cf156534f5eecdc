/** Preflight and facts on the real cluster: nothing fails there, and the facts are those of its nodes. */
import type { RunEvent } from '@expresslane/shared/run/events'
import { testbedFacts, type Check } from '@expresslane/shared/testbed/testbed'
import { expect, test } from 'vitest'
import { ciliumKeys, clusterChecks } from '../../src/features/registry.ts'
import { createCluster } from '../../src/testbeds/kubernetes/api/cluster.ts'
import { createConsole } from '../../src/testbeds/kubernetes/exec/console.ts'
import { createFacts, type FactsParts } from '../../src/testbeds/kubernetes/facts/facts.ts'
import { readIncarnation } from '../../src/testbeds/kubernetes/datapath/gather.ts'
import { listContexts } from '../../src/testbeds/kubernetes/api/contexts.ts'
import { openContext } from '../../src/testbeds/kubernetes/api/kubeconfig.ts'
import { preflight } from '../../src/testbeds/kubernetes/preflight/preflight.ts'
import { createReaper } from '../../src/testbeds/kubernetes/exec/reap.ts'
import type { CallContext } from '../../src/testbeds/testbed.ts'
import { kubectl } from './support/kubectl.ts'

const env = { ...process.env, KUBECONFIG: process.env['E2E_KUBECONFIG'] }
const namespace = 'expresslane-preflight'

function partsOf(): FactsParts {
  const current = listContexts(env).find((one) => one.current)
  const cluster = createCluster(openContext(env, current?.name ?? null), { keys: ciliumKeys() })
  const console = createConsole(cluster, createReaper(cluster, namespace))
  return { cluster, console, namespace, image: 'expresslane/netperf' }
}

function listening(): CallContext & { readonly typed: string[] } {
  const typed: string[] = []
  const emit = (event: RunEvent): void => {
    if (event.type === 'command.started') typed.push(event.typed)
  }
  return { signal: AbortSignal.timeout(60_000), emit, typed }
}

async function checksOf(): Promise<Check[]> {
  const checks: Check[] = []
  for await (const check of preflight({ ...partsOf(), checks: clusterChecks() }, listening())) checks.push(check)
  return checks
}

test('preflight: nothing fails, from the API server to the workload', async () => {
  const checks = await checksOf()
  expect(checks.filter(({ status }) => status === 'failed')).toEqual([])
  expect(checks.filter(({ status, remedy }) => status === 'warning' && remedy === null)).toEqual([])
  const ids = checks.map(({ id }) => id)
  expect(ids.slice(0, 4)).toEqual(['cluster', 'identity', 'access', 'nodes'])
  expect(ids).toEqual(expect.arrayContaining(['agents', 'routing', 'devices', 'pods-ipv4', 'pods-ipv6', 'lease']))
})

test('facts: of each node, from its agent; constant facts are not read again', async () => {
  const parts = partsOf()
  const read = createFacts(parts)
  const first = listening()
  const facts = testbedFacts.parse(await read(first))
  const names = (await kubectl('get', 'nodes', '-o', 'jsonpath={.items[*].metadata.name}')).trim().split(' ')
  expect(facts.nodes).toEqual(names)
  expect(facts.incarnation).toBe(await readIncarnation(parts.cluster, listening().signal))
  expect(facts.cluster?.nodes.every(({ cilium, devices }) => cilium !== null && devices.length > 0)).toBe(true)
  expect(facts.cluster).toMatchObject({ routing: 'native', hostRouting: 'BPF', encryption: 'Disabled' })
  expect(facts.load).not.toBeNull()
  expect(Object.keys(facts.versions)).toEqual(expect.arrayContaining(['kubernetes', 'cilium', 'iproute2']))
  expect(first.typed.filter((line) => line.includes('status -o json'))).toHaveLength(names.length)
  const again = listening()
  await read(again)
  expect(again.typed.filter((line) => !line.includes('/proc/loadavg'))).toEqual([])
})
