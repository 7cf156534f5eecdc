import { messagePackets, type Capture } from '@expresslane/shared/measure/capture'
import { LabError } from '@expresslane/shared/base/errors'
import { armOf, type Action } from '@expresslane/shared/labs/lab'
import type { ArmPlan } from '@expresslane/shared/measure/experiment'
import type { DatapathState } from '@expresslane/shared/testbed/reading'
import { CLIENT, podOf } from '@expresslane/shared/testbed/placement'
import { formatCount } from '@expresslane/shared/base/units'
import { observeCapture } from '../../features/observe.ts'
import { borrowPath, newlyCalled, switchTo } from '../measuring/arms.ts'
import { judgeProof, type Perform, type StepContext } from '../perform/step-context.ts'
import { watchRequests } from '../measuring/watch-packets.ts'

type CaptureAction = Extract<Action, { kind: 'capture' }>

/** `65,160 + 14,840`. */
function sum(sizes: readonly number[]): string {
  return sizes.map(formatCount).join(' + ')
}

/** The device to capture on: the client's node reaches the server's node through it. */
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
  const { address } = newlyCalled(datapath, family, context)
  const packets = await watchRequests({ ...place, address, requestBytes, responseBytes }, context)
  return [{ arm: arm.id, family, ...place, requestBytes, responseBytes, packets }, datapath]
}

/** Captures the packets of one request. Passes when they are as the feature expects under the arm. */
export const capture: Perform<'capture'> = (action, context) =>
  borrowPath(context, async () => {
    const arm = armOf(context.lab, action.arm)
    const [taken, datapath] = await take(action, arm, context)
    context.emit({ type: 'packets.captured', capture: taken })
    const request = sum(messagePackets(taken, 'request').map(({ payload }) => payload))
    const sentence = `The request had ${request} bytes of payload on ${taken.node}’s ${taken.device}.`
    return judgeProof(
      observeCapture(context.lab.feature, taken, arm, datapath),
      sentence,
      (wrong) => `${sentence} But ${wrong} of the values are not as expected for this arm.`,
    )
  })
