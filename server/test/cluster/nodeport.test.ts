/** The lab "XDP on a real cluster", step by step, on the real cluster and from the machine outside of it. */
import { CONTROL_NODE_PORT } from '@expresslane/shared/features/nodeport-cluster/roles'
import { valueOf } from '@expresslane/shared/measure/measurement'
import type { RunEvent } from '@expresslane/shared/run/events'
import { measurementsOf } from '@expresslane/shared/run/run-state'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { dataDir } from '../support/deps.ts'
import {
  canFault,
  ciliumConfig,
  fault,
  kubectl,
  NAMESPACE,
  podsOf,
  putBack,
  removeNamespace,
  untilGone,
  untilHeardOf,
  untilWell,
} from './support/kubectl.ts'
import { clusterEnv, expectPassed, startLabServer, type LabServer } from './support/lab-server.ts'
import { hasOutside, makeOutside, outsideCommand, prepareWire, undoOutside } from './support/outside.ts'

const LAB = 'nodeport-cluster'
const KEY = 'bpf-lb-acceleration'
let before: Readonly<Record<string, string>>

async function startServer(): Promise<LabServer> {
  return startLabServer(await clusterEnv(dataDir(), { EXPRESSLANE_OUTSIDE: outsideCommand }))
}

/** The mode of Cilium's XDP program on each node's device; null for none. */
async function programs(): Promise<Set<string>> {
  const agents = await podsOf('kube-system', 'k8s-app=cilium')
  const shown = [...agents.keys()].map((pod) =>
    kubectl('-n', 'kube-system', 'exec', pod, '-c', 'cilium-agent', '--', 'ip', '-d', 'link', 'show', 'eth0'),
  )
  return new Set((await Promise.all(shown)).map((text) => (text.includes('prog/xdp') ? 'xdp' : 'none')))
}

const restarting = (event: RunEvent): boolean => event.type === 'command.started' && event.typed.includes('delete pod')

describe.skipIf(!hasOutside)('a NodePort called from outside', () => {
  beforeAll(async () => {
    before = await ciliumConfig()
    await untilGone(NAMESPACE)
    await makeOutside()
  })
  afterEach(() => putBack(before))
  afterAll(async () => {
    await undoOutside()
    await removeNamespace(NAMESPACE)
  })

  it('is not measured over veths whose other ends have no XDP program: the preflight says so', async () => {
    const server = await startServer()
    const run = await server.run(await server.session(LAB), 'preflight')
    expect(run.checks.find(({ id }) => id === 'outside-client')).toMatchObject({ status: 'passed' })
    expect(run.checks.find(({ id }) => id === 'nodeport-wire')).toMatchObject({
      status: 'failed',
      blocks: ['lb-acceleration'],
      seen: 'Not on kind-worker/eth0, kind-worker2/eth0.',
    })
  })

  it('is measured at TC and with XDP, each with its proof, and everything is restored', async () => {
    await prepareWire()
    const server = await startServer()
    const session = await server.session(LAB)
    expectPassed(await server.run(session, 'preflight'))
    expectPassed(await server.run(session, 'switch'))
    expect((await ciliumConfig())[KEY]).toBe('native')
    expect(await programs()).toEqual(new Set(['xdp']))
    expectPassed(await server.run(session, 'deploy'))
    expectPassed(await server.run(session, 'read'))
    const measured = await server.run(session, 'measure', { params: { repeats: 1, seconds: 1, warmups: 0 } })
    expectPassed(measured)
    const taken = measurementsOf(measured)
    expect(taken.map(({ arm, caseId }) => `${arm} ${caseId ?? ''}`)).toEqual([
      'disabled connect',
      'disabled echo',
      'native connect',
      'native echo',
    ])
    for (const one of taken) {
      expect(valueOf(one, 'tps')).toBeGreaterThan(0)
      expect(valueOf(one, 'nodesCpuPerTransaction')).toBeGreaterThan(0)
      expect(one.fingerprint?.settings['lb-acceleration']).toBe(one.arm)
    }
    expect([...(await podsOf(NAMESPACE, 'app.kubernetes.io/name=netperf')).keys()]).toEqual(['nodeport-backend'])

    expectPassed(await server.run(session, 'restore'))
    expect(await ciliumConfig()).toEqual(before)
    expect(await programs()).toEqual(new Set(['none']))
    // The service goes with its pod.
    await kubectl('-n', NAMESPACE, 'wait', '--for=delete', 'service/netperf', '--timeout=60s')
    expect(await kubectl('-n', NAMESPACE, 'get', 'services', '-o', 'yaml')).not.toContain(String(CONTROL_NODE_PORT))
  })

  it.skipIf(!canFault)('is restored after the API server was cut off in the middle of a switch', async () => {
    const server = await startServer()
    const session = await server.session(LAB)
    await server.begin(session, 'switch')
    await server.event(session, 'switch', restarting)
    await fault('E2E_API_CUT')
    try {
      const run = await server.event(session, 'switch', ({ type }) => type === 'progress' || type === 'run.ended')
      expect(['progress', 'run.ended']).toContain(run.type)
    } finally {
      await fault('E2E_API_HEAL')
    }
    await server.ended(session, 'switch')
    await untilWell()
    await untilHeardOf()
    expectPassed(await server.run(session, 'restore'))
    expect(await ciliumConfig()).toEqual(before)
    expect(await programs()).toEqual(new Set(['none']))
  })
})
