/** The probes' exhibits of a cluster, for the answers of its nodes and agents. */
import type { Exhibit } from '@expresslane/shared/run/exhibit'
import { epochMs } from '@expresslane/shared/base/units'
import type { Placement, PlacementVariant } from '@expresslane/shared/testbed/placement'
import { LabError } from '@expresslane/shared/base/errors'
import { describe, expect, it } from 'vitest'
import type { Answer, ProbeOutcome, ProbeRun } from '../../../src/features/feature.ts'
import { ipv4Server } from '../../../src/features/nat64-cluster/ipv4-server.ts'
import { ipv6Server } from '../../../src/features/nat64-cluster/ipv6-server.ts'
import type { CapturedFrame } from '../../../src/tools/tcpdump.ts'

const nodes = ['cp', 'one', 'two'].map((name, at) => ({
  name,
  'primary-address': { ipv4: { ip: `172.30.0.1${at}` }, ipv6: { ip: `fd00:172:30::1${at}` } },
}))
const CONTROL = 12_865
const DATA = 12_866

interface Cluster {
  /** An agent's status of the gateway. */
  readonly gateway?: object
  /** The gateway of each route, by the requested address; null for no route. @defaultValue a router */
  readonly routes?: Readonly<Record<string, string | null>>
  readonly services?: readonly object[]
  /** How netperf ends. */
  readonly netperf?: Answer
  readonly variant?: PlacementVariant
  /** The frames that both nodes capture; null for none. */
  readonly frames?: readonly (readonly CapturedFrame[])[] | null
}

const silent: Answer = { ok: false, lines: [] }
const answered: Answer = { ok: true, lines: ['16384 131072 1 1 0.00 6410.26'] }
const on = { enabled: true, prefixes: ['64:ff9b::/96'] }

function frameOf(head: string): CapturedFrame {
  const bytes = Uint8Array.from(Buffer.from(`${'00'.repeat(14)}${head}`, 'hex'))
  return { at: 0, length: bytes.length, bytes }
}

const tcp = `d431${DATA.toString(16)}0000000100000001501800ff0000000061`
const ipv6Head = (source: string, destination: string): string => `6000000000150640${source}${destination}${tcp}`
const ipv4Head = (source: string, destination: string): string =>
  `450000290000400040060000${source}${destination}${tcp}`
/** `64:ff9b::` with an IPv4 address in hex. */
const inside = (ipv4: string): string => `0064ff9b${'00'.repeat(8)}${ipv4}`

async function probed(
  probe: (run: ProbeRun) => Promise<ProbeOutcome>,
  { gateway = on, routes = {}, services = [], netperf = silent, variant = 'host-network', frames = null }: Cluster,
): Promise<ProbeOutcome & { readonly exhibits: Exhibit[]; readonly asked: string[] }> {
  const exhibits: Exhibit[] = []
  const asked: string[] = []
  const pod = (role: string, at: number) => ({
    role,
    name: `netperf-${role}`,
    node: nodes[at]?.name ?? '',
    addresses: { ipv4: `172.30.0.1${at}`, ipv6: `fd00:172:30::1${at}` },
  })
  const placement: Placement = {
    madeAt: epochMs.parse(1),
    variant,
    pods: [pod('client', 2), pod('server', 1)],
    cpus: {},
  }
  const look = async (_target: string, argv: readonly string[]): Promise<string> => {
    if (argv.includes('status'))
      return JSON.stringify({ 'kube-proxy-replacement': { features: { nat46X64: { gateway } } } })
    return JSON.stringify(argv.includes('service') ? services : nodes)
  }
  const ask = async (_target: string, argv: readonly string[]): Promise<Answer> => {
    asked.push(argv.join(' '))
    if (argv[0] === 'timeout') return netperf
    const gatewayOf = routes[argv.at(-1) ?? '']
    if (gatewayOf === null) return { ok: false, lines: ['RTNETLINK answers: Network is unreachable'] }
    return { ok: true, lines: [JSON.stringify([{ dev: 'eth0', gateway: gatewayOf ?? 'fd00:172:30::fe' }])] }
  }
  const refused = async (): Promise<never> => {
    throw new Error('a probe of a cluster changes nothing')
  }
  const run: ProbeRun = {
    arm: { id: 'as-it-is', label: 'As it is', settings: {} },
    pods: { placement, look, ask, run: refused, feed: refused, hold: refused },
    trySettings: null,
    show: (exhibit) => exhibits.push(exhibit),
    async capture(_watches, work) {
      const result = await work()
      if (frames === null) throw new LabError('tool_failed', 'No packets.', 'Look elsewhere.')
      return { result, frames }
    },
  }
  return { ...(await probe(run)), exhibits, asked }
}

const service = (port: number, ip = '64:ff9b::cb00:710a') => ({
  spec: { 'frontend-address': { ip, port }, 'backend-addresses': [{ ip: 'fd00:172:30::11', port }] },
})
const both = [service(CONTROL), service(DATA)]
const SERVER_INSIDE = '64:ff9b::ac1e:b'

