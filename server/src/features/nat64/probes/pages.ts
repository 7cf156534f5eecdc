/** The two pages: a page on IPv4 only, opened over IPv6, and a page on IPv6 only, opened over IPv4. */
import { client, MASQUERADE4, MASQUERADE6, PREFIX, server } from '@expresslane/shared/features/nat64/places'
import { GATEWAY } from '@expresslane/shared/features/nat64/roles'
import { translatorIn } from '@expresslane/shared/features/nat64/settings'
import { extractIpv4, parsePrefix } from '@expresslane/shared/measure/ip/embedded'
import type { Observation } from '@expresslane/shared/base/observation'
import { LabError } from '@expresslane/shared/base/errors'
import type { Endpoint } from '../../../tools/http/curl.ts'
import { parseSessions, sessionsArgv, type TranslatedSession } from '../../../tools/nodeport/sessions.ts'
import { lookWithRights } from '../../look.ts'
import type { ProbeRun, RunProbe } from '../../feature.ts'
import { addressOfIpv4Page, ipv4Only } from './names.ts'
import { endText, openPage } from './page.ts'

/** More would fill the page, and say no more. */
const SESSIONS_SHOWN = 5
/** As many as the map can have. */
const SESSIONS_READ = 65_536

function rowOf({ protocol, ipv6, ipv4, state, timeoutSeconds }: TranslatedSession): string[] {
  const pair = ({ source, sourcePort, destination, destinationPort }: TranslatedSession['ipv6']): string => {
    const from = endText({ address: source, port: sourcePort })
    return `${from} → ${endText({ address: destination, port: destinationPort })}`
  }
  const name = protocol.toUpperCase()
  return [pair(ipv4), pair(ipv6), state === null ? name : `${name}, ${state}`, `${timeoutSeconds} s`]
}

/** Looks into the translator's map for the session of the client's connection. */
async function lookIntoMap(local: Endpoint | null, { pods, show }: ProbeRun): Promise<Observation[]> {
  const text = await lookWithRights(GATEWAY, sessionsArgv(SESSIONS_READ), pods)
  const { sessions, live } = parseSessions(text.split('\n').filter((line) => line !== ''))
  const isOwn = (one: TranslatedSession): boolean =>
    one.protocol === 'tcp' &&
    [one.ipv4, one.ipv6].some((ends) => ends.source === local?.address && ends.sourcePort === local.port)
  const own = sessions.filter(isOwn)
  const shown = [...own, ...sessions.filter((one) => !isOwn(one))].slice(0, SESSIONS_SHOWN)
  show({
    kind: 'table',
    title: 'The translator’s map: a session for each connection',
    columns: ['Over IPv4', 'Over IPv6', 'State', 'Idle limit'],
    rows: shown.map(rowOf),
    more: Math.max(0, live - shown.length),
  })
  return [{ label: 'sessions of this connection', expected: '1', seen: String(own.length), ok: own.length === 1 }]
}

const isStateful = ({ arm }: ProbeRun): boolean => translatorIn(arm.settings) === 'bpf-stateful'

/** The client speaks IPv6, and opens a page that is on IPv4 only, at the address that DNS64 made. */
export const ipv4Page: RunProbe = async (run) => {
  const address = await addressOfIpv4Page(run.pods)
  if (address === null) {
    throw new LabError(
      'tool_failed',
      `DNS64 made no address for ${ipv4Only}.`,
      'Run the step that asks for names, then run this step again.',
    )
  }
  const seenAs = isStateful(run) ? MASQUERADE4 : client.standIn.ipv4
  const { opened, observations } = await openPage({ page: 'ipv4', address, seenAs, follow: true }, run)
  const more = isStateful(run) ? await lookIntoMap(opened.local, run) : []
  return {
    sentence: `The client speaks IPv6 and has opened a page that is on IPv4 only. The server saw ${seenAs}.`,
    observations: [...observations, ...more],
  }
}

/** The client speaks IPv4, and opens a page that is on IPv6 only. */
export const ipv6Page: RunProbe = async (run) => {
  const seenAs = isStateful(run) ? MASQUERADE6 : client.standIn.ipv6
  const { opened, observations } = await openPage(
    { page: 'ipv6', address: server.standIn.ipv4, seenAs, follow: false },
    run,
  )
  if (isStateful(run)) {
    return {
      sentence: `The server saw ${seenAs}, which is the translator’s address for all clients. Its map knows who it was.`,
      observations: [...observations, ...(await lookIntoMap(opened.local, run))],
    }
  }
  const prefix = parsePrefix(PREFIX)
  const inside = (prefix === null || opened.seen === null ? null : extractIpv4(prefix, opened.seen.address)) ?? 'none'
  run.show({
    kind: 'address',
    title: 'The client, as the server sees it',
    ipv6: opened.seen?.address ?? '',
    ipv4: inside,
    prefixBits: 96,
  })
  const found: Observation = {
    label: 'the client’s IPv4 address, inside of what the server sees',
    expected: client.own.ipv4,
    seen: inside,
    ok: inside === client.own.ipv4,
  }
  return {
    sentence: `The server saw ${seenAs}, and the client’s own address ${client.own.ipv4} is inside of it.`,
    observations: [...observations, found],
  }
}
