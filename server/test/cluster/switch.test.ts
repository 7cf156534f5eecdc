/** BIG TCP is switched on the real cluster, alone and with its pods replaced meanwhile: in few restarts of the agents, so the order counts. */
import type { RunEvent } from '@expresslane/shared/run/events'
import { gsoLimit, type DatapathState } from '@expresslane/shared/testbed/reading'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { note, progressLine } from '../contract/contract-kit.ts'
import { newIdentity } from '../../src/testbeds/kubernetes/lease/holder.ts'
import { createJudge } from '../../src/testbeds/kubernetes/switch/judge.ts'
import { holdLease } from '../../src/testbeds/kubernetes/lease/lease.ts'
import { awaitAgents } from '../../src/testbeds/kubernetes/switch/restart.ts'
import { keyValues, type KeyValues } from '../../src/testbeds/cilium-key.ts'
import { setDatapath, type SwitchParts } from '../../src/testbeds/kubernetes/switch/switch.ts'
import { switchAndDeploy } from '../../src/testbeds/kubernetes/switch/switch-and-deploy.ts'
import { deployWorkload, readWorkload } from '../../src/testbeds/kubernetes/workload/workload.ts'
import type { CallContext } from '../../src/testbeds/testbed.ts'
import { pair } from '../support/runs/pair.ts'
import { keyed } from '../testbeds/kubernetes/keys.ts'
import { canFault, ciliumConfig, fault, kubectl, podsOf, removeNamespace, untilGone } from './support/kubectl.ts'
import { realParts } from './support/parts.ts'

const off = keyed({ ipv4: false, ipv6: false })
const LEGACY_ROUTING = 'enable-host-legacy-routing'

const namespace = 'expresslane-switch'
const parts: SwitchParts = { ...realParts(namespace), identity: newIdentity() }
const deployment = { workload: pair, variant: 'other-node' } as const
/** The settings of the cluster before the tests. */
let found: Readonly<Record<string, string>>

beforeAll(async () => {
  await untilGone(namespace)
  await setDatapath(parts, off, note())
  found = await ciliumConfig()
})

afterAll(async () => {
  await setDatapath(parts, off, note())
  await removeNamespace(namespace)
})

async function patchConfig(data: Readonly<Record<string, string | null>>): Promise<void> {
  const patch = JSON.stringify({ data })
  await kubectl('-n', 'kube-system', 'patch', 'configmap', 'cilium-config', '--type', 'merge', '-p', patch)
}

async function agentUids(): Promise<Set<string>> {
  return new Set((await podsOf('kube-system', 'k8s-app=cilium')).values())
}

const podUids = async (): Promise<Set<string>> => new Set((await podsOf(namespace)).values())

/** Every node's answer in all three layers. */
function layersOf({ settings, agents, kernel, unread }: DatapathState) {
  const natives = kernel.filter(({ native }) => native)
  return {
    intended: JSON.stringify(keyValues(settings)),
    agents: new Set(agents?.map((one) => JSON.stringify(keyValues(one.settings ?? {})))),
    sizes: new Set(natives.map((device) => `${gsoLimit(device, 'ipv4')} ${gsoLimit(device, 'ipv6')}`)),
    nodes: natives.map(({ node }) => node ?? '').toSorted((a, b) => a.localeCompare(b)),
    unread,
  }
}

function expected(intended: KeyValues, sizes: string) {
  const nodes = ['kind-control-plane', 'kind-worker', 'kind-worker2']
  const said = JSON.stringify({ ...intended, ...keyed({ acceleration: 'disabled', mode: 'snat' }) })
  return { intended: said, agents: new Set([said]), sizes: new Set([sizes]), nodes, unread: [] }
}

const messages = (events: readonly RunEvent[]): string[] => events.flatMap((event) => progressLine(event) ?? [])

const typed = (events: readonly RunEvent[]): string[] =>
  events.flatMap((event) => (event.type === 'command.started' ? [event.typed] : []))

/** Calls back once, at the first message that fits. */
function at(fits: RegExp, callback: () => void, context: CallContext = note()): CallContext {
  let isDone = false
  return {
    signal: context.signal,
    emit(event) {
      context.emit(event)
      const line = progressLine(event)
      if (isDone || line === null || !fits.test(line)) return
      isDone = true
      callback()
    },
  }
}

/** Until all agents are well, those that are being replaced gone. */
async function untilWell(): Promise<void> {
  const ending = JSON.parse(
    await kubectl('-n', 'kube-system', 'get', 'pods', '-l', 'k8s-app=cilium', '-o', 'json'),
  ) as {
    items: { metadata: { uid: string; deletionTimestamp?: string }; spec: { nodeName?: string } }[]
  }
  const old = ending.items.filter(({ metadata }) => metadata.deletionTimestamp !== undefined)
  await awaitAgents(
    parts,
    {
      old: new Set(old.map(({ metadata }) => metadata.uid)),
      nodes: ending.items.flatMap(({ spec }) => spec.nodeName ?? []),
    },
    createJudge(parts, () => ({})),
    note(),
  )
}

