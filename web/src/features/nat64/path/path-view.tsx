/** The way of a packet from client to server: its addresses before and after the gateway, and who changes them. */
import { i18n } from '@expresslane/shared/base/language'
import { CALLS, GATEWAY, PROGRAM, ROUTING, TAYGA } from '@expresslane/shared/features/nat64/roles'
import { client, MASQUERADE4, MASQUERADE6, server, TRANSLATOR_DEVICE } from '@expresslane/shared/features/nat64/places'
import { TRANSLATOR, translatorIn } from '@expresslane/shared/features/nat64/settings'
import {
  isBpf,
  translates,
  translator as translators,
  translatorName,
  USUAL_TRANSLATOR,
  type Translator,
} from '@expresslane/shared/features/nat64/translators'
import { family as families, familyName, formatCount, type Family } from '@expresslane/shared/base/units'
import type { DatapathState, HookReading } from '@expresslane/shared/testbed/reading'
import { wayPath, type WayStage, type WayView } from '../../way.tsx'

/** A packet's addresses on one leg. */
interface Leg {
  readonly family: Family
  readonly from: string
  readonly to: string
}

const other = (of: Family): Family => (of === 'ipv4' ? 'ipv6' : 'ipv4')

/** Where the client's packet comes from, and where it goes to, on the server's side of the gateway. */
function legAfter(translator: Translator, of: Family): Leg {
  if (!translates(translator)) return { family: of, from: client.own[of], to: server.standIn[of] }
  const shared = of === 'ipv6' ? MASQUERADE4 : MASQUERADE6
  const from = translator === 'bpf-stateful' ? shared : client.standIn[other(of)]
  return { family: other(of), from, to: server.own[other(of)] }
}

const legWords = ({ family, from, to }: Leg): string =>
  i18n.t('{family}, from {from} to {to}', { family: familyName[family], from, to })

function programWords({ counts }: HookReading): string {
  const { toIpv4 = 0, toIpv6 = 0, newSessions = 0 } = counts
  const translated = i18n.t('translated {toIpv4, plural, one {# packet} other {# packets}} to IPv4, {toIpv6} to IPv6', {
    toIpv4,
    toIpv6: formatCount(toIpv6),
  })
  return newSessions === 0
    ? translated
    : `${translated}; ${i18n.t('began {sessions} sessions', { sessions: formatCount(newSessions) })}`
}

/** Null where nothing of it could be read. */
function countedBy(hooks: readonly HookReading[]): string | null {
  const [program, tayga] = [PROGRAM, TAYGA].map((id) => hooks.find(({ hook, present }) => hook === id && present))
  if (program !== undefined) return programWords(program)
  if (tayga === undefined) return null
  return i18n.t('translated {packets, plural, one {# packet} other {# packets}}', {
    packets: tayga.counts['packets'] ?? 0,
  })
}

function translatorWords(translator: Translator): string {
  if (translator === 'none') return i18n.t('nobody takes what the kernel sends to it')
  return isBpf(translator)
    ? i18n.t('a BPF program at {device}', { device: TRANSLATOR_DEVICE })
    : i18n.t('a process in user space, behind the TUN device {device}', { device: TRANSLATOR_DEVICE })
}

function wayWords(translator: Translator | null): string {
  switch (translator) {
    case null:
      return i18n.t('What the gateway does is unknown: it could not be read.')
    case 'native':
      return i18n.t('The gateway routes both families. A packet reaches the server as the client sent it.')
    case 'none':
      return i18n.t('The gateway routes packets to the translator’s device, and there they end: nobody translates.')
    case 'tayga':
    case 'bpf-stateless':
      return i18n.t(
        'Each packet leaves in the other family. The client has an address of its own there, which the server sees.',
      )
    case 'bpf-stateful':
      return i18n.t(
        'Each packet leaves in the other family. All clients share one address there: who is meant, the map of sessions knows.',
      )
    default:
      return translator satisfies never
  }
}

/** Null without a reading of calls. */
function callWords(hooks: readonly HookReading[]): string | null {
  const counts = hooks.find(({ hook }) => hook === CALLS)?.counts
  if (counts === undefined) return null
  const [yes, no] = [true, false].map((wanted) => families.options.find((one) => (counts[one] ?? 0) > 0 === wanted))
  if (no === undefined) return i18n.t('The server answers calls over IPv4 and IPv6.')
  if (yes === undefined) return i18n.t('Calls over IPv4 and IPv6 stay without an answer.')
  return i18n.t('The server answers calls over {yes}, and not over {no}.', { yes: familyName[yes], no: familyName[no] })
}

/** The way as read from the kernel, of a client that speaks this family. */
export function wayOf({ hooks, carried }: DatapathState, of: Family): WayView {
  const { data: translator = null } = translators.nullable().safeParse(carried[TRANSLATOR] ?? null)
  const routing = hooks.find(({ hook }) => hook === ROUTING)
  const { ipv4, ipv6 } = routing?.counts ?? {}
  const forwarded = ipv4 === undefined || ipv6 === undefined ? null : { ipv4, ipv6 }
  const known = translator !== null
  const isBetween = known && translator !== 'native'
  const through = known && translator !== 'none'
  const stages: WayStage[] = [
    {
      id: 'before',
      name: client.gatewayDevice,
      does: legWords({ family: of, from: client.own[of], to: server.standIn[of] }),
      reached: true,
      handles: false,
      found: null,
    },
    {
      id: 'routing',
      name: i18n.t('IP layer'),
      does: i18n.t('route, TTL and hop limit, “packet too big”'),
      reached: true,
      handles: false,
      found:
        forwarded === null
          ? null
          : i18n.t('forwarded {ipv4, plural, one {# packet} other {# packets}} of IPv4, {ipv6} of IPv6', {
              ipv4: forwarded.ipv4,
              ipv6: formatCount(forwarded.ipv6),
            }),
    },
    {
      id: 'translator',
      name: known && translates(translator) ? i18n.t(translatorName[translator]) : TRANSLATOR_DEVICE,
      does: isBetween ? translatorWords(translator) : known ? i18n.t('there is none') : i18n.t('unknown'),
      reached: known ? isBetween : null,
      handles: known && translates(translator),
      found: countedBy(hooks),
    },
    {
      id: 'after',
      name: server.gatewayDevice,
      does: through ? legWords(legAfter(translator, of)) : known ? i18n.t('nothing arrives') : i18n.t('unknown'),
      reached: known ? through : null,
      handles: false,
      found: null,
    },
  ]
  const calls = callWords(hooks)
  const places = [
    { name: client.name, address: client.own[of], stages: [] },
    { name: GATEWAY, stages },
    { name: server.name, address: Object.values(server.own).join(', '), stages: [] },
  ]
  return { places, words: [wayWords(translator), ...(calls === null ? [] : [calls])] }
}

/** The translator of the next gateway, if it is not this gateway's. */
export function chosenWords({ settings, carried, placement }: DatapathState): string | null {
  const has = placement === null ? USUAL_TRANSLATOR : translatorIn(carried)
  const chosen = translatorIn(settings)
  return chosen === has
    ? null
    : i18n.t('Chosen for the next gateway: {choice}', { choice: i18n.t(translatorName[chosen]) })
}

/** Client, gateway and server; on the gateway a packet's translation, with its addresses before and after. */
export const PathView = wayPath({ wayOf, chosenWords, handling: /*i18n*/ 'translates it' })
