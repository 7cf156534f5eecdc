/** Tasks in pods that a cluster schedules: one Indexed Job for a batch of them. */
import { createCluster } from '../api/cluster.ts'
import { inContainer, listContexts, type Env } from '../api/contexts.ts'
import { openContext } from '../api/kubeconfig.ts'
import { createJobApi } from './job-api.ts'
import { createJobs, type Jobs } from './run.ts'

export type { Task } from './manifest.ts'
export type { Jobs } from './run.ts'

export interface JobSettings {
  /** The environment variables that locate the kubeconfig. */
  readonly env: Env
  /** The context of the cluster; null for the kubeconfig's current one. */
  readonly context: string | null
}

/** @param namespace of the pods and of their template @throws LabError `kubeconfig_invalid`, `context_not_chosen` */
export function openJobs({ env, context }: JobSettings, namespace: string): Jobs {
  const chosen = context ?? listContexts(env).find(({ current }) => current)?.name ?? null
  const cluster = createCluster(openContext(env, chosen), { isContained: inContainer(env) })
  return createJobs(createJobApi(cluster, namespace), namespace)
}
