/** Cilium's gateway between IPv4 and IPv6 on the real cluster: recognised, and called as an administrator has set it up. */
import type { Check } from '@expresslane/shared/testbed/testbed'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { dataDir } from '../support/deps.ts'
import {
  apply,
  ciliumConfig,
  kubectl,
  NAMESPACE,
  putBack,
  removeNamespace,
  restartAgents,
  untilCompiled,
  untilGone,
} from './support/kubectl.ts'
import { clusterEnv, expectPassed, startLabServer, type LabServer } from './support/lab-server.ts'

const KEY = 'enable-nat46x64-gateway'
const PREFIX = '64:ff9b::/96'
/** An address for documentation (RFC 5737), alone and inside the prefix. */
const ASKED = '203.0.113.10'
const ASKED_INSIDE = '64:ff9b::cb00:710a'
/** Two restarts of the agents, which compile all their programs: on a busy machine for minutes. */
const RESTARTS_MS = 900_000

let before: Readonly<Record<string, string>>

/** A route that an administrator sets for a family on a node. */
interface RouteSet {
  readonly node: string
  readonly family: '-4' | '-6'
  readonly to: string
}
const routes: RouteSet[] = []

async function onNode(node: string, ...argv: readonly string[]): Promise<string> {
  const at = ['-l', 'k8s-app=cilium', `--field-selector=spec.nodeName=${node}`, '-o', 'name']
  const [agent = ''] = (await kubectl('-n', 'kube-system', 'get', 'pods', ...at)).split('\n')
  return kubectl('-n', 'kube-system', 'exec', agent, '-c', 'cilium-agent', '--', ...argv)
}

async function setRoute(route: RouteSet, via: string): Promise<void> {
  routes.push(route)
  await onNode(route.node, 'ip', route.family, 'route', 'replace', route.to, 'via', via)
}

/** An address of a node. */
async function addressOf(node: string, isIpv6: boolean): Promise<string> {
  const path = 'jsonpath={.status.addresses[?(@.type=="InternalIP")].address}'
  const all = (await kubectl('get', 'node', node, '-o', path)).split(' ')
  return all.find((one) => one.includes(':') === isIpv6) ?? ''
}

/** The nodes of the lab's pods, and the remaining node. */
async function placed(): Promise<Readonly<Record<'client' | 'server' | 'third', string>>> {
  const nodeOf = (pod: string): Promise<string> =>
    kubectl('-n', NAMESPACE, 'get', 'pod', pod, '-o', 'jsonpath={.spec.nodeName}')
  const [client, server] = [await nodeOf('netperf-client'), await nodeOf('netperf-server')]
  const all = (await kubectl('get', 'nodes', '-o', 'jsonpath={.items[*].metadata.name}')).split(' ')
  return { client, server, third: all.find((one) => one !== client && one !== server) ?? '' }
}

async function recognised(server: LabServer): Promise<[fact: string | null | undefined, check: Check | undefined]> {
  const { facts } = await server.testbed()
  const { checks } = await server.run(await server.session('nat64-cluster'), 'preflight')
  return [facts?.cluster?.nat46x64Gateway, checks.find(({ id }) => id === 'nat46x64-gateway')]
}

