/** The pods' device, and whether the nodes' IP layer forwards. Both belong to the next pods, which get nodes of their own. */
import { z } from 'zod'
import type { Settings } from '../../measure/settings.ts'
import type { ArmName, Setting } from '../feature.ts'
import { capabilityOfDevice, deviceName, devicePhrase, podDevice, USUAL_DEVICE, type PodDevice } from './devices.ts'

export const POD_DEVICE = 'pod-device'
export const IP_FORWARDING = 'ip-forwarding'

/** The pods' device; the usual one if it is not set. */
export function deviceIn(settings: Settings): PodDevice {
  return podDevice.catch(USUAL_DEVICE).parse(settings[POD_DEVICE])
}

/** Whether the nodes' IP layer forwards; it does if it is not set. */
export function isForwarding(settings: Settings): boolean {
  return settings[IP_FORWARDING] !== false
}

export const settings = [
  {
    id: POD_DEVICE,
    label: 'Device',
    schema: podDevice,
    off: USUAL_DEVICE,
    capability: null,
    capabilityOf: (value) => {
      const { data } = podDevice.safeParse(value)
      return data === undefined ? null : capabilityOfDevice[data]
    },
    format: (value) => deviceName[podDevice.catch(USUAL_DEVICE).parse(value)],
    control: { kind: 'choice', options: podDevice.options.map((one) => [one, deviceName[one]] as const) },
    explained: [
      ['Host namespace', 'the processes are in the node’s own network namespace: nothing lies between.'],
      ['veth', 'a pair of devices; the node’s IP layer forwards each packet.'],
      ['conntrack', 'a rule in the node’s forward hook looks up the connection of each packet.'],
      ['eBPF host routing', 'BPF programs bring packets from the pod to the wire and back, past the node’s IP layer.'],
      ['netkit', 'a pair of devices made for pods: BPF programs run inside of it, and the pod can’t change them.'],
    ],
  },
  {
    id: IP_FORWARDING,
    label: 'IP forwarding',
    schema: z.boolean(),
    off: true,
    capability: null,
    capabilityOf: (value) => (value === false ? capabilityOfDevice[USUAL_DEVICE] : null),
    format: (value) => (value === false ? 'off' : 'on'),
    control: { kind: 'switch' },
  },
] as const satisfies readonly Setting[]

/** `veth-bpf`, `veth, eBPF host routing`; `veth-no-forwarding`, `veth, forwarding off`. */
export function nameArm(of: Settings): ArmName {
  const device = deviceIn(of)
  const [id, label] = [device, deviceName[device]]
  return isForwarding(of) ? { id, label } : { id: `${id}-no-forwarding`, label: `${label}, forwarding off` }
}

/** `with veth and eBPF host routing`. */
export function phrase(of: Settings): string {
  const how = devicePhrase[deviceIn(of)]
  return isForwarding(of) ? how : `${how}, forwarding off`
}
