/** The kubernetes testbed's own parts on the real cluster, in a namespace of a test's own. */
import { ciliumKeys } from '../../../src/features/registry.ts'
import type { KubeConfig } from '@kubernetes/client-node'
import { Http1KubeConfig } from '../../../src/testbeds/kubernetes/api/kubeconfig.ts'
import { createCluster, type Cluster } from '../../../src/testbeds/kubernetes/api/cluster.ts'
import { createConsole } from '../../../src/testbeds/kubernetes/exec/console.ts'
import { createReaper } from '../../../src/testbeds/kubernetes/exec/reap.ts'
import type { WorkloadParts } from '../../../src/testbeds/kubernetes/workload/workload.ts'
import type { ExecOutput } from '../../../src/testbeds/target.ts'

export function clusterConfig(): KubeConfig {
  const config = new Http1KubeConfig()
  config.loadFromFile(process.env['E2E_KUBECONFIG'] ?? '')
  return config
}

/** @param owner of what is run in pods; this process by default */
export function partsOf(cluster: Cluster, namespace: string, owner?: string): WorkloadParts {
  const reaper = createReaper(cluster, namespace, owner)
  const image = process.env['E2E_NETPERF_IMAGE'] ?? 'expresslane/netperf'
  return { cluster, reaper, console: createConsole(cluster, reaper), namespace, image, podSeconds: 3600 }
}

export function realParts(namespace: string): WorkloadParts {
  return partsOf(createCluster(clusterConfig(), { keys: ciliumKeys() }), namespace)
}

export interface Ran {
  readonly stdout: readonly string[]
  readonly stderr: readonly string[]
  readonly exit: ExecOutput & { type: 'exit' }
}

/** Reads a command to its end. */
export async function ran(output: AsyncIterable<ExecOutput>): Promise<Ran> {
  const stdout: string[] = []
  const stderr: string[] = []
  let exit: (ExecOutput & { type: 'exit' }) | null = null
  for await (const item of output) {
    if (exit !== null) throw new Error('something came after the exit')
    if (item.type === 'exit') exit = item
    else (item.stream === 'stdout' ? stdout : stderr).push(item.text)
  }
  if (exit === null) throw new Error('the exit is missing')
  return { stdout, stderr, exit }
}
