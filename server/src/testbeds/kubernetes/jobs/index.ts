/** Tasks in pods that a cluster schedules: one Indexed Job for a batch of them. */
import { createCluster } from '../api/cluster.ts'
import { inContainer, listContexts, type Env } from '../api/contexts.ts'
import { openContext } from '../api/kubeconfig.ts'
import { createJobApi } from './job-api.ts'
import { createRunJob, type RunJob } from './run.ts'

/**
 * @param context of the kubeconfig that `env` locates; null for its current one
 * @param namespace of the pods and of their template
 * @throws LabError `kubeconfig_invalid`, `context_not_chosen`
 */
export function openJobs(env: Env, context: string | null, namespace: string): RunJob {
  const chosen = context ?? listContexts(env).find(({ current }) => current)?.name ?? null
  const cluster = createCluster(openContext(env, chosen), { isContained: inContainer(env) })
  return createRunJob(createJobApi(cluster, namespace), namespace)
}
