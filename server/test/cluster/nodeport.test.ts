/** The lab "XDP on a real cluster", and SNAT against DSR, on the real cluster and from the machine outside of it. */
import { once } from 'node:events'
import { CONTROL_NODE_PORT } from '@expresslane/shared/testbed/exposed'
import { experimentPlan } from '@expresslane/shared/measure/experiment'
import { valueOf } from '@expresslane/shared/measure/measurement'
import type { RunEvent } from '@expresslane/shared/run/events'
import { measurementsOf } from '@expresslane/shared/run/run-state'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { dataDir } from '../support/deps.ts'
import { bigTcp } from '../support/runs/settings.ts'
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
const MODE = 'bpf-lb-mode'
const DISPATCH = 'bpf-lb-dsr-dispatch'
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

const lbArm = (acceleration: string, mode: string) => ({
  id: `${acceleration}-${mode}`,
  label: `${acceleration}, ${mode}`,
  settings: { 'lb-acceleration': acceleration, 'lb-mode': mode },
})

/** UDP echoes under these arms, one after the other. */
const echoes = (...arms: readonly ReturnType<typeof lbArm>[]) =>
  experimentPlan.parse({
    arms,
    cases: [{ id: 'echo', label: 'Echo', family: 'ipv4', benchmark: { tool: 'nodeport-echo' } }],
    design: { order: 'sequential', repeats: 1, seconds: 1, warmups: 0, budget: null },
  })

async function patchConfig(data: Readonly<Record<string, string | null>>): Promise<void> {
  const patch = JSON.stringify({ data })
  await kubectl('-n', 'kube-system', 'patch', 'configmap', 'cilium-config', '--type', 'merge', '-p', patch)
}

const restarting = (event: RunEvent): boolean =>
  event.type === 'command.started' && event.typed.includes('delete pod -l k8s-app=cilium')
/** The agents compile their programs at each switch: on a busy machine for a minute. */
const SWITCHES_MS = 480_000

describe.skipIf(!hasOutside)('a NodePort called from outside', { timeout: SWITCHES_MS }, () => {
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
    expectPassed(await server.run(session, 'deploy'))
    // Without the lab's step that switches: the experiment switches too, and each switch restarts the agents.
    const measured = await server.run(session, 'measure', { params: { repeats: 1, seconds: 1, warmups: 0 } })
    expectPassed(measured)
    expect((await ciliumConfig())[KEY]).toBe('native')
    expect(await programs()).toEqual(new Set(['xdp']))
    expectPassed(await server.run(session, 'read'))
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

  it('does not switch to DSR where Cilium’s agents would refuse it, and says why in their words', async () => {
    const server = await startServer()
    await patchConfig({ [DISPATCH]: 'geneve' })
    try {
      const { checks } = await server.run(await server.session(LAB), 'preflight')
      const reason = 'Node Port "dsr" mode with geneve dispatch requires geneve tunnel protocol.'
      expect(checks.find(({ id }) => id === 'nodeport-dsr')).toMatchObject({
        status: 'failed',
        blocks: ['lb-mode'],
        seen: expect.stringContaining(reason) as string,
      })
      const plan = echoes(lbArm('disabled', 'dsr'), lbArm('native', 'dsr'))
      const refused = await server.run(await server.session('bench'), 'run', { params: { plan } })
      expect(refused.problem).toMatchObject({
        code: 'bad_request',
        message: expect.stringContaining(reason) as string,
      })
      expect(await ciliumConfig()).toEqual({ ...before, [DISPATCH]: 'geneve' })
    } finally {
      await patchConfig({ [DISPATCH]: null })
    }
  })

  it('is measured by SNAT and by DSR; what a killed server left switched is restored by the next one', async () => {
    await prepareWire()
    const env = await clusterEnv(dataDir(), { EXPRESSLANE_OUTSIDE: outsideCommand })
    const first = await startLabServer(env)
    const session = await first.session('bench')
    const plan = echoes(lbArm('disabled', 'snat'), lbArm('disabled', 'dsr'), lbArm('native', 'dsr'))
    await first.begin(session, 'run', { params: { plan } })
    // The switch to DSR, and then the one to XDP, in which the server ends.
    await first.event(session, 'run', restarting, 2)
    first.program.child.kill('SIGKILL')
    await once(first.program.child, 'exit')
    expect(await ciliumConfig()).toMatchObject({ [KEY]: 'native', [MODE]: 'dsr' })

    const second = await startLabServer(env)
    const run = await second.ended(session, 'run')
    expect(run).toMatchObject({ state: 'interrupted', problem: { code: 'server_restarted' } })
    const packets = measurementsOf(run).map((one) => [one.arm, Math.round(valueOf(one, 'entryPackets') ?? Number.NaN)])
    expect(packets, 'replies come back through the called node, or not').toEqual([
      ['disabled-snat', 2],
      ['disabled-dsr', 1],
    ])
    expect((await second.testbed()).toRestore).toEqual({
      ...bigTcp({ ipv4: false, ipv6: false, limit: null, mtu: null }),
      'cpu-placement': null,
      'lb-acceleration': 'disabled',
      'lb-mode': 'snat',
    })
    expectPassed(await second.run(session, 'restore'))
    // Without the key for DSR, which was not there before.
    expect(await ciliumConfig()).toEqual(before)
    expect(await programs()).toEqual(new Set(['none']))
    expect((await second.testbed()).toRestore).toBeNull()
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
