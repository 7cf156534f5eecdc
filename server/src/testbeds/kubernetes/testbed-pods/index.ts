/** Testbeds in pods that a cluster schedules. */
import { createCluster } from '../api/cluster.ts'
import { inContainer, type Env } from '../api/contexts.ts'
import { openContext } from '../api/kubeconfig.ts'
import { createTestbedPods, type TestbedPods } from './pods.ts'

export { createPodMachine } from './machine.ts'

export interface PodSettings {
  /** The environment variables that locate the kubeconfig. */
  readonly env: Env
  /** The context of the cluster; in a pod its own. */
  readonly context: string
  /** The namespace of the pods and of their template. */
  readonly namespace: string
}

/** An image of some hundred megabytes has to be pulled. */
const READY_MS = 300_000
const CONNECT_MS = 60_000
/** A pod that nobody uses costs its requests. */
const UNUSED_MS = 120_000
/** After a server's start people come back, and find their pods. */
const FOUND_UNUSED_MS = 900_000

/** @throws LabError `kubeconfig_invalid` */
export function openTestbedPods({ env, context, namespace }: PodSettings): TestbedPods {
  const cluster = createCluster(openContext(env, context), { isContained: inContainer(env) })
  return createTestbedPods({
    cluster,
    namespace,
    readyMs: READY_MS,
    connectMs: CONNECT_MS,
    unusedMs: UNUSED_MS,
    foundUnusedMs: FOUND_UNUSED_MS,
  })
}
