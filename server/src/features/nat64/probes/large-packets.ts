/** Sends packets that fit on the IPv4 side and are too long for IPv6: who answers, who is silent, and which remedy helps. */
import {
  client,
  END_DEVICE,
  MTU,
  POOL,
  server,
  TRANSLATED_MTU,
  TRANSLATOR_DEVICE,
} from '@expresslane/shared/features/nat64/places'
import { GATEWAY } from '@expresslane/shared/features/nat64/roles'
import { translatorIn } from '@expresslane/shared/features/nat64/settings'
import { isBpf } from '@expresslane/shared/features/nat64/translators'
import { formatCount } from '@expresslane/shared/base/units'
import { CLIENT, SERVER } from '@expresslane/shared/testbed/placement'
import { ipBatchArgv } from '../../../tools/ipvs.ts'
import { parsePing, pingArgv, type EchoResult } from '../../../tools/ping.ts'
import type { Pods, RunProbe } from '../../feature.ts'

/** An IPv6 header is longer than an IPv4 header by this. */
const LONGER = MTU - TRANSLATED_MTU
/** For an answer that must come; a busy machine can need a moment for it. */
const ANSWERED_SECONDS = 5
/** For an answer that must not come. */
const SILENT_SECONDS = 1

const nftArgv = ['nft', '-f', '-']
const TABLE = 'inet no_errors'

/** The rules of firewalls that drop all of ICMP. */
const dropErrors = `table ${TABLE} {
  chain made_here { type filter hook output priority 0; icmp type destination-unreachable drop; }
  chain passing { type filter hook forward priority 0; icmp type destination-unreachable drop; }
}
`

const gatewayMtu = (ipv6: number): string =>
  `link set ${server.gatewayDevice} mtu ${ipv6}\nroute replace ${POOL} dev ${TRANSLATOR_DEVICE} mtu lock ${ipv6 - LONGER}\n`
const serverMtu = (ipv6: number): string => `link set ${END_DEVICE} mtu ${ipv6}\n`

async function setMtu(ipv6: number, { feed }: Pods): Promise<void> {
  await feed(SERVER, { argv: ipBatchArgv, input: serverMtu(ipv6) })
  await feed(GATEWAY, { argv: ipBatchArgv, input: gatewayMtu(ipv6) })
}

/** Does `work` after a change, and takes the change back. */
async function during<T>(change: () => Promise<void>, back: () => Promise<void>, work: () => Promise<T>): Promise<T> {
  await change()
  try {
    return await work()
  } finally {
    await back()
  }
}

interface Sent {
  readonly packetBytes: number
  readonly wanted: EchoResult
}

/** A client remembers the largest packet for a destination: each echo starts without such a memory. */
async function send({ packetBytes, wanted }: Sent, pods: Pods): Promise<EchoResult> {
  await pods.run(CLIENT, ['ip', 'route', 'flush', 'cache'])
  const seconds = wanted.kind === 'silent' ? SILENT_SECONDS : ANSWERED_SECONDS
  const argv = pingArgv({ address: server.standIn.ipv4, packetBytes, seconds })
  const { ok, lines } = await pods.ask(CLIENT, argv)
  return parsePing(lines, ok)
}

function inWords(of: EchoResult): string {
  if (of.kind === 'answered') return 'answered'
  return of.kind === 'silent' ? 'silence' : `too big, ${formatCount(of.mtu)} bytes fit, says ${of.from}`
}

interface Trial extends Sent {
  /** The state of the gateway, within a sentence. */
  readonly where: string
  readonly run: (work: () => Promise<EchoResult>) => Promise<EchoResult>
}

function trials(pods: Pods, canTakeLonger: boolean): Trial[] {
  const asItIs: Trial['run'] = (work) => work()
  const silently: Trial['run'] = (work) =>
    during(
      () => pods.feed(GATEWAY, { argv: nftArgv, input: dropErrors }),
      () => pods.feed(GATEWAY, { argv: nftArgv, input: `delete table ${TABLE}\n` }),
      work,
    )
  const longer: Trial['run'] = (work) =>
    during(
      () => setMtu(MTU + LONGER, pods),
      () => setMtu(MTU, pods),
      () => silently(work),
    )
  const answered: EchoResult = { kind: 'answered' }
  const refused: EchoResult = { kind: 'too-big', from: client.gateway.ipv4, mtu: TRANSLATED_MTU }
  const whole = { packetBytes: MTU }
  return [
    { packetBytes: TRANSLATED_MTU, where: 'as it is', run: asItIs, wanted: answered },
    { ...whole, where: 'as it is', run: asItIs, wanted: refused },
    { ...whole, where: 'drops ICMP errors', run: silently, wanted: { kind: 'silent' } },
    ...(canTakeLonger
      ? [
          {
            ...whole,
            where: `drops ICMP errors, IPv6 wire takes ${formatCount(MTU + LONGER)}`,
            run: longer,
            wanted: answered,
          },
        ]
      : []),
  ]
}

export const largePackets: RunProbe = async ({ arm, pods, show }) => {
  const observations = []
  const rows: string[][] = []
  // tayga takes its device's MTU when it starts.
  for (const trial of trials(pods, isBpf(translatorIn(arm.settings)))) {
    const { packetBytes, where, wanted, run } = trial
    const result = await run(() => send(trial, pods))
    const [expected, seen] = [inWords(wanted), inWords(result)]
    rows.push([formatCount(packetBytes), where, seen])
    observations.push({
      label: `${formatCount(packetBytes)} bytes, gateway ${where}`,
      expected,
      seen,
      ok: seen === expected,
    })
  }
  show({
    kind: 'table',
    title: 'Pings in one piece, from the client over IPv4',
    columns: ['Bytes', 'Gateway', 'What came back'],
    rows,
    more: 0,
  })
  return {
    sentence: `A packet of ${formatCount(MTU)} bytes becomes ${formatCount(LONGER)} bytes longer. The gateway reports the size that fits, unless a firewall drops ICMP errors.`,
    observations,
  }
}
