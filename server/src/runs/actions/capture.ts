import { messagePackets, type Capture, type CapturedPacket } from '@expresslane/shared/measure/capture'
import { LabError } from '@expresslane/shared/wire/errors'
import type { Observation } from '@expresslane/shared/run/observation'
import { sizeFor } from '@expresslane/shared/features/big-tcp/proof'
import { armOf, type Action } from '@expresslane/shared/labs/lab'
import type { ArmPlan } from '@expresslane/shared/measure/experiment'
import { packetPayload } from '@expresslane/shared/features/big-tcp/payload'
import { LEGACY_MAX_SIZE, type DatapathState } from '@expresslane/shared/testbed/reading'
import { CLIENT, podOf } from '@expresslane/shared/testbed/placement'
import { formatCount, type Bytes } from '@expresslane/shared/measure/units'
import { borrowPath, serverAddress, switchTo } from '../measuring/arms.ts'
import { judge, type Act, type StepContext } from '../perform/step-context.ts'
import { watchRequests } from '../measuring/watch-packets.ts'

type CaptureAction = Extract<Action, { kind: 'capture' }>
type Direction = CapturedPacket['direction']

/** `65,160 + 14,840`. */
function sum(sizes: readonly number[]): string {
  return sizes.map(formatCount).join(' + ')
}

/** The payload sizes that a message is split into under a limit. */
function cutInto(message: number, largest: number): number[] {
  const whole = Array.from({ length: Math.floor(message / largest) }, () => largest)
  return message % largest === 0 ? whole : [...whole, message % largest]
}

function observePayloads(capture: Capture, direction: Direction, limit: Bytes, mtu: Bytes): Observation {
  const { family, requestBytes, responseBytes } = capture
  const message = direction === 'request' ? requestBytes : responseBytes
  const seen = messagePackets(capture, direction).map(({ payload }) => payload)
  const expected = sum(cutInto(message, packetPayload(limit, mtu, family)))
  const label = `payload of the ${direction}’s packets`
  return { label, expected, seen: seen.length === 0 ? 'none' : sum(seen), ok: sum(seen) === expected }
}

/** Checks how packets carry a length above 16 bits: IPv4 can't, IPv6 uses a separate header. */
function observeLengths({ family, packets }: Capture): Observation[] {
  const large = packets.filter(({ length }) => length >= LEGACY_MAX_SIZE)
  const first = large[0]
  if (first === undefined) return []
  const field = family === 'ipv4' ? 'tot_len' : 'payload length'
  const zero: Observation = {
    label: `${field} of packets of at least 64 KiB`,
    expected: '0',
    seen: [...new Set(large.map(({ lengthField }) => formatCount(lengthField)))].join(', '),
    ok: large.every(({ lengthField }) => lengthField === 0),
  }
  if (family === 'ipv4') return [zero]
  const jumbo: Observation = {
    label: 'hop-by-hop header with the jumbo length',
    expected: 'in every such packet',
    seen: first.jumbo === null ? 'missing' : `${formatCount(first.jumbo)} bytes`,
    ok: large.every((one) => one.jumbo !== null),
  }
  return [zero, jumbo]
}

function observe(capture: Capture, { settings }: ArmPlan, datapath: DatapathState): Observation[] {
  const limit = sizeFor(settings, capture.family, datapath)
  const mtu = datapath.kernel.find(({ role }) => role === 'pod')?.mtu
  if (limit === null || mtu === undefined) {
    return [{ label: 'the path’s limit and MTU', expected: 'known', seen: 'unknown', ok: false }]
  }
  return [
    observePayloads(capture, 'request', limit, mtu),
    observePayloads(capture, 'response', limit, mtu),
    ...observeLengths(capture),
  ]
}

/** Where to capture: the device through which the client's node reaches the server's node. */
function nativeDevice(datapath: DatapathState): { node: string; device: string } {
  const node = podOf(datapath.placement, CLIENT)?.node
  const native = datapath.kernel.find((one) => one.native && one.node === node)
  if (node === undefined || native === undefined) {
    throw new LabError(
      'workload_not_ready',
      'The device from the client’s node to the server’s node is unknown.',
      'Run a step that reads the path. Capturing needs a node whose devices can be read.',
    )
  }
  return { node, device: native.device }
}

async function take(
  { family, requestBytes, responseBytes }: CaptureAction,
  arm: ArmPlan,
  context: StepContext,
): Promise<[Capture, DatapathState]> {
  const datapath = await switchTo(arm, [family], context)
  const place = nativeDevice(datapath)
  const address = serverAddress(datapath, family)
  const packets = await watchRequests({ ...place, address, requestBytes, responseBytes }, context)
  return [{ arm: arm.id, family, ...place, requestBytes, responseBytes, packets }, datapath]
}

/** Captures the packets of one request. Passes when their sizes match the arm. */
export const capture: Act<'capture'> = (action, context) =>
  borrowPath(context, async () => {
    const arm = armOf(context.lab, action.arm)
    const [taken, datapath] = await take(action, arm, context)
    context.emit({ type: 'packets.captured', capture: taken })
    const request = sum(messagePackets(taken, 'request').map(({ payload }) => payload))
    const sentence = `The request had ${request} bytes of payload on ${taken.node}’s ${taken.device}.`
    return judge(
      observe(taken, arm, datapath),
      sentence,
      (wrong) => `${sentence} But ${wrong} of the values are not as expected for this arm.`,
    )
  })
