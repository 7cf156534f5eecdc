/** Puts a device between each new pod and its node, proves that packets take that way, and reads it back from the kernel. */
import { answers, deviceName, isRoutedByBpf, type PodDevice } from '@expresslane/shared/features/pod-devices/devices'
import { halves, POD_END, WIRE, type Half } from '@expresslane/shared/features/pod-devices/places'
import {
  DEVICE_BIG_TCP,
  deviceIn,
  IP_FORWARDING,
  isBigTcp,
  isForwarding,
  POD_DEVICE,
} from '@expresslane/shared/features/pod-devices/settings'
import type { Settings } from '@expresslane/shared/base/settings'
import { LabError } from '@expresslane/shared/base/errors'
import { ipBatchArgv } from '../../tools/ipvs.ts'
import { nftLoadArgv } from '../../tools/nft.ts'
import { isRouteReady, parsePath, pathArgv, routeArgv } from '../../tools/nodeport/route.ts'
import type { Pods, PodSettings } from '../feature.ts'
import { batchesFor, bigTcpBatches, trackingRules } from './commands.ts'
import { hooksOf } from './hooks.ts'
import { pingBoth, type Answered } from './pings.ts'
import { readBigTcp, readNodes, requirePrograms, settingsRead, shouldAnswer, type NodeRead } from './reading.ts'

/** Files that make a node forward, both families. */
const forwardingFiles = ['/proc/sys/net/ipv4/ip_forward', '/proc/sys/net/ipv6/conf/all/forwarding']

async function makeHalf(device: PodDevice, half: Half, pods: Pods): Promise<void> {
  const { node, pod } = batchesFor(device, half)
  await pods.feed(half.nodeRole, { argv: ipBatchArgv, input: node })
  await pods.feed(half.role, { argv: ipBatchArgv, input: pod })
  if (device === 'veth-conntrack') await pods.feed(half.nodeRole, { argv: nftLoadArgv, input: trackingRules })
}

async function makeBigTcp(device: PodDevice, half: Half, pods: Pods): Promise<void> {
  const { node, pod } = bigTcpBatches(device, half)
  if (node !== '') await pods.feed(half.nodeRole, { argv: ipBatchArgv, input: node })
  await pods.feed(half.role, { argv: ipBatchArgv, input: pod })
}

async function turnForwardingOff({ nodeRole }: Half, pods: Pods): Promise<void> {
  await pods.feed(nodeRole, { argv: ['tee', ...forwardingFiles], input: '0\n' })
}

async function attach({ nodeRole, lxc, ipv4, ipv6 }: Half, pods: Pods): Promise<void> {
  await pods.hold(`net:${nodeRole}`, {
    argv: routeArgv({ device: lxc, wire: WIRE, pods: [ipv4.pod, ipv6.pod] }),
    isReady: isRouteReady,
  })
}

function wrongAnswers(device: PodDevice, expected: string, { ipv4, ipv6 }: Answered): LabError {
  const words = (answered: boolean): string => (answered ? 'answered' : 'not answered')
  return new LabError(
    'datapath_not_taken',
    `With “${deviceName[device]}” pings from pod to pod must be ${expected}: over IPv4 they are ${words(ipv4)}, over IPv6 ${words(ipv6)}.`,
    'Run the step again. If that does not help, press Reset to remove the pods, and start again.',
  )
}

/** @throws LabError `datapath_not_taken` */
async function requireAnswers(device: PodDevice, wanted: boolean, expected: string, pods: Pods): Promise<void> {
  const found = await pingBoth(wanted, pods)
  if (found.ipv4 !== wanted || found.ipv6 !== wanted) throw wrongAnswers(device, expected, found)
}

/**
 * A netkit pod is cut off until its program is there, and can neither see nor remove it: at the pod's end the kernel
 * refuses every query about it, even root's.
 *
 * @throws LabError `datapath_not_taken`
 */
async function requireHidden({ role }: Half, pods: Pods): Promise<void> {
  const { device } = parsePath((await pods.look(`net:${role}`, pathArgv(POD_END, WIRE))).trim())
  if (device !== null && device.programs === null) return
  throw new LabError(
    'datapath_not_taken',
    'The pod can see the program of its netkit device.',
    'Report it, with the version of the kernel.',
  )
}

/** Both nodes at once. When a node fails it waits for the other, so that nothing still runs after the error. */
async function onBoth(work: (half: Half) => Promise<void>): Promise<void> {
  for (const result of await Promise.allSettled(halves.map(work))) {
    if (result.status === 'rejected') throw result.reason
  }
}

async function set(values: Settings, pods: Pods): Promise<void> {
  const [device, forwarding] = [deviceIn(values), isForwarding(values)]
  await onBoth((half) => makeHalf(device, half, pods))
  if (isBigTcp(values)) await onBoth((half) => makeBigTcp(device, half, pods))
  if (!forwarding) await onBoth((half) => turnForwardingOff(half, pods))
  if (device === 'netkit-bpf')
    await requireAnswers(device, false, 'without an answer before its program is there', pods)
  if (isRoutedByBpf(device)) await onBoth((half) => attach(half, pods))
  if (device === 'netkit-bpf') await onBoth((half) => requireHidden(half, pods))
  requirePrograms(device, await readNodes(pods))
  const wanted = answers(device, forwarding)
  await requireAnswers(device, wanted, wanted ? 'answered' : 'without an answer', pods)
}

/** The reading of these pods' nodes, which `read` and `readHooks` share. */
const nodesRead = new WeakMap<Pods, Promise<NodeRead[]>>()

function nodesOf(pods: Pods): Promise<NodeRead[]> {
  const nodes = nodesRead.get(pods) ?? readNodes(pods)
  nodesRead.set(pods, nodes)
  return nodes
}

export const podSettings: PodSettings = {
  settings: [POD_DEVICE, IP_FORWARDING, DEVICE_BIG_TCP],
  set,
  async read(pods) {
    const [nodes, big] = await Promise.all([nodesOf(pods), readBigTcp(pods)])
    const { device, forwarding } = settingsRead(nodes)
    return { [POD_DEVICE]: device, [IP_FORWARDING]: forwarding, [DEVICE_BIG_TCP]: big }
  },
  async readHooks(pods) {
    const nodes = await nodesOf(pods)
    return hooksOf(nodes, await pingBoth(shouldAnswer(nodes), pods), pods)
  },
}
