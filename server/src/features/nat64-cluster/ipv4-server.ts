/** The client speaks IPv6, and calls the server at its IPv4 address behind the gateway's prefix. */
import { embedIpv4 } from '@expresslane/shared/measure/ip/embedded'
import type { Observation } from '@expresslane/shared/base/observation'
import type { ProbeOutcome, ProbeRun, RunProbe } from '../feature.ts'
import { callThrough } from './call.ts'
import { addressOf, wayTo, withGateway, type Gateway } from './reading.ts'
import { settingsOutwards, settingsTable, waysTable, whySilent } from './why.ts'

/** A pod's IPv4 address is behind a node that translates its packets once more. */
const OWN_ADDRESS =
  'The address is the pod’s own, and its node translates IPv4 packets for its pods, too: place the pods in the nodes’ own network.'

async function call(gateway: Gateway, run: ProbeRun): Promise<ProbeOutcome> {
  const { client, server, prefix, observations } = gateway
  const ipv4 = addressOf(server, 'ipv4')
  const address = embedIpv4(prefix, ipv4) ?? ''
  run.show({
    kind: 'address',
    title: 'The address that the client calls',
    ipv6: address,
    ipv4,
    prefixBits: prefix.length,
  })
  const there = await wayTo(address, 'ipv6', client.node, run.pods)
  const back = await wayTo(addressOf(client, 'ipv4'), 'ipv4', server.node, run.pods)
  run.show(waysTable([[client.node, address, there.words]]))
  const { ok, words, arrived } = await callThrough({ address, family: 'ipv6', there, back }, run)
  const seen: Observation[] = [
    ...observations,
    { label: `${client.node}: its way to ${address}`, expected: null, seen: there.words, ok: true },
    { label: `the client’s call over IPv6 to ${address}`, expected: null, seen: words, ok: true },
  ]
  if (ok) {
    const who = arrived?.source ?? 'unknown'
    const whom = arrived === null ? '' : ` The server saw ${who}.`
    return {
      sentence: `The gateway translates: the client called ${ipv4} over IPv6, and the server answered over IPv4.${whom}`,
      observations: [...seen, { label: 'the client, as the server sees it', expected: null, seen: who, ok: true }],
    }
  }
  run.show(settingsTable(settingsOutwards(gateway)))
  const own = run.pods.placement.variant === 'host-network' ? '' : ` ${OWN_ADDRESS}`
  return {
    sentence: `The gateway is on, and the client’s packets to ${address} get no answer. ${whySilent(there, gateway)}${own}`,
    observations: seen,
  }
}

export const ipv4Server: RunProbe = (run) => withGateway(run.pods, (gateway) => call(gateway, run))