describe('BIG TCP on a real cluster', () => {
  test('is switched for one family alone, in all three layers of each node, and reported node by node', async () => {
    const context = note()
    const ipv4 = await setDatapath(parts, keyed({ ipv4: true }), context)
    expect(layersOf(ipv4)).toEqual(expected(keyed({ ipv4: true, ipv6: false }), '196608 65536'))
    expect((await ciliumConfig())['enable-ipv4-big-tcp']).toBe('true')

    const commands = typed(context.events)
    expect(commands[0]).toBe(
      `kubectl -n kube-system patch configmap cilium-config --type merge -p '{"data":{"enable-ipv4-big-tcp":"true"}}'`,
    )
    expect(commands[1]).toBe('kubectl -n kube-system delete pod -l k8s-app=cilium')
    // Each agent is asked once, as soon as it is Ready; the answer is what the state is made of.
    expect(commands.slice(2).filter((line) => line.includes('cilium-dbg status'))).toHaveLength(3)
    for (const node of ['kind-control-plane', 'kind-worker', 'kind-worker2']) {
      const reported = messages(context.events).filter((message) => message.startsWith(`${node}: `))
      expect(reported).toContain(`${node}: starting, init container 2 of 5`)
      expect(reported.at(-1)).toBe(`${node}: ready, reports IPv4 on, IPv6 off`)
    }
    const counts = context.events.flatMap((event) => (event.type === 'progress' ? [event.done / event.total] : []))
    expect(counts.at(-1)).toBe(1)
  })

  test('restarts nothing and writes nothing if it is already as wanted', async () => {
    const before = await agentUids()
    const context = note()
    const state = await setDatapath(parts, keyed({ ipv4: true }), context)
    expect(layersOf(state)).toEqual(expected(keyed({ ipv4: true, ipv6: false }), '196608 65536'))
    expect(await agentUids()).toEqual(before)
    expect(typed(context.events).filter((line) => /patch|delete/.test(line))).toEqual([])
  })

  test('only deploys if the settings are already as wanted', async () => {
    const before = await agentUids()
    const context = note()
    const state = await switchAndDeploy(parts, keyed({ ipv4: true }), deployment, context)
    expect(state.placement).not.toBeNull()
    expect(typed(context.events).filter((line) => line.includes('k8s-app=cilium'))).toEqual([])
    expect(await agentUids()).toEqual(before)
  })

  test('a setting that was written but not read by the agents is switched by restarting them', async () => {
    const before = await agentUids()
    await patchConfig({ 'enable-ipv4-big-tcp': 'false' })
    const context = note()
    const state = await setDatapath(parts, keyed({ ipv4: false }), context)
    expect(layersOf(state)).toEqual(expected(off, '65536 65536'))
    expect([...(await agentUids())].filter((uid) => before.has(uid))).toEqual([])
    expect(typed(context.events).filter((line) => line.includes('patch'))).toEqual([])
  })

  test('is not changed while another process holds the lease', async () => {
    const before = await agentUids()
    const lease = `expresslane-test-${process.pid}`
    const other = { cluster: parts.cluster, identity: newIdentity(), name: lease }
    try {
      await holdLease(other, note(), async () => {
        const refused = setDatapath({ ...parts, lease }, keyed({ ipv4: true }), note())
        await expect(refused).rejects.toMatchObject({ code: 'cluster_locked' })
      })
    } finally {
      await kubectl('-n', 'kube-system', 'delete', 'lease', lease)
    }
    expect(await ciliumConfig()).toEqual(found)
    expect(await agentUids()).toEqual(before)
  })
})

