/** The way of a packet between pod and wire on each node: the layers that it walks, and the layers that it skips. Pure. */
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
import type { DatapathState, HookReading } from '@expresslane/shared/testbed/reading'

export interface LayerView {
  readonly id: 'device' | 'programs' | 'ip' | 'netfilter' | 'wire'
  readonly name: string
  /** The layer's effect on a packet. */
  readonly does: string
  /** Whether packets between pod and wire go through it; null if it is unknown. */
  readonly walked: boolean | null
  /** Whether the layer brings packets across. */
  readonly handles: boolean
  /** The layer's content: `no program`, `forwarding is off`. */
  readonly has: string | null
  /** The packets that the layer has counted. */
  readonly counted: string | null
}

export interface PlaceView {
  readonly name: string
  readonly is: string
  /** In the order in which a packet from client to server meets them; empty where there is nothing to show. */
  readonly layers: readonly LayerView[]
}

export interface WayView {
  readonly places: readonly PlaceView[]
  /** The way of a packet, in sentences. */
  readonly words: readonly string[]
}

function packets(count: number | undefined): string | null {
  return count === undefined ? null : `${formatCount(count)} ${count === 1 ? 'packet' : 'packets'}`
}

function redirected({ counts }: HookReading): string | null {
  const { toNode, toPod } = counts
  if (toNode === undefined || toPod === undefined) return null
  return `redirected ${formatCount(toNode)} to the wire, ${formatCount(toPod)} into the pod`
}

/** The layers of one node, from the pod to the wire. */
function layersOf(device: PodDevice | null, half: Half, hooks: readonly HookReading[]): LayerView[] {
  const read = new Map(hooks.filter(({ where }) => where === half.node).map((one) => [one.hook, one]))
  const [programs, tracker, forwarding] = [read.get(PROGRAMS), read.get(TRACKER), read.get(FORWARDING)]
  const known = device !== null
  const byBpf = known && isRoutedByBpf(device)
  const byStack = known && isForwardedByStack(device)
  const forwards = forwarding?.present === true
  const forwarded = packets(forwarding?.counts['packets'])
  const tracked = packets(tracker?.counts['known'])
  const isNetkit = known && device.startsWith('netkit')
  return [
    {
      id: 'device',
      name: known ? `${half.lxc}, ${isNetkit ? 'netkit' : 'veth'}` : half.lxc,
      does: 'the node’s end of the pod’s device',
      walked: true,
      handles: false,
      has: null,
      counted: null,
    },
    {
      id: 'programs',
      name: 'BPF programs',
      does: isNetkit ? `inside ${half.lxc}, and at ${WIRE}` : `at ${half.lxc} and at ${WIRE}, before the IP layer`,
      walked: known ? byBpf : null,
      handles: byBpf,
      has: programs === undefined ? 'unknown' : programs.present ? null : 'no program',
      counted: programs === undefined || !programs.present ? null : redirected(programs),
    },
    {
      id: 'ip',
      name: 'IP layer',
      does: 'route, neighbour, TTL',
      walked: known ? byStack : null,
      handles: byStack && forwards,
      has: forwarding === undefined ? 'unknown' : forwards ? null : 'forwarding is off',
      counted: forwarded === null ? null : `forwarded ${forwarded}`,
    },
    {
      id: 'netfilter',
      name: 'netfilter',
      does: 'the forward hook',
      walked: known ? byStack && forwards : null,
      handles: false,
      has: tracker === undefined ? 'unknown' : tracker.present ? 'conntrack looks up each connection' : 'no rule',
      counted: tracked === null ? null : `knew the connection of ${tracked}`,
    },
    {
      id: 'wire',
      name: WIRE,
      does: 'the wire between the nodes',
      walked: known ? byBpf || (byStack && forwards) : null,
      handles: false,
      has: null,
      counted: null,
    },
  ]
}

function wayWords(device: PodDevice | null, forwarding: boolean): string {
  if (device === null) return 'What lies between pods and nodes is unknown: it could not be read.'
  if (device === 'host') return 'The processes are in the host namespace: nothing lies between them and the wire.'
  if (isRoutedByBpf(device)) {
    const off = forwarding ? '' : ' IP forwarding is off, and nothing needs it.'
    return `One program sends the pod’s packets out by the wire, the other puts what arrives into the pod. They skip IP layer and netfilter of both nodes.${off}`
  }
  if (!forwarding) return 'IP forwarding is off, and there is no program: packets end at the node.'
  return device === 'veth-conntrack'
    ? 'The IP layer of each node forwards every packet, and conntrack looks up its connection.'
    : 'The IP layer of each node forwards every packet.'
}

/** Null without a reading of pings. */
function pingWords(hooks: readonly HookReading[]): string | null {
  const counts = hooks.find(({ hook }) => hook === PINGS)?.counts
  if (counts === undefined) return null
  const of = (wanted: boolean): Family[] => families.options.filter((one) => (counts[one] ?? 0) > 0 === wanted)
  const names = (some: readonly Family[], word: string): string => some.map((one) => familyName[one]).join(word)
  const [yes, no] = [names(of(true), ' and '), names(of(false), ' or ')]
  if (no === '') return `Pings from pod to pod are answered over ${yes}.`
  if (yes === '') return `Pings from pod to pod are not answered over ${no}.`
  return `Pings from pod to pod are answered over ${yes}, and not over ${no}.`
}

/** The way as read from the kernel. */
export function wayOf({ hooks, carried }: DatapathState): WayView {
  const { data: device = null } = podDevice.nullable().safeParse(carried[POD_DEVICE] ?? null)
  const places = halves.flatMap((half): PlaceView[] => {
    if (device === 'host') return [{ name: half.pod, is: `the host namespace, with ${WIRE}`, layers: [] }]
    const layers = layersOf(device, half, hooks)
    const pod: PlaceView = { name: half.pod, is: half.role, layers: [] }
    const isClient = half === halves[0]
    const node: PlaceView = { name: half.node, is: '', layers: isClient ? layers : layers.toReversed() }
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
  const off = isForwarding(settings) ? '' : ', IP forwarding off'
  return `Chosen for the next pods: ${deviceName[deviceIn(settings)]}${off}`
}
