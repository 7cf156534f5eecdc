/** The pods' device, the size of packets, and whether the nodes' IP layer forwards. All belong to the next pods, which get nodes of their own. */
import { i18n } from '../../base/language.ts'
import { z } from 'zod'
import type { Clock } from '../../measure/clock.ts'
import type { Settings } from '../../base/settings.ts'
import type { ArmName, Setting } from '../feature.ts'
import { capabilityOfDevice, deviceName, devicePhrase, podDevice, USUAL_DEVICE, type PodDevice } from './devices.ts'

export const POD_DEVICE = 'pod-device'
export const IP_FORWARDING = 'ip-forwarding'
export const DEVICE_BIG_TCP = 'pod-device-big-tcp'

/** The pods' device; the usual one if it is not set. */
export function deviceIn(settings: Settings): PodDevice {
  return podDevice.catch(USUAL_DEVICE).parse(settings[POD_DEVICE])
}

/** Whether the nodes' IP layer forwards; it does if it is not set. */
export function isForwarding(settings: Settings): boolean {
  return settings[IP_FORWARDING] !== false
}

/** On the counted machine: nodes of their own, the device or programs, and pings that prove it. */
const countedSeconds: Readonly<Record<PodDevice, number>> = {
  host: 0.5,
  veth: 1.8,
  'veth-conntrack': 2.5,
  'veth-bpf': 1.3,
  netkit: 1.5,
  'netkit-bpf': 1.5,
}

/** Elsewhere new pods take the usual time. */
export function extraSeconds(of: Settings, clock: Clock): number {
  return clock === null ? 0 : countedSeconds[deviceIn(of)]
}

/** Whether every device of the path carries BIG TCP's packets, of both families. */
export function isBigTcp(settings: Settings): boolean {
  return settings[DEVICE_BIG_TCP] === true
}

export const settings = [
  {
    id: POD_DEVICE,
    label: /*i18n*/ 'Device',
    schema: podDevice,
    off: USUAL_DEVICE,
    capability: null,
    capabilityOf: (value) => {
      const { data } = podDevice.safeParse(value)
      return data === undefined ? null : capabilityOfDevice[data]
    },
    format: (value) => i18n.t(deviceName[podDevice.catch(USUAL_DEVICE).parse(value)]),
    control: { kind: 'choice', options: podDevice.options.map((one) => [one, deviceName[one]] as const) },
    explained: [
      [
        /*i18n*/ 'Host namespace',
        /*i18n*/ 'the processes are in the node’s own network namespace: nothing lies between.',
      ],
      ['veth', /*i18n*/ 'a pair of devices; the node’s IP layer forwards each packet.'],
      ['conntrack', /*i18n*/ 'a rule in the node’s forward hook looks up the connection of each packet.'],
      [
        'eBPF host routing',
        /*i18n*/ 'BPF programs bring packets from the pod to the wire and back, past the node’s IP layer.',
      ],
      [
        'netkit',
        /*i18n*/ 'a pair of devices made for pods: BPF programs run inside of it, and the pod can’t change them.',
      ],
    ],
  },
  {
    id: IP_FORWARDING,
    label: /*i18n*/ 'IP forwarding',
    schema: z.boolean(),
    off: true,
    capability: null,
    capabilityOf: (value) => (value === false ? capabilityOfDevice[USUAL_DEVICE] : null),
    format: (value) => (value === false ? i18n.t('off') : i18n.t('on')),
    control: { kind: 'switch' },
  },
  {
    id: DEVICE_BIG_TCP,
    label: 'BIG TCP',
    schema: z.boolean(),
    off: false,
    capability: null,
    capabilityOf: (value) => (value === true ? 'big-tcp-ipv4' : null),
    format: (value) => (value === true ? i18n.t('on') : i18n.t('off')),
    control: { kind: 'switch' },
  },
] as const satisfies readonly Setting[]

/** `veth-bpf`, `veth, eBPF host routing`; `veth-no-forwarding`, `veth, forwarding off`; `netkit-big-tcp`, `netkit, BIG TCP`. */
export function nameArm(of: Settings): ArmName {
  const device = deviceIn(of)
  const [big, stopped] = [isBigTcp(of), !isForwarding(of)]
  const named = [
    i18n.t(deviceName[device]),
    ...(big ? ['BIG TCP'] : []),
    ...(stopped ? [i18n.t('forwarding off')] : []),
  ]
  return { id: `${device}${big ? '-big-tcp' : ''}${stopped ? '-no-forwarding' : ''}`, label: named.join(', ') }
}

/** `with veth and eBPF host routing`. */
export function phrase(of: Settings): string {
  const how = [i18n.t(devicePhrase[deviceIn(of)]), ...(isBigTcp(of) ? [i18n.t('BIG TCP on')] : [])]
  return (isForwarding(of) ? how : [...how, i18n.t('forwarding off')]).join(', ')
}
