/** The way of a packet between pod and wire on each node: the layers that it walks, and the layers that it skips. */
import { i18n } from '@expresslane/shared/base/language'
import {
  answers,
  deviceName,
  isForwardedByStack,
  isRoutedByBpf,
  podDevice,
  type PodDevice,
} from '@expresslane/shared/features/pod-devices/devices'
import { FORWARDING, PINGS, PROGRAMS, TRACKER } from '@expresslane/shared/features/pod-devices/roles'
import { halves, WIRE, type Half } from '@expresslane/shared/features/pod-devices/places'
import { deviceIn, isForwarding, POD_DEVICE } from '@expresslane/shared/features/pod-devices/settings'
import { family as families, familyName, formatCount, type Family } from '@expresslane/shared/base/units'
import { podOf } from '@expresslane/shared/testbed/placement'
import type { DatapathState, HookReading } from '@expresslane/shared/testbed/reading'
import { wayPath, type WayPlace, type WayStage, type WayView } from '../../way.tsx'

function redirected({ counts }: HookReading): string | null {
  const { toNode, toPod } = counts
  if (toNode === undefined || toPod === undefined) return null
  return i18n.t('redirected {toNode} to the wire, {toPod} into the pod', {
    toNode: formatCount(toNode),
    toPod: formatCount(toPod),
  })
}

const withState = (does: string, state: string | null): string => (state === null ? does : `${does}; ${state}`)

/** The layers of one node, from the pod to the wire. */
function layersOf(device: PodDevice | null, half: Half, hooks: readonly HookReading[]): WayStage[] {
  const read = new Map(hooks.filter(({ where }) => where === half.node).map((one) => [one.hook, one]))
  const [programs, tracker, forwarding] = [read.get(PROGRAMS), read.get(TRACKER), read.get(FORWARDING)]
  const known = device !== null
  const byBpf = known && isRoutedByBpf(device)
  const byStack = known && isForwardedByStack(device)
  const forwards = forwarding?.present === true
  const forwarded = forwarding?.counts['packets']
  const tracked = tracker?.counts['known']
  const isNetkit = known && device.startsWith('netkit')
  const layers: Omit<WayStage, 'otherwise'>[] = [
    {
      id: 'device',
      name: known ? `${half.lxc}, ${isNetkit ? 'netkit' : 'veth'}` : half.lxc,
      does: i18n.t('the node’s end of the pod’s device'),
      reached: true,
      handles: false,
      found: null,
    },
    {
      id: 'programs',
      name: i18n.t('BPF programs'),
      does: withState(
        isNetkit
          ? i18n.t('inside {device}, and at {wire}', { device: half.lxc, wire: WIRE })
          : i18n.t('at {device} and at {wire}, before the IP layer', { device: half.lxc, wire: WIRE }),
        programs === undefined ? i18n.t('unknown') : programs.present ? null : i18n.t('no program'),
      ),
      reached: known ? byBpf : null,
      handles: byBpf,
      found: programs === undefined || !programs.present ? null : redirected(programs),
    },
    {
      id: 'ip',
      name: i18n.t('IP layer'),
      does: withState(
        i18n.t('route, neighbour, TTL'),
        forwarding === undefined ? i18n.t('unknown') : forwards ? null : i18n.t('forwarding is off'),
      ),
      reached: known ? byStack : null,
      handles: byStack && forwards,
      found:
        forwarded === undefined
          ? null
          : i18n.t('forwarded {packets, plural, one {# packet} other {# packets}}', { packets: forwarded }),
    },
    {
      id: 'netfilter',
      name: 'netfilter',
      does: withState(
        i18n.t('the forward hook'),
        tracker === undefined
          ? i18n.t('unknown')
          : tracker.present
            ? i18n.t('conntrack looks up each connection')
            : i18n.t('no rule'),
      ),
      reached: known ? byStack && forwards : null,
      handles: false,
      found:
        tracked === undefined
          ? null
          : i18n.t('knew the connection of {packets, plural, one {# packet} other {# packets}}', { packets: tracked }),
    },
    {
      id: 'wire',
      name: WIRE,
      does: i18n.t('the wire between the nodes'),
      reached: known ? byBpf || (byStack && forwards) : null,
      handles: false,
      found: null,
    },
  ]
  return layers.map((one) => (one.reached === false ? { ...one, otherwise: i18n.t('skipped') } : one))
}

