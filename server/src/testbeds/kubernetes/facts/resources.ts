/**
 * The resources that runs on a cluster share with other runs: the cluster, and this machine if the cluster's nodes run
 * on it.
 */
import { readFileSync } from 'node:fs'
import type { V1Node } from '@kubernetes/client-node'
import type { Resource, SharedResources } from '../../resources.ts'
import type { Cluster } from '../api/cluster.ts'
import { listNodes, readIncarnation } from '../datapath/gather.ts'

/** The kernel's own id of this boot: the nodes of a kind cluster have this machine's. */
function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
}

/** @param boot the id of this machine's boot */
export function clusterResources(uid: string, nodes: readonly V1Node[], boot: string): SharedResources {
  const cluster: Resource = `cluster:${uid}`
  const isHere = nodes.some(({ status }) => status?.nodeInfo?.bootID === boot)
  return { measuring: isHere ? [cluster, 'host'] : [cluster], changing: [cluster] }
}

/**
 * @returns reads them, and remembers them once read. If the cluster's UID can't be read, its context's name is used;
 * rejects only with `signal.reason`
 */
export function createResources(cluster: Cluster): (signal: AbortSignal) => Promise<SharedResources> {
  let known: SharedResources | null = null
  return async (signal) => {
    if (known !== null) return known
    const [uid, nodes] = await Promise.allSettled([readIncarnation(cluster, signal), listNodes(cluster, signal)])
    signal.throwIfAborted()
    const id = uid.status === 'fulfilled' ? uid.value : cluster.context
    const read = clusterResources(id, nodes.status === 'fulfilled' ? nodes.value : [], bootId())
    if (uid.status === 'fulfilled' && nodes.status === 'fulfilled') known = read
    return read
  }
}
