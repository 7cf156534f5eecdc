/** Opens one of the server's pages through the gateway, and follows the request on both sides of it. */
import { ends, type End } from '@expresslane/shared/features/nat64/places'
import { GATEWAY } from '@expresslane/shared/features/nat64/roles'
import { decodeIpPacket } from '@expresslane/shared/measure/packet'
import { familyName, type Family } from '@expresslane/shared/base/units'
import type { Observation } from '@expresslane/shared/base/observation'
import { CLIENT, SERVER } from '@expresslane/shared/testbed/placement'
import { LabError } from '@expresslane/shared/base/errors'
import type { Watch } from '../../../benchmarks/watch-frames.ts'
import { networkAt } from '../../../tools/data-connection.ts'
import { curlArgv, parsePage, type Endpoint, type OpenedPage } from '../../../tools/http/curl.ts'
import { isPageReady, pageArgv, visibleWords } from '../../../tools/http/page.ts'
import type { CapturedFrame } from '../../../tools/tcpdump.ts'
import type { Pods, ProbeRun } from '../../feature.ts'
import { PAGE_PORT } from '../commands.ts'

/** A machine that is short of processors can need a moment for it. */
const SECONDS = 5
/** The kept bytes of a packet: an IPv6 header and a TCP header with all options. */
const HEAD_BYTES = 100

export interface Opening {
  /** The only family that the page is served over. */
  readonly page: Family
  /** The address that the client opens, in the other family. */
  readonly address: string
  /** The client's address as the server must see it. */
  readonly seenAs: string
  /** Whether to capture the request on both sides of the gateway. */
  readonly follow: boolean
}

export interface Opened {
  readonly opened: OpenedPage
  readonly observations: readonly Observation[]
}

const filter = ['tcp', 'port', String(PAGE_PORT)]

const titleOf = (of: Family): string => `You've reached an ${familyName[of]}-only page`

const inBrackets = (address: string): string => (address.includes(':') ? `[${address}]` : address)
export const endText = ({ address, port }: Endpoint): string => `${inBrackets(address)}:${port}`

/** The first packet with payload of the client's connection to the page: the request. */
function isRequest({ bytes }: CapturedFrame): boolean {
  const head = bytes.subarray(networkAt(bytes))
  const ip = decodeIpPacket(head)
  return ip !== null && ip.destinationPort === PAGE_PORT && (ip.statedLength ?? 0) > ip.headerBytes
}

const hexOf = ({ bytes }: CapturedFrame): string =>
  Buffer.from(bytes.subarray(networkAt(bytes)).subarray(0, HEAD_BYTES)).toString('hex')

async function open(address: string, { ask }: Pods): Promise<OpenedPage | null> {
  const { ok, lines } = await ask(CLIENT, curlArgv(address, PAGE_PORT, SECONDS))
  return ok ? parsePage(lines) : null
}

function unopened(address: string): LabError {
  return new LabError(
    'tool_failed',
    `The page at ${address} did not open within ${SECONDS} s.`,
    'Press Reset, then press Solve on this step.',
  )
}

/** The request's headers on both sides of the gateway. */
function showRequest(frames: readonly (readonly CapturedFrame[])[], show: ProbeRun['show']): void {
  const [before, after] = frames.map((some) => some.find(isRequest))
  if (before === undefined || after === undefined) return
  show({
    kind: 'packets',
    title: 'The request on both sides of the gateway',
    before: { where: `client side, ${ends[0].gatewayDevice}`, head: hexOf(before) },
    after: { where: `server side, ${ends[1].gatewayDevice}`, head: hexOf(after) },
  })
}

function showPage(
  { page, address }: Opening,
  { status, text, local, remote, seen }: OpenedPage,
  show: ProbeRun['show'],
): void {
  const serving = { address: ends[1].own[page], port: PAGE_PORT }
  const inWords = (end: Endpoint | null): string => (end === null ? 'unknown' : endText(end))
  show({
    kind: 'page',
    title: `The page, as the client got it over ${familyName[page === 'ipv4' ? 'ipv6' : 'ipv4']}`,
    url: `http://${inBrackets(address)}/`,
    status,
    text: visibleWords(text).slice(0, 4_000),
  })
  show({
    kind: 'table',
    title: 'One connection, as each end has it',
    columns: ['Seen by', 'Client', 'Server'],
    rows: [
      ['client', inWords(local), inWords(remote)],
      ['server', inWords(seen), endText(serving)],
    ],
    more: 0,
  })
}

/** Opens the page and shows it. @throws LabError `tool_failed` if it does not open */
export async function openPage(opening: Opening, { pods, show, capture }: ProbeRun): Promise<Opened> {
  const { page, address, seenAs, follow } = opening
  const title = titleOf(page)
  const serving = { address: ends[1].own[page], port: PAGE_PORT, title }
  await pods.hold(SERVER, { argv: pageArgv(serving), isReady: isPageReady })
  const watch = ({ gatewayDevice: device }: End): Watch => ({ node: GATEWAY, device, filter, isLast: isRequest })
  const { result, frames } = await capture(follow ? ends.map(watch) : [], async () => {
    const opened = await open(address, pods)
    // Without a page there is no request to wait for.
    if (opened === null) throw unopened(address)
    return opened
  })
  showPage(opening, result, show)
  showRequest(frames, show)
  const { status, text, seen } = result
  const heading = visibleWords(text).split('\n')[0] ?? ''
  const client = seen?.address ?? 'unknown'
  return {
    opened: result,
    observations: [
      { label: 'HTTP status', expected: '200', seen: String(status ?? 'none'), ok: status === 200 },
      { label: 'the page', expected: title, seen: heading, ok: heading === title },
      { label: 'the client, as the server sees it', expected: seenAs, seen: client, ok: client === seenAs },
    ],
  }
}