function wayWords(device: PodDevice | null, forwarding: boolean): string {
  if (device === null) return i18n.t('What lies between pods and nodes is unknown: it could not be read.')
  if (device === 'host')
    return i18n.t('The processes are in the host namespace: nothing lies between them and the wire.')
  if (isRoutedByBpf(device)) {
    const words = i18n.t(
      'One program sends the pod’s packets out by the wire, the other puts what arrives into the pod. They skip IP layer and netfilter of both nodes.',
    )
    return forwarding ? words : `${words} ${i18n.t('IP forwarding is off, and nothing needs it.')}`
  }
  if (!forwarding) return i18n.t('IP forwarding is off, and there is no program: packets end at the node.')
  return device === 'veth-conntrack'
    ? i18n.t('The IP layer of each node forwards every packet, and conntrack looks up its connection.')
    : i18n.t('The IP layer of each node forwards every packet.')
}

/** Null without a reading of pings. */
function pingWords(hooks: readonly HookReading[]): string | null {
  const counts = hooks.find(({ hook }) => hook === PINGS)?.counts
  if (counts === undefined) return null
  const [yes, no] = [true, false].map((wanted) => families.options.find((one) => (counts[one] ?? 0) > 0 === wanted))
  if (no === undefined) return i18n.t('Pings from pod to pod are answered over IPv4 and IPv6.')
  if (yes === undefined) return i18n.t('Pings from pod to pod are not answered over IPv4 or IPv6.')
  return i18n.t('Pings from pod to pod are answered over {yes}, and not over {no}.', {
    yes: familyName[yes],
    no: familyName[no],
  })
}

/** The way as read from the kernel. */
export function wayOf({ hooks, carried, placement }: DatapathState, of: Family): WayView {
  const { data: device = null } = podDevice.nullable().safeParse(carried[POD_DEVICE] ?? null)
  const places = halves.flatMap((half): WayPlace[] => {
    const address = podOf(placement, half.role)?.addresses[of] ?? null
    if (device === 'host')
      return [
        { name: half.pod, is: i18n.t('the host namespace, with {device}', { device: WIRE }), address, stages: [] },
      ]
    const layers = layersOf(device, half, hooks)
    const isClient = half === halves[0]
    const pod: WayPlace = {
      name: half.pod,
      is: isClient ? i18n.t('client') : i18n.t('server'),
      address,
      stages: [],
    }
    const node: WayPlace = { name: half.node, stages: isClient ? layers : layers.toReversed() }
    return isClient ? [pod, node] : [node, pod]
  })
  const pings = pingWords(hooks)
  return { places, words: [wayWords(device, isForwarding(carried)), ...(pings === null ? [] : [pings])] }
}

/** The device and forwarding of the next pods, if they are not the present pods'. */
export function chosenWords({ settings, carried, placement }: DatapathState): string | null {
  const isSame = deviceIn(settings) === deviceIn(carried) && isForwarding(settings) === isForwarding(carried)
  const isUsual = answers(deviceIn(settings), isForwarding(settings)) && deviceIn(settings) === deviceIn({})
  if (placement === null ? isUsual : isSame) return null
  const choice = i18n.t(deviceName[deviceIn(settings)])
  return isForwarding(settings)
    ? i18n.t('Chosen for the next pods: {choice}', { choice })
    : i18n.t('Chosen for the next pods: {choice}, IP forwarding off', { choice })
}

/** Pods and nodes, and in each node the layers that a packet walks or skips. */
export const PathView = wayPath({ wayOf, chosenWords, handling: /*i18n*/ 'handles it' })
