/** Testbeds' pods in the cluster's API: each made from its template. */
import { createHash, randomBytes } from 'node:crypto'
import type { V1PodTemplate } from '@kubernetes/client-node'
import { NO_ANSWER, type Cluster } from '../api/cluster.ts'
import { hasStatus, unreachable } from '../api/errors.ts'
import { watchObjects } from '../api/watch.ts'
import { testbedPod, TESTBED, type TestbedPod } from './pod-state.ts'

/** The template's name. */
const NAME = 'testbed'
/** The value of a label: a digest's first digits. */
const DIGITS = 24

export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, DIGITS)
}

/** The template of the pods. */
export interface Template {
  readonly object: V1PodTemplate
  /** Another one for another template: pods of an older template are of another image, or have other limits. */
  readonly digest: string
}

export type PodApi = ReturnType<typeof createPodApi>

export function createPodApi(cluster: Cluster, namespace: string) {
  const permission = (verb: string) => ({ verb, resource: 'pods', namespace })

  /** @throws LabError `cluster_unreachable` if it is no pod: something else answers for the API server */
  function read(pod: unknown): TestbedPod {
    const { success, data, error } = testbedPod.safeParse(pod)
    if (!success) throw unreachable(cluster.context, NO_ANSWER, error)
    return data
  }

  return {
    async template(signal: AbortSignal): Promise<Template> {
      const asked = { verb: 'get', resource: 'podtemplates', namespace, name: NAME }
      const object = await cluster.request(asked, signal, (options) =>
        cluster.core.readNamespacedPodTemplate({ name: NAME, namespace }, options),
      )
      return { object, digest: digestOf(JSON.stringify(object.template?.spec ?? null)) }
    },
    /** @param testbed the digest of its id @returns the pod's uid */
    async make(testbed: string, { object, digest }: Template, signal: AbortSignal): Promise<string> {
      const { metadata, spec } = object.template ?? {}
      const owner = { apiVersion: 'v1', kind: 'PodTemplate', name: NAME, uid: object.metadata?.uid ?? '' }
      const body = {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: {
          name: `testbed-${testbed.slice(0, 8)}-${randomBytes(3).toString('hex')}`,
          labels: { ...metadata?.labels, [TESTBED]: testbed, [`${TESTBED}-template`]: digest },
          ...(metadata?.annotations === undefined ? {} : { annotations: metadata.annotations }),
          ownerReferences: [owner],
        },
        ...(spec === undefined ? {} : { spec }),
      }
      const made = await cluster.request(permission('create'), signal, (options) =>
        cluster.core.createNamespacedPod({ namespace, body }, options),
      )
      return made.metadata?.uid ?? ''
    },
    /** @param testbed the digest of its id; null for the pods of all testbeds */
    async list(testbed: string | null, signal: AbortSignal): Promise<TestbedPod[]> {
      const labelSelector = testbed === null ? TESTBED : `${TESTBED}=${testbed}`
      const { items } = await cluster.request(permission('list'), signal, (options) =>
        cluster.core.listNamespacedPod({ namespace, labelSelector }, options),
      )
      return items.map(read)
    },
    async *follow(testbed: string, signal: AbortSignal): AsyncGenerator<TestbedPod[]> {
      const target = {
        path: `/api/v1/namespaces/${namespace}/pods`,
        query: { labelSelector: `${TESTBED}=${testbed}` },
        permission: { resource: 'pods', namespace },
      }
      for await (const items of watchObjects(cluster, target, signal)) yield items.map(read)
    },
    /** Without a grace period: a testbed has nothing to save. */
    async remove({ metadata: { name } }: TestbedPod, signal: AbortSignal): Promise<void> {
      try {
        await cluster.request(permission('delete'), signal, (options) =>
          cluster.core.deleteNamespacedPod({ name, namespace, gracePeriodSeconds: 0 }, options),
        )
      } catch (error) {
        if (!hasStatus(error, 404)) throw error
      }
    },
  }
}
