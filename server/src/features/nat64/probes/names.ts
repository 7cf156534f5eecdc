/** The server's names, as a plain resolver and a DNS64 answer them. */
import { embedIpv4, parsePrefix } from '@expresslane/shared/measure/ip/embedded'
import { client, PREFIX, server } from '@expresslane/shared/features/nat64/places'
import { GATEWAY } from '@expresslane/shared/features/nat64/roles'
import { CLIENT } from '@expresslane/shared/testbed/placement'
import type { Observation } from '@expresslane/shared/base/observation'
import { drillArgv, parseDrill, type RecordType } from '../../../tools/dns/drill.ts'
import { isUnboundReady, unboundArgv, type Resolver } from '../../../tools/dns/unbound.ts'
import type { Pods, RunProbe } from '../../feature.ts'

const ZONE = 'lab.example'
export const ipv4Only = `ipv4only.${ZONE}`
const ipv6Only = `ipv6only.${ZONE}`

/** Both run on the gateway, where the client reaches them over IPv6. */
const ports = { plain: 5300, dns64: 5364 } as const
type ResolverName = keyof typeof ports
const resolverNames: Readonly<Record<ResolverName, string>> = { plain: 'plain resolver', dns64: 'DNS64 resolver' }

const resolver = (which: ResolverName): Resolver => ({
  address: client.gateway.ipv6,
  port: ports[which],
  prefix: which === 'dns64' ? PREFIX : null,
  zone: ZONE,
  names: [
    { name: 'ipv4only', ipv4: server.own.ipv4 },
    { name: 'ipv6only', ipv6: server.own.ipv6 },
  ],
})

/** Starts the resolver unless it runs. */
function serve(which: ResolverName, { hold }: Pods): Promise<void> {
  return hold(GATEWAY, { argv: unboundArgv(resolver(which)), isReady: isUnboundReady })
}

interface Asked {
  readonly which: ResolverName
  readonly name: string
  readonly type: RecordType
}

interface Answered extends Asked {
  readonly status: string
  /** Empty: there is no such record. */
  readonly addresses: readonly string[]
}

async function ask(asked: Asked, { run }: Pods): Promise<Answered> {
  const { which, name, type } = asked
  const argv = drillArgv({ server: client.gateway.ipv6, port: ports[which], name, type })
  const { status, records } = parseDrill(await run(CLIENT, argv))
  return { ...asked, status, addresses: records.filter((one) => one.type === type).map(({ data }) => data) }
}

/** The IPv6 address that a DNS64 makes for the IPv4-only page, as it was asked. */
export async function addressOfIpv4Page(pods: Pods): Promise<string | null> {
  await serve('dns64', pods)
  const { addresses } = await ask({ which: 'dns64', name: ipv4Only, type: 'AAAA' }, pods)
  return addresses[0] ?? null
}

const inWords = ({ addresses, status }: Pick<Answered, 'addresses' | 'status'>): string =>
  addresses.length > 0 ? addresses.join(', ') : status === 'NOERROR' ? 'no such record' : status

/** The address that stands for an IPv4 address behind the prefix. */
function embedded(ipv4: string): string {
  const prefix = parsePrefix(PREFIX)
  return (prefix === null ? null : embedIpv4(prefix, ipv4)) ?? ''
}

const questions: readonly (Asked & { readonly expected: string })[] = [
  { which: 'plain', name: ipv4Only, type: 'A', expected: server.own.ipv4 },
  { which: 'plain', name: ipv4Only, type: 'AAAA', expected: 'no such record' },
  { which: 'dns64', name: ipv4Only, type: 'AAAA', expected: embedded(server.own.ipv4) },
  { which: 'dns64', name: ipv6Only, type: 'AAAA', expected: server.own.ipv6 },
]

export const names: RunProbe = async ({ pods, show }) => {
  await serve('plain', pods)
  await serve('dns64', pods)
  const observations: Observation[] = []
  const rows: string[][] = []
  for (const { expected, ...asked } of questions) {
    const answered = await ask(asked, pods)
    const [of, seen] = [resolverNames[asked.which], inWords(answered)]
    rows.push([asked.name.replace(`.${ZONE}`, ''), asked.type, of, seen])
    observations.push({ label: `${asked.type} of ${asked.name}, ${of}`, expected, seen, ok: seen === expected })
  }
  show({
    kind: 'table',
    title: `What the client asked in ${ZONE}`,
    columns: ['Name', 'Type', 'Asked', 'Answer'],
    rows,
    more: 0,
  })
  const made = rows[2]?.[3] ?? ''
  show({
    kind: 'address',
    title: `The address that DNS64 made for ${ipv4Only}`,
    ipv6: made,
    ipv4: server.own.ipv4,
    prefixBits: 96,
  })
  return { sentence: `${ipv4Only} has no IPv6 address, and DNS64 made one: ${made}.`, observations }
}
