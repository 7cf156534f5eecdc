/** Runs a command that captures packets on a node's devices, in its own pod, which is removed with it. */
import { randomBytes } from 'node:crypto'
import { LabError } from '@expresslane/shared/base/errors'
import type { CallContext } from '../../testbed.ts'
import type { ExecOutput } from '../../target.ts'
import { hasStatus } from '../api/errors.ts'
import { readCapturePod, typedApply } from './manifest.ts'
import { applyPod, deleteNamed, typedWait, watchPods, type WorkloadParts } from './pod-ops.ts'
import { refOf, podProgress, type PodRef, type StuckCause } from './pods.ts'
import { admission, takeAnyPod } from './workload-errors.ts'
import { waitUntilReady, type Awaited } from './workload-wait.ts'

/** The command that `capture:` asks for. */
export interface CaptureCommand {
  readonly node: string
  readonly argv: readonly string[]
  readonly deadlineMs: number
}

/** @param detail the API server's words */
function notAdmitted(detail: string, namespace: string): LabError {
  return new LabError(
    'workload_not_ready',
    'The cluster does not admit the capture pod.',
    `It runs in the node's network with CAP_NET_RAW. If Pod Security forbids that, allow it in namespace ${namespace}.`,
    { detail, remedyCommand: takeAnyPod(namespace) },
  )
}

/** @param detail the API server's words */
function noNamespace(namespace: string, detail: string): LabError {
  return new LabError(
    'step_not_ready',
    `There is no namespace ${namespace}.`,
    'If the lab has a Deploy step, run it first. Otherwise run this step again.',
    { detail },
  )
}

const remedies: Readonly<Record<StuckCause, string>> = {
  schedule: 'The node accepts no pods. Uncordon it, or remove its taint.',
  image: 'The node must have the image of the netperf pods, or be able to pull it.',
  configuration: "Read the node's message; it does not accept the pod in manifests/capture.yaml.",
  crash: 'Read its last output; the image must contain sleep, and the node must have room for one more pod.',
}

function thePod(uid: string, { namespace }: WorkloadParts): Awaited<PodRef> {
  const remedyCommand = `kubectl -n ${namespace} get events --sort-by=.lastTimestamp`
  return {
    uids: new Set([uid]),
    whole: ([pod]) => (pod !== undefined && podProgress(pod).is === 'ready' ? refOf(pod) : null),
    stuck: (pod, cause, detail) =>
      new LabError('workload_not_ready', `Pod ${pod} can’t become ready.`, remedies[cause], {
        detail,
        remedyCommand,
      }),
    late: (reasons, seconds) =>
      new LabError(
        'workload_not_ready',
        `The capture pod was not ready within ${seconds} seconds.`,
        'Check the latest reasons and the events of the namespace, then try again.',
        { detail: reasons.join('\n'), remedyCommand },
      ),
  }
}

/** Creates the pod and waits for it. */
async function make(parts: WorkloadParts, name: string, node: string, context: CallContext): Promise<PodRef> {
  const { console, namespace, image, programs } = parts
  const pod = await readCapturePod({ namespace, image, isBare: programs !== undefined, name, node })
  const seen = watchPods(parts, context)
  const uid = await console.showAs(typedApply([pod]), context, () =>
    applyPod(parts, pod, context).catch((error: unknown) => {
      if (hasStatus(error, 404)) throw noNamespace(namespace, error instanceof LabError ? (error.detail ?? '') : '')
      throw admission(error, (words) => notAdmitted(words, namespace))
    }),
  )
  const wait = typedWait(namespace, [name])
  const at = await console.showAs(wait, context, () => waitUntilReady(seen, thePod(uid, parts), context))
  await programs?.ensure(at, context)
  return at
}

/**
 * Runs argv in a new pod on that node, in the node's network, and removes the pod at the end in any case. A pod that
 * can't be removed is ended by its own deadline, and the next deploy removes it.
 *
 * @throws LabError `workload_not_ready` with the cluster's own reason, `step_not_ready` where nothing was deployed;
 * the errors of the console; `signal.reason`
 */
export async function* captureOn(
  parts: WorkloadParts,
  { node, argv, deadlineMs }: CaptureCommand,
  context: CallContext,
): AsyncGenerator<ExecOutput, void, void> {
  const name = `netperf-capture-${randomBytes(3).toString('hex')}`
  const done = new AbortController()
  const inner = { emit: context.emit, signal: AbortSignal.any([context.signal, done.signal]) }
  try {
    const at = await make(parts, name, node, inner)
    yield* parts.console.stream({ at, argv, where: node, deadlineMs, goesWithPod: true }, inner)
  } finally {
    done.abort()
    // Only the outcome of the command counts.
    await deleteNamed(parts, name, context.emit).catch(() => {})
  }
}
