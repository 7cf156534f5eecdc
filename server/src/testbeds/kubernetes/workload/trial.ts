/** Tries whether nodes can pull an image, with a pod on each for a moment. */
import { randomBytes } from 'node:crypto'
import type { V1Node } from '@kubernetes/client-node'
import { LabError } from '@expresslane/shared/base/errors'
import type { CallContext } from '../../testbed.ts'
import { readManifest, typedApply } from './manifest.ts'
import { applyNamespace, applyPod, deleteNamed, watchPods, type WorkloadParts } from './pod-ops.ts'
import { runningOf } from './pods.ts'
import { admission, IMAGE_REMEDY, notAdmitted } from './workload-errors.ts'
import { waitUntilReady } from './workload-wait.ts'

/** How long a pull may take before it counts as slow. Where names are not resolved, the kubelet says so after 24 s. */
const PULL_MS = 30_000
/** The cluster ends a pod that nobody removes. */
const TRIAL_SECONDS = 60

/** An image as nodes name it: with its registry, and with its digest in place of a tag. */
function fullName(image: string): string {
  const [name = '', digest] = image.split('@')
  const [, path = '', tag = 'latest'] = /^(.*?)(?::([^/:]+))?$/.exec(name) ?? []
  const [first = '', ...rest] = path.split('/')
  const hub = rest.length === 0 ? 'docker.io/library/' : /[.:]|^localhost$/.test(first) ? '' : 'docker.io/'
  return hub + path + (digest === undefined ? `:${tag}` : `@${digest}`)
}

/** Whether a node reports that it has the image. */
export function hasImage({ status }: V1Node, image: string): boolean {
  return status?.images?.some(({ names }) => names?.includes(fullName(image))) === true
}

/**
 * Starts a pod of the workload's image on each of these nodes, and removes it. The image stays on the nodes.
 *
 * @throws LabError `workload_not_ready` if a node can't start its pod, in the kubelet's words; `deadline_exceeded` while
 * nodes still pull; `cluster_forbidden`; `signal.reason`
 */
export async function tryImage(parts: WorkloadParts, nodes: readonly string[], context: CallContext): Promise<void> {
  const { console, image, namespace } = parts
  const options = { namespace, image, podSeconds: TRIAL_SECONDS, variant: 'same-node' } as const
  const { namespace: space, pods } = await readManifest(options)
  const trial = `netperf-trial-${randomBytes(3).toString('hex')}-`
  const wanted = nodes.flatMap((nodeName, index) =>
    pods.slice(-1).map((client) => {
      const labels = { ...client.metadata?.labels, 'app.kubernetes.io/component': 'trial' }
      const metadata = { name: `${trial}${index}`, namespace, labels }
      return Object.assign({}, client, { metadata, spec: Object.assign({}, client.spec, { affinity: {}, nodeName }) })
    }),
  )
  const why = (pod: string): string => `Node ${nodes[Number(pod.slice(trial.length))]} can’t start a pod of ${image}.`
  const done = new AbortController()
  const inner = { emit: context.emit, signal: AbortSignal.any([context.signal, done.signal]) }
  try {
    await console.showAs(typedApply([space, ...wanted]), context, async () => {
      await applyNamespace(parts, space, inner)
      const uids = new Set(await Promise.all(wanted.map((pod) => applyPod(parts, pod, inner))))
      const wait = {
        uids,
        whole: runningOf,
        stuck: (pod: string, _cause: unknown, detail: string) =>
          new LabError('workload_not_ready', why(pod), IMAGE_REMEDY, { detail }),
        late: (reasons: readonly string[], seconds: number) =>
          new LabError(
            'deadline_exceeded',
            `Not every node had ${image} after ${seconds} seconds.`,
            'They may still be pulling it. Check again in a minute.',
            { detail: reasons.join('\n') },
          ),
        mostMs: PULL_MS,
        atOnce: true,
      }
      await waitUntilReady(watchPods(parts, inner), wait, inner)
    })
  } catch (error) {
    throw admission(error, (words) => notAdmitted(words, parts))
  } finally {
    done.abort()
    // The next deploy removes the rest.
    await deleteNamed(parts, trial, context.emit).catch(() => {})
  }
}
