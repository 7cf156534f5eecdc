/** The testbed on a Kubernetes cluster that runs Cilium. */
import type { Testbed } from '../testbed.ts'
import { createCluster } from './cluster.ts'
import { openContext } from './kubeconfig.ts'

export interface KubernetesOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly context: string | null
  readonly namespace: string
  readonly image: string | null
}

export function createKubernetesTestbed(options: KubernetesOptions): Testbed {
  createCluster(openContext(options.env, options.context))
  throw new Error('not yet')
}
