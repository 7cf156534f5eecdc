/** Client, node and backend, and the place where the service's address becomes the backend's. */
import { i18n } from '@expresslane/shared/base/language'
import { SERVICE_NODE } from '@expresslane/shared/features/cluster-ip/about'
import { SERVICE } from '@expresslane/shared/features/cluster-ip/places'
import {
  nameArm,
  servicesIn,
  TRANSLATION,
  translation,
  translationName,
  type Translation,
} from '@expresslane/shared/features/cluster-ip/settings'
import type { Family } from '@expresslane/shared/base/units'
import { CLIENT, podOf, SERVER } from '@expresslane/shared/testbed/placement'
import type { DatapathState } from '@expresslane/shared/testbed/reading'
import { wayPath, type WayPlace, type WayStage, type WayView } from '../../way.tsx'

const words: Readonly<Record<Translation, string>> = {
  none: /*i18n*/ 'The backend has the service’s address itself: nothing translates.',
  socket:
    /*i18n*/ 'The address is replaced once, at connect(). Packets have the backend’s address, and the node only forwards them.',
  tc: /*i18n*/ 'The program on the node replaces the address in each packet, there and back. It forwards the packets, too, past the node’s IP layer.',
  nftables:
    /*i18n*/ 'A lookup in a map finds the backend of a new connection. Conntrack then replaces the address in each packet, there and back.',
  iptables:
    /*i18n*/ 'One rule after the other is compared for a new connection. Conntrack then replaces the address in each packet, there and back.',
}

const places = [
  {
    id: 'socket',
    by: ['socket'],
    name: 'connect()',
    does: /*i18n*/ 'at the client’s sockets, before there is a packet',
  },
  { id: 'tc', by: ['tc'], name: 'TC', does: /*i18n*/ 'on the node’s devices, before the IP layer' },
  {
    id: 'netfilter',
    by: ['nftables', 'iptables'],
    name: 'netfilter',
    does: /*i18n*/ 'in the node’s IP layer, before routing',
  },
] as const

/** The way as read from the kernel. */
export function wayOf({ carried, placement }: DatapathState, family: Family): WayView {
  const { data: by = null } = translation.safeParse(carried[TRANSLATION])
  const stageOf = ({ id, by: own, name, does }: (typeof places)[number]): WayStage => {
    const handles = by === null ? null : own.some((one) => one === by)
    const isPassed = id === 'netfilter' && by === 'tc'
    return {
      id,
      name: id === 'netfilter' && handles === true && by !== null ? translationName[by] : name,
      does: i18n.t(does),
      reached: by === null ? null : !isPassed,
      handles,
      ...(handles === false && {
        otherwise: isPassed ? i18n.t('skipped') : id === 'netfilter' ? i18n.t('no rules') : i18n.t('no program'),
      }),
      found:
        handles === true
          ? i18n.t('has {services, plural, one {# service} other {# services}}', { services: servicesIn(carried) })
          : null,
    }
  }
  const [socket, ...onNode] = places
  const place = (role: string, stages: readonly WayStage[]): WayPlace => {
    const pod = podOf(placement, role)
    return { name: pod?.name ?? role, address: pod?.addresses[family] ?? null, stages }
  }
  return {
    places: [place(CLIENT, [stageOf(socket)]), place(SERVICE_NODE, onNode.map(stageOf)), place(SERVER, [])],
    words: [
      i18n.t('The client calls {address}, the service’s address.', { address: SERVICE[family] }),
      by === null ? i18n.t('Where the address is translated could not be read.') : i18n.t(words[by]),
    ],
  }
}

/** The translation of the next pods, if it is not the present pods'. */
export function chosenWords({ settings, carried, placement }: DatapathState): string | null {
  const choice = nameArm(settings).label
  return choice === nameArm(placement === null ? {} : carried).label
    ? null
    : i18n.t('Chosen for the next pods: {choice}', { choice })
}

export const PathView = wayPath({ wayOf, chosenWords, handling: /*i18n*/ 'translates' })