describe('Cilium’s gateway between IPv4 and IPv6', { timeout: RESTARTS_MS }, () => {
  beforeAll(async () => {
    before = await ciliumConfig()
    await untilGone(NAMESPACE)
  })
  afterAll(async () => {
    for (const { node, family, to } of routes) await onNode(node, 'ip', family, 'route', 'flush', to)
    await removeNamespace(NAMESPACE)
    await putBack(before)
    await untilCompiled()
    expect(await ciliumConfig()).toEqual(before)
  }, RESTARTS_MS)

  it('is left out where it is off, recognised where it is on, and called as it is', async () => {
    const server = await startLabServer(await clusterEnv(dataDir()))
    const session = await server.session('nat64-cluster')
    const call = async (step: string) => {
      const run = await server.run(session, step)
      expectPassed(run)
      return { sentence: run.outcome?.sentence ?? '', exhibits: run.exhibits, observations: run.outcome?.observations }
    }
    expect(await recognised(server)).toEqual(['Disabled', undefined])
    expectPassed(await server.run(session, 'deploy'))
    for (const step of ['ipv4-server', 'ipv6-server']) {
      expect((await call(step)).sentence).toMatch(
        /^This cluster’s gateway between IPv4 and IPv6 is not on, so .* left out/,
      )
    }

    const patch = JSON.stringify({ data: { [KEY]: 'true' } })
    await kubectl('-n', 'kube-system', 'patch', 'configmap', 'cilium-config', '--type=merge', '-p', patch)
    const [now, announced] = await recognised(server)
    expect(now).toBe('Disabled')
    expect(announced).toMatchObject({ title: 'This cluster will have the NAT46/64 gateway', status: 'warning' })
    await restartAgents()
    await untilCompiled()
    const [prefix, seen] = await recognised(server)
    expect(prefix).toBe(PREFIX)
    expect(seen).toMatchObject({ title: 'This cluster has the NAT46/64 gateway', status: 'warning', blocks: [] })
    expect(seen?.seen).toMatch(/^64:ff9b::\/96 on /)

    const nodes = await placed()
    const [third4, third6] = [await addressOf(nodes.third, false), await addressOf(nodes.third, true)]
    const silent = await call('ipv4-server')
    expect(silent.sentence).toContain('get no answer')
    expect(silent.sentence).toContain(`Node ${nodes.client} `)
    expect(silent.exhibits).toMatchObject([
      { kind: 'address', ipv4: await addressOf(nodes.server, false) },
      { kind: 'table', columns: ['Node', 'To', 'Way'] },
      { kind: 'table', rows: [[nodes.client, `ip -6 route replace ${PREFIX} via ${third6}`]] },
    ])
    const nobody = await call('ipv6-server')
    expect(nobody.sentence).toContain(`no IPv6 service with an address in ${PREFIX} leads to the server`)
    expect(nobody.exhibits).toMatchObject([{ kind: 'table', columns: ['Where', 'What'] }])

    // As the table says that an administrator would have to set it.
    await setRoute({ node: nodes.client, family: '-6', to: PREFIX }, third6)
    const outwards = await call('ipv4-server')
    expect(outwards.sentence).toMatch(/^The gateway translates: /)
    expect(outwards.sentence).toContain(`The server saw ${third4}.`)
    expect(outwards.exhibits.map(({ kind }) => kind)).toEqual(['address', 'table', 'packets', 'table'])

    await apply({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'behind-the-gateway', namespace: NAMESPACE },
      spec: {
        selector: { 'app.kubernetes.io/name': 'netperf', 'app.kubernetes.io/component': 'server' },
        ipFamilyPolicy: 'SingleStack',
        ipFamilies: ['IPv6'],
        externalIPs: [ASKED_INSIDE],
        ports: [12_865, 12_866].map((port) => ({ name: `p${port}`, port })),
      },
    })
    await setRoute({ node: nodes.client, family: '-4', to: ASKED }, third4)
    await setRoute({ node: nodes.third, family: '-6', to: PREFIX }, await addressOf(nodes.server, true))
    await setRoute({ node: nodes.server, family: '-6', to: PREFIX }, third6)
    // The agents learn of a service within a second or two.
    const inwards = await vi.waitFor(
      async () => {
        const one = await call('ipv6-server')
        expect(one.sentence).toMatch(/^The gateway translates: /)
        return one
      },
      { timeout: 60_000, interval: 500 },
    )
    expect(inwards.exhibits.map(({ kind }) => kind)).toEqual(['address', 'table', 'packets', 'table', 'address'])
    expect(inwards.exhibits.at(-1)).toMatchObject({ ipv4: await addressOf(nodes.client, false) })
    expectPassed(await server.run(session, 'restore'))
  })
})