describe('errors during a switch', () => {
  test('an agent that refuses the setting is reported in its own words, and everything is restored', async () => {
    const patch = (value: string | null): Promise<void> => patchConfig({ [LEGACY_ROUTING]: value })
    await patch('true')
    try {
      const context = note()
      await expect(setDatapath(parts, keyed({ ipv4: true, ipv6: true }), context)).rejects.toMatchObject({
        code: 'agent_refused',
        message: expect.stringMatching(
          /refused .*: BIG TCP is not supported with legacy host routing\. .* are restored, and every agent is healthy again/,
        ) as string,
        detail: expect.stringMatching(
          /^time="\S+" level=fatal msg=".*BIG TCP is not supported with legacy host routing/,
        ) as string,
      })
      // Once as they started and ended, and once as they came up with the old settings.
      expect(messages(context.events)).toContainEqual(expect.stringContaining('exited with code 1'))
      expect(messages(context.events).at(-1)).toMatch(/ready, reports IPv4 off, IPv6 off$/)
      expect(await ciliumConfig()).toEqual({ ...found, [LEGACY_ROUTING]: 'true' })
    } finally {
      await patch(null)
      // The agents read it once more without that.
      await kubectl('-n', 'kube-system', 'delete', 'pod', '-l', 'k8s-app=cilium', '--wait=false')
      await untilWell()
    }
    expect(await ciliumConfig()).toEqual(found)
  })

  test('an agent that is not Ready in time is named, with the messages of kubelet and scheduler', async () => {
    const listed = await podsOf('kube-system', 'k8s-app=cilium')
    const [[name, uid] = ['', '']] = listed
    const node = await kubectl('-n', 'kube-system', 'get', 'pod', name, '-o', 'jsonpath={.spec.nodeName}')
    await kubectl('-n', 'kube-system', 'delete', 'pod', name)
    const replaced = { old: new Set([uid]), nodes: [node, 'no-such-node'] }
    const late = awaitAgents(
      parts,
      replaced,
      createJudge(parts, () => ({})),
      note(),
      { deadlineMs: 2000 },
    )
    await expect(late).rejects.toMatchObject({
      code: 'deadline_exceeded',
      message: expect.stringContaining(`missing: ${node}, no-such-node`) as string,
      detail: expect.stringMatching(
        new RegExp(
          `${node}: starting, .*\n( {2}.*\n)* {2}Ready is not true: ContainersNotReady.*\n( {2}.*\n)* {2}(Scheduled|Pulled|Created|Started): (.*\n)+no-such-node: no agent yet`,
        ),
      ) as string,
    })
    await untilWell()
  })

  test('a cancel restores the settings, leaves no pods, and the agents start with them', async () => {
    await deployWorkload(parts, pair, 'other-node', note())
    const abort = new AbortController()
    const reason = new Error('called off')
    const context = at(/init container 3/, () => abort.abort(reason), note(abort.signal))
    await expect(switchAndDeploy(parts, keyed({ ipv4: true }), deployment, context)).rejects.toBe(reason)
    expect(await ciliumConfig()).toEqual(found)
    expect(await podUids()).toEqual(new Set())
    await untilWell()
    const before = await agentUids()
    const state = await setDatapath(parts, off, note())
    expect(layersOf(state)).toEqual(expected(off, '65536 65536'))
    expect(await agentUids(), 'nothing was left to do').toEqual(before)
  })

  test.skipIf(!canFault)('an API server that does not respond for 20 s is waited for', async () => {
    const resumed = Promise.withResolvers<void>()
    const pause = async (): Promise<void> => {
      await fault('E2E_API_PAUSE')
      await new Promise((resolve) => setTimeout(resolve, 20_000))
      await fault('E2E_API_RESUME')
    }
    const context = note()
    const state = await setDatapath(
      parts,
      keyed({ ipv4: true }),
      at(/init container 2/, () => void pause().then(resumed.resolve, resumed.reject), context),
    )
    await resumed.promise
    expect(messages(context.events)).toContainEqual(expect.stringMatching(/API server .* can't be reached/))
    expect(messages(context.events)).toContain('The API server answers again.')
    expect(layersOf(state)).toEqual(expected(keyed({ ipv4: true, ipv6: false }), '196608 65536'))
  })

  test.skipIf(!canFault)(
    'an API server that is gone for good is reported after a minute, with what it left and how to undo it',
    async () => {
      const cut = Promise.withResolvers<void>()
      const context = note()
      const switching = setDatapath(
        parts,
        keyed({ ipv4: false }),
        at(/init container 2/, () => void fault('E2E_API_CUT').then(cut.resolve, cut.reject), context),
      )
      try {
        await expect(switching).rejects.toMatchObject({
          code: 'cluster_unreachable',
          message: expect.stringContaining('cilium-config may ask for IPv4 off now') as string,
          remedyCommand: expect.stringContaining(`'{"data":{"enable-ipv4-big-tcp":"true"}}'`) as string,
        })
        await cut.promise
      } finally {
        await fault('E2E_API_HEAL')
      }
      const state = await setDatapath(parts, keyed({ ipv4: false }), note())
      expect(layersOf(state)).toEqual(expected(off, '65536 65536'))
      expect(await ciliumConfig()).toEqual(found)
    },
  )
})

test('the new pods are created before the new agents are ready, and have their sizes', async () => {
  await deployWorkload(parts, pair, 'other-node', note())
  const before = await podUids()
  const context = note()
  const state = await switchAndDeploy(parts, keyed({ ipv4: true }), deployment, context)
  const limits = state.kernel.filter(({ role }) => role === 'pod').map((device) => gsoLimit(device, 'ipv4'))
  expect(limits).toEqual([196_608, 196_608])
  expect(state.unread).toEqual([])
  const workload = await readWorkload(parts, context.signal)
  expect(workload?.placement).toEqual(state.placement)
  expect([...(await podUids())].filter((uid) => before.has(uid))).toEqual([])
  // Created when the old agents were gone, before a new one was ready.
  const lines = context.events.flatMap((event) =>
    event.type === 'command.started' ? [event.typed.slice(0, 20)] : (progressLine(event) ?? []),
  )
  const applied = lines.indexOf('kubectl apply --serv')
  expect(applied).toBeGreaterThan(-1)
  expect(applied).toBeLessThan(lines.findIndex((line) => line.includes('ready, reports')))
})
