/** Jobs and their pods in the cluster's API. */
import { randomBytes } from 'node:crypto'
import { LabError } from '@expresslane/shared/base/errors'
import { z } from 'zod'
import { NO_ANSWER, type Cluster } from '../api/cluster.ts'
import { hasStatus, unreachable } from '../api/errors.ts'
import { createPodApi } from '../testbed-pods/pod-api.ts'
import { testbedPod, type TestbedPod } from '../testbed-pods/pod-state.ts'
import { BATCH, jobOf, TASKS, type Batch } from './manifest.ts'

const condition = z.object({ type: z.string(), status: z.string(), message: z.string().default('') })
/** The parts of a Job that matter here. */
const job = z.object({
  metadata: z.object({
    name: z.string(),
    annotations: z.object({ [TASKS]: z.string() }),
    deletionTimestamp: z.coerce.date().optional(),
  }),
  status: z.object({ conditions: z.array(condition).default([]) }).default({ conditions: [] }),
})
export type Job = z.infer<typeof job>

/** The names of the Job's tasks, by their index. */
export function tasksOf({ metadata }: Job): string[] {
  return z.array(z.string()).parse(JSON.parse(metadata.annotations[TASKS]))
}

/** How it ended, in the cluster's words; null while it goes on. */
export function endOf({ status }: Job): string | null {
  return status.conditions.find((one) => /^(Complete|Failed)$/.test(one.type) && one.status === 'True')?.message ?? null
}

export type JobApi = ReturnType<typeof createJobApi>

export function createJobApi(cluster: Cluster, namespace: string) {
  const { template } = createPodApi(cluster, namespace)
  const jobs = (verb: string) => ({ verb, resource: 'jobs', group: 'batch', namespace })

  function read<T>(schema: z.ZodType<T>, object: unknown): T {
    const { success, data, error } = schema.safeParse(object)
    if (!success) throw unreachable(cluster.context, NO_ANSWER, error)
    return data
  }

  return {
    /** The Job of a batch; null if there is none that stays. */
    async find(id: string, signal: AbortSignal): Promise<Job | null> {
      const { items } = await cluster.request(jobs('list'), signal, (options) =>
        cluster.batch.listNamespacedJob({ namespace, labelSelector: `${BATCH}=${id}` }, options),
      )
      const found = items.map((one) => read(job, one))
      return found.find(({ metadata }) => metadata.deletionTimestamp === undefined) ?? null
    },
    async make(batch: Batch, signal: AbortSignal): Promise<Job> {
      const { object } = await template(signal)
      const body = jobOf(`batch-${batch.id.slice(0, 8)}-${randomBytes(3).toString('hex')}`, batch, object)
      const made = await cluster.request(jobs('create'), signal, (options) =>
        cluster.batch.createNamespacedJob({ namespace, body }, options),
      )
      return read(job, made)
    },
    async pods({ metadata: { name } }: Job, signal: AbortSignal): Promise<TestbedPod[]> {
      const labelSelector = `batch.kubernetes.io/job-name=${name}`
      const { items } = await cluster.request({ verb: 'list', resource: 'pods', namespace }, signal, (options) =>
        cluster.core.listNamespacedPod({ namespace, labelSelector }, options),
      )
      return items.map((one) => read(testbedPod, one))
    },
    /** The lines that the pod printed; none if it is gone, or never started. */
    async log({ metadata: { name }, spec }: TestbedPod, signal: AbortSignal): Promise<string[]> {
      const permission = { verb: 'get', resource: 'pods', subresource: 'log', namespace }
      try {
        const text = await cluster.request(permission, signal, (options) =>
          cluster.core.readNamespacedPodLog({ name, namespace, container: spec.containers[0].name }, options),
        )
        return text.trimEnd().split('\n')
      } catch (error) {
        if (error instanceof LabError && (error.code === 'not_found' || error.code === 'tool_failed')) return []
        throw error
      }
    },
    /** With its pods. */
    async remove({ metadata: { name } }: Job, signal: AbortSignal): Promise<void> {
      try {
        await cluster.request(jobs('delete'), signal, (options) =>
          cluster.batch.deleteNamespacedJob({ name, namespace, propagationPolicy: 'Background' }, options),
        )
      } catch (error) {
        if (!hasStatus(error, 404)) throw error
      }
    },
  }
}
