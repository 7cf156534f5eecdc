import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { note } from '../contract/contract-kit.ts'
import { agentTarget, listAgents } from '../../src/testbeds/kubernetes/datapath/agents.ts'
import { changes } from '../../src/testbeds/kubernetes/datapath/changes.ts'
import { ciliumKeys } from '../../src/features/registry.ts'
import { createCluster } from '../../src/testbeds/kubernetes/api/cluster.ts'
import { createConsole } from '../../src/testbeds/kubernetes/exec/console.ts'
import { watchDevices } from '../../src/testbeds/kubernetes/datapath/device-loop.ts'
import { execIn, type ExecTarget } from '../../src/testbeds/kubernetes/exec/exec.ts'
import { listContexts } from '../../src/testbeds/kubernetes/api/contexts.ts'
import { openContext } from '../../src/testbeds/kubernetes/api/kubeconfig.ts'
import { readPath } from '../../src/testbeds/kubernetes/datapath/path.ts'
import { createReaper, thisOwner } from '../../src/testbeds/kubernetes/exec/reap.ts'
import {
  deployWorkload,
  readWorkload,
  removeWorkload,
  type WorkloadParts,
} from '../../src/testbeds/kubernetes/workload/workload.ts'
import { ciliumConfig, kubectl, removeNamespace } from './support/kubectl.ts'
import { pair, pairOf } from '../support/runs/pair.ts'
import { podIn } from '../../src/testbeds/kubernetes/workload/pods.ts'

const namespace = `expresslane-path-${process.pid}`
const owner = thisOwner()
let parts: WorkloadParts

beforeAll(() => {
  const env = { KUBECONFIG: process.env['E2E_KUBECONFIG'] }
  const context = listContexts(env).find(({ current }) => current)?.name ?? null
  const cluster = createCluster(openContext(env, context), { keys: ciliumKeys() })
  const reaper = createReaper(cluster, namespace, owner)
  const image = process.env['E2E_NETPERF_IMAGE'] ?? 'docker.io/expresslane/netperf:cluster'
  parts = { cluster, reaper, console: createConsole(cluster, reaper), namespace, image, podSeconds: 3600 }
})
afterAll(() => removeNamespace(namespace))

/** As the cluster has it: what features make of it is tested elsewhere. */
const read = (context = note()) => readPath(parts, context)

const shown = z.array(z.looseObject({ ifname: z.string(), gso_max_size: z.number(), gso_ipv4_max_size: z.number() }))

/** A device as kubectl and `ip` show it. */
async function linkBy(...at: string[]): Promise<z.infer<typeof shown>> {
  return shown.parse(JSON.parse(await kubectl('exec', ...at, '--', 'ip', '-d', '-j', 'link', 'show')))
}

test.each([
  ['other-node', ['pod', 'node', 'native', 'native', 'node', 'pod']],
  ['same-node', ['pod', 'node', 'node', 'pod']],
  ['host-network', ['native', 'native']],
] as const)('reads what kubectl shows: pods placed by %s', async (variant, order) => {
  const made = await deployWorkload(parts, pair, variant, note())
  const context = note()
  const state = await read(context)
  const config = await ciliumConfig()
  const nodes = (await kubectl('get', 'nodes', '-o', 'name')).trim().split('\n')

  expect(state.unread).toEqual([])
  expect(state.placement).toEqual(made)
  const asked = {
    'cilium-config/enable-ipv4-big-tcp': `${config['enable-ipv4-big-tcp'] === 'true'}`,
    'cilium-config/enable-ipv6-big-tcp': `${config['enable-ipv6-big-tcp'] === 'true'}`,
  }
  expect(state.settings).toMatchObject(asked)
  expect(state.agents?.map(({ node }) => `node/${node}`).toSorted()).toEqual(nodes.toSorted())
  for (const agent of state.agents ?? []) expect(agent).toMatchObject({ settings: asked, unreadable: null })

  const kinds = state.kernel.map(({ role, native }) => (native ? 'native' : role))
  expect(kinds.slice(0, order.length)).toEqual(order)
  expect(kinds.filter((kind) => kind === 'native')).toHaveLength(nodes.length)
  expect(state.kernel[0]?.node).toBe(pairOf(made).client.node)
  expect(state.kernel[order.length - 1]?.node).toBe(pairOf(made).server.node)
  for (const device of state.kernel) expect(device.counters).not.toBeNull()

  const agents = await listAgents(parts.cluster, note().signal)
  for (const device of state.kernel) {
    const agent = agents.find(({ spec }) => spec?.nodeName === device.where)?.metadata?.name ?? ''
    const at =
      device.role === 'pod' ? ['-n', namespace, device.where] : ['-n', 'kube-system', agent, '-c', 'cilium-agent']
    expect((await linkBy(...at)).find(({ ifname }) => ifname === device.device)).toMatchObject({
      gso_max_size: device.gsoMaxSize,
      gso_ipv4_max_size: device.gsoIpv4MaxSize,
      mtu: device.mtu,
    })
  }

  const typed = context.events.flatMap((event) => (event.type === 'command.started' ? [event.typed] : []))
  expect(typed.filter((line) => line.includes('cilium-dbg status -o json'))).toHaveLength(nodes.length)
  const ended = context.events.flatMap((event) => (event.type === 'command.ended' ? [event.exitCode] : []))
  expect(ended).toEqual(typed.map(() => 0))
})

