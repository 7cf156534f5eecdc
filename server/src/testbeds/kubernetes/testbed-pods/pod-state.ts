/** The reasons for which a testbed's pod waits or has ended, in the cluster's own words. Pure. */
import { LabError } from '@expresslane/shared/base/errors'
import { z } from 'zod'
import { conditionOf, podMetadata, podStatus } from '../api/pod.ts'

/** Names the testbed of a pod, by a digest of its id. */
export const TESTBED = 'expresslane/testbed'

/** The parts of a pod that matter here. */
export const testbedPod = z.object({
  metadata: podMetadata,
  spec: z.object({
    nodeName: z.string().optional(),
    containers: z.tuple([z.object({ name: z.string() })]),
  }),
  status: podStatus,
})
export type TestbedPod = z.infer<typeof testbedPod>

/** True if a command can be started in it. */
export function isRunning(pod: TestbedPod): boolean {
  return canRun(pod) && pod.status.phase === 'Running' && conditionOf(pod.status, 'Ready')?.status === 'True'
}

/** True while it runs, or may still start. */
export function canRun({ metadata, status }: TestbedPod): boolean {
  return metadata.deletionTimestamp === undefined && (status.phase === 'Running' || status.phase === 'Pending')
}

/** True if this template made it. */
export function isOf({ metadata }: TestbedPod, template: string): boolean {
  return metadata.labels[`${TESTBED}-template`] === template
}

/** True if it ran, and its node no longer answers: the cluster sets a pod's Ready back, and leaves its phase. */
export function isLost(pod: TestbedPod): boolean {
  const ready = conditionOf(pod.status, 'Ready')
  return pod.status.phase === 'Running' && ready !== undefined && ready.status !== 'True' && !isStarting(pod)
}

/** True while no container is reported as running. */
function isStarting({ status }: TestbedPod): boolean {
  return status.containerStatuses.every(({ state }) => state.running === undefined)
}

/** True while the scheduler finds no node for it. */
export function hasNoNode(pod: TestbedPod): boolean {
  return conditionOf(pod.status, 'PodScheduled')?.status === 'False'
}

/** Why it does not run yet: the scheduler's or the kubelet's words. */
export function waitsFor(pod: TestbedPod): string {
  const scheduled = conditionOf(pod.status, 'PodScheduled')
  if (scheduled?.status === 'False') return scheduled.message ?? scheduled.reason ?? 'It has no node yet.'
  const [first] = pod.status.containerStatuses
  if (first?.state.waiting !== undefined) {
    const { reason = 'Waiting', message = '' } = first.state.waiting
    return message === '' ? reason : `${reason}: ${message}`
  }
  return pod.status.message ?? pod.status.phase
}

interface Ending {
  readonly message: string
  readonly remedy: string
}

const CUT = 'The connection to your testbed’s pod ended while it was in use.'
const AGAIN = 'Press Solve: it runs the steps up to this one again, on a new pod. Your results are kept.'

/** @param pod null if it is gone from the cluster; undefined if that is not known */
function endingOf(pod: TestbedPod | null | undefined): Ending {
  if (pod === undefined) return { message: CUT, remedy: AGAIN }
  if (pod === null) return { message: 'Your testbed’s pod was removed from the cluster.', remedy: AGAIN }
  const { status, spec } = pod
  const node = spec.nodeName ?? 'its node'
  if (status.reason === 'Evicted') {
    return { message: `The node ${node} was short of a resource, and evicted your testbed’s pod.`, remedy: AGAIN }
  }
  if (status.reason === 'DeadlineExceeded') {
    return { message: 'Your testbed’s pod reached its time limit (activeDeadlineSeconds).', remedy: AGAIN }
  }
  if (status.containerStatuses.some(({ state }) => state.terminated?.reason === 'OOMKilled')) {
    return {
      message: 'Your testbed’s pod used more memory than its limit allows.',
      remedy: `${AGAIN} If it happens again, the template’s limit (manifests/classroom/testbeds.yaml) is too low.`,
    }
  }
  const ready = conditionOf(pod.status, 'Ready')
  if (isLost(pod) || ready?.reason === 'NodeStatusUnknown') {
    return { message: `The node ${node} of your testbed’s pod does not answer.`, remedy: AGAIN }
  }
  return { message: CUT, remedy: AGAIN }
}

/** Why a testbed ended while it was in use. @param detail the words of the connection */
export function goneError(pod: TestbedPod | null | undefined, detail: string): LabError {
  const { message, remedy } = endingOf(pod)
  const words = [detail, pod?.status.message ?? ''].filter((text) => text !== '')
  return new LabError('testbed_gone', message, remedy, { detail: words.join('\n') })
}

/** @param why the scheduler's or the kubelet's words */
export function notReadyError(why: string, seconds: number, namespace: string): LabError {
  return new LabError(
    'testbed_unavailable',
    `The cluster has not started your testbed’s pod within ${seconds} seconds.`,
    'Try again later: a pod that ends makes room. The cluster’s operator can add nodes, or lower the requests of the template.',
    { detail: why, remedyCommand: `kubectl -n ${namespace} get pods` },
  )
}