describe.each([
  ['ipv4-server', ipv4Server],
  ['ipv6-server', ipv6Server],
])('%s', (_id, probe) => {
  it('is left out where the gateway is off, with the reason, and calls nobody', async () => {
    const { sentence, observations, leftOut, exhibits, asked } = await probed(probe, { gateway: { enabled: false } })
    expect(leftOut).toBe(true)
    expect(sentence).toMatch(/is not on, so this step is left out.*#32457/)
    expect(observations.map(({ seen, ok }) => [seen, ok])).toEqual([
      ['Disabled', true],
      ['Disabled', true],
    ])
    expect([exhibits, asked]).toEqual([[], []])
  })
})

describe('the call to an IPv4 server', () => {
  it.each([
    ['a router', 'fd00:172:30::fe', 'by eth0 to fd00:172:30::fe, which is no node of this cluster'],
    ['the server’s own node', 'fd00:172:30::11', 'the server’s own node one'],
    ['another node', 'fd00:172:30:0::10', 'which is node cp, and no answer came back'],
    ['nowhere', null, 'Node two has no route for them.'],
  ])('finds nobody behind %s, and says why', async (_where, to, why) => {
    const found = await probed(ipv4Server, { routes: { [SERVER_INSIDE]: to } })
    expect(found.sentence).toContain(`the client’s packets to ${SERVER_INSIDE} get no answer.`)
    expect(found.sentence).toContain(why)
    expect(found.observations.every(({ ok }) => ok)).toBe(true)
    expect(found.exhibits.at(-1)).toMatchObject({
      rows: [['two', 'ip -6 route replace 64:ff9b::/96 via fd00:172:30::10']],
    })
  })

  it.each([
    ['nothing within the time', [], 'no answer within 5 s'],
    [
      'that it could not connect',
      [
        'establish control: are you sure there is a netserver listening on 64:ff9b::ac1e:b at port 12865?',
        'establish_control could not establish the control connection from ::0 port 0 address family AF_UNSPEC to 64:ff9b::ac1e:b port 12865 address family AF_INET6',
      ],
      'no connection',
    ],
    ['something else', ['timeout: failed to run command ‘netperf’', ''], 'timeout: failed to run command ‘netperf’'],
  ])('says what the call came to where netperf said %s', async (_what, lines, seen) => {
    const found = await probed(ipv4Server, { netperf: { ok: false, lines } })
    expect(found.observations.at(-1)?.seen).toBe(seen)
  })

  it('says that a pod’s own IPv4 address can’t be reached', async () => {
    const { sentence } = await probed(ipv4Server, { variant: 'other-node' })
    expect(sentence).toContain('place the pods in the nodes’ own network')
  })

  it('shows the request on both nodes, and whom the server saw', async () => {
    const before = ipv6Head('fd000172003000000000000000000012', inside('ac1e000b'))
    const after = ipv4Head('ac1e000a', 'ac1e000b')
    const { sentence, exhibits } = await probed(ipv4Server, {
      netperf: answered,
      frames: [[frameOf(before)], [frameOf(after)]],
    })
    expect(sentence).toBe(
      'The gateway translates: the client called 172.30.0.11 over IPv6, and the server answered over IPv4. The server saw 172.30.0.10.',
    )
    expect(exhibits.map(({ kind }) => kind)).toEqual(['address', 'table', 'packets', 'table'])
    expect(exhibits.at(-1)).toMatchObject({
      rows: [
        ['two', 'fd00:172:30::12', SERVER_INSIDE],
        ['one', '172.30.0.10', '172.30.0.11'],
      ],
    })
  })

  it('does not guess whom the server saw where its packets took another device', async () => {
    const { sentence, observations } = await probed(ipv4Server, { netperf: answered })
    expect(sentence).toMatch(/answered over IPv4\.$/)
    expect(observations.at(-1)).toMatchObject({ seen: 'unknown' })
  })
})

describe('the call to an IPv6 service', () => {
  it.each([
    ['no service', []],
    ['services outside of the prefix', [service(CONTROL, 'fd00:10:96::7'), service(DATA, 'fd00:10:96::7')]],
    ['one port alone', [service(CONTROL)]],
  ])('has nobody to call with %s', async (_which, services) => {
    const found = await probed(ipv6Server, { services })
    expect(found.sentence).toContain('no IPv6 service with an address in 64:ff9b::/96 leads to the server')
    expect(found.asked).toEqual([])
    expect(found.exhibits).toMatchObject([
      {
        kind: 'table',
        rows: [
          ['the cluster', expect.anything()],
          ['two', 'ip route replace 203.0.113.10 via 172.30.0.10'],
          ['cp', 'ip -6 route replace 64:ff9b::/96 via fd00:172:30::11'],
          ['one', 'ip -6 route replace 64:ff9b::/96 via fd00:172:30::10'],
        ],
      },
    ])
  })

  it('calls the address inside a service’s, and says what is missing where nobody answers', async () => {
    const found = await probed(ipv6Server, { services: both })
    expect(found.asked.at(-1)).toContain(`netperf -H ::ffff:203.0.113.10 -p ${CONTROL}`)
    expect(found.sentence).toContain('the client’s packets to 203.0.113.10 get no answer.')
    expect(found.exhibits.at(-1)).toMatchObject({ rows: { length: 3 } })
  })

  it('shows the client’s own address inside of what the server saw', async () => {
    const before = ipv4Head('ac1e000c', 'cb00710a')
    const after = ipv6Head(inside('ac1e000c'), inside('cb00710a'))
    const found = await probed(ipv6Server, {
      services: both,
      netperf: answered,
      frames: [[frameOf(before)], [frameOf(after)]],
    })
    expect(found.sentence).toContain('over IPv4, and the server answered over IPv6. The server saw 64:ff9b::ac1e:c.')
    expect(found.exhibits.at(-1)).toMatchObject({ kind: 'address', ipv4: '172.30.0.12' })
  })
})