test('without pods there are the native devices of all nodes', async () => {
  await removeWorkload(parts, note())
  const state = await read()
  expect(state.placement).toBeNull()
  expect(state.kernel.every(({ native }) => native)).toBe(true)
  expect(state.kernel).toHaveLength(state.agents?.length ?? 0)
})

/** Ours alone: a server that watches this cluster meanwhile has loops of its own. */
const FIND = `
for process in /proc/[0-9]*; do
  grep -q "$1" "$process/environ" && grep -q expresslane-devices "$process/cmdline" && echo "$process"
done 2>/dev/null
exit 0
`

/** The loops that run in a pod. */
async function loopsIn(at: ExecTarget): Promise<string[]> {
  const found: string[] = []
  const argv = ['sh', '-c', FIND, 'find', `/${owner}/`]
  for await (const item of execIn(parts.cluster, at, argv, { ...note(), deadlineMs: 20_000 })) {
    if (item.type === 'line') found.push(item.text)
  }
  return found
}

test('a loop in a pod reports at first and when a device there differs, and is gone at the end', async () => {
  const [agent] = await listAgents(parts.cluster, note().signal)
  if (agent === undefined) throw new Error('the cluster has no agent')
  const abort = new AbortController()
  let differed = Promise.withResolvers<void>()
  const ended = watchDevices(parts.reaper, agentTarget(agent), abort.signal, () => differed.resolve())
  const next = async (): Promise<void> => {
    await differed.promise
    differed = Promise.withResolvers()
  }
  await next()
  const link = ['-n', 'kube-system', 'exec', agent.metadata?.name ?? '', '-c', 'cilium-agent', '--', 'ip', 'link']
  // A device on this node that nothing uses: the watch must report it.
  await kubectl(...link, 'add', 'expresslane0', 'type', 'veth', 'peer', 'name', 'expresslane1')
  try {
    await next()
  } finally {
    await kubectl(...link, 'del', 'expresslane0')
  }
  await next()
  expect(await loopsIn(agentTarget(agent))).not.toEqual([])
  abort.abort(new Error('enough'))
  await ended
  expect(await loopsIn(agentTarget(agent))).toEqual([])
})

test('reports at first and for new pods, and leaves no loop in any pod', async () => {
  await deployWorkload(parts, pair, 'other-node', note())
  const abort = new AbortController()
  const ticks = changes(parts, note(abort.signal))
  /** Resolves at a change after which `happened` is true. */
  const until = async (happened: () => Promise<boolean>): Promise<void> => {
    do expect((await ticks.next()).done).toBe(false)
    while (!(await happened()))
  }
  expect((await ticks.next()).done).toBe(false)

  const before = await readWorkload(parts, abort.signal)
  const deploying = deployWorkload(parts, pair, 'other-node', note())
  await until(async () => {
    const now = await readWorkload(parts, abort.signal)
    return now !== null && podIn(now, 'client').uid !== before?.pods.get('client')?.uid
  })
  await deploying

  const now = await readWorkload(parts, abort.signal)
  const agents = await listAgents(parts.cluster, abort.signal)
  const everywhere = [...agents.map(agentTarget), ...(now === null ? [] : [podIn(now, 'client'), podIn(now, 'server')])]
  // The first look of each loop is a change.
  await until(async () => (await Promise.all(everywhere.map(loopsIn))).every((loops) => loops.length > 0))
  abort.abort(new Error('enough'))
  await expect(ticks.next()).rejects.toThrow('enough')
  expect(await Promise.all(everywhere.map(loopsIn))).toEqual(everywhere.map(() => []))
})
