/** The client speaks IPv4, and calls an IPv6 service of the cluster that has an IPv4 address behind the gateway's prefix. */
import { extractIpv4 } from '@expresslane/shared/measure/ip/embedded'
import type { Observation } from '@expresslane/shared/base/observation'
import { agentServicesArgv, parseAgentServices, type Frontend } from '../../tools/cilium-gateway.ts'
import type { ProbeOutcome, ProbeRun, RunProbe } from '../feature.ts'
import { callThrough, CONTROL_PORT, DATA_PORT } from './call.ts'
import { addressOf, wayTo, withGateway, type Gateway } from './reading.ts'
import { settingsInwards, settingsTable, waysTable, whySilent } from './why.ts'

/** The address of a service that leads to the server at both ports; null if there is none. */
function leadingTo(server: string, frontends: readonly Frontend[]): string | null {
  const leads = (address: string, wanted: number): boolean =>
    frontends.some((one) => one.address === address && one.port === wanted && one.backends.includes(server))
  const addresses = [...new Set(frontends.map(({ address }) => address))]
  return addresses.find((one) => leads(one, CONTROL_PORT) && leads(one, DATA_PORT)) ?? null
}

async function call(gateway: Gateway, run: ProbeRun): Promise<ProbeOutcome> {
  const { client, server, prefix, prefixText, observations } = gateway
  const { show, pods } = run
  const listed = parseAgentServices(await pods.look(`node:${server.node}`, agentServicesArgv))
  const behind = listed.filter(({ address }) => extractIpv4(prefix, address) !== null)
  const service = leadingTo(addressOf(server, 'ipv6'), behind)
  const found: Observation = {
    label: `addresses of services in ${prefixText} that lead to the server`,
    expected: null,
    seen: service ?? 'none',
    ok: true,
  }
  const ipv4 = service === null ? null : extractIpv4(prefix, service)
  if (service === null || ipv4 === null) {
    show(settingsTable(settingsInwards(gateway, null)))
    return {
      sentence: `The gateway is on, and a client that speaks IPv4 has nothing to call: no IPv6 service with an address in ${prefixText} leads to the server.`,
      observations: [...observations, found],
    }
  }
  show({ kind: 'address', title: 'The service’s address', ipv6: service, ipv4, prefixBits: prefix.length })
  const there = await wayTo(ipv4, 'ipv4', client.node, pods)
  const back = await wayTo(service, 'ipv6', server.node, pods)
  show(
    waysTable([
      [client.node, ipv4, there.words],
      [server.node, prefixText, back.words],
    ]),
  )
  // netperf asks its server for a data socket of the family that it calls itself; this is the same IPv4 packets.
  const target = { address: `::ffff:${ipv4}`, family: 'ipv4', there, back } as const
  const { ok, words, arrived } = await callThrough(target, run)
  const seen: Observation[] = [
    ...observations,
    found,
    { label: `${client.node}: its way to ${ipv4}`, expected: null, seen: there.words, ok: true },
    { label: `the client’s call over IPv4 to ${ipv4}`, expected: null, seen: words, ok: true },
  ]
  if (!ok) {
    show(settingsTable(settingsInwards(gateway, ipv4)))
    return {
      sentence: `The gateway is on, and the client’s packets to ${ipv4} get no answer. ${whySilent(there, gateway)}`,
      observations: seen,
    }
  }
  const who = arrived?.source ?? 'unknown'
  const inside = extractIpv4(prefix, who)
  if (inside !== null) {
    show({
      kind: 'address',
      title: 'The client, as the server sees it',
      ipv6: who,
      ipv4: inside,
      prefixBits: prefix.length,
    })
  }
  const whom = arrived === null ? '' : ` The server saw ${who}.`
  return {
    sentence: `The gateway translates: the client called ${ipv4} over IPv4, and the server answered over IPv6.${whom}`,
    observations: [...seen, { label: 'the client, as the server sees it', expected: null, seen: who, ok: true }],
  }
}

export const ipv6Server: RunProbe = (run) => withGateway(run.pods, (gateway) => call(gateway, run))
