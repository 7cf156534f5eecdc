/** The NetworkPolicy of the netperf pair: nobody else reaches netserver, which runs commands for anybody who does. */
import { PatchStrategy } from '@kubernetes/client-node'
import type { CallContext } from '../../testbed.ts'
import { patchOptions, type Cluster } from '../api/cluster.ts'
import { hasStatus } from '../api/errors.ts'
import { patient } from '../api/patience.ts'
import { NETPERF_POLICY } from '../api/permissions.ts'
import { APPLY } from './pod-ops.ts'
import type { AnyPolicy } from './manifest.ts'

const about = (verb: string, namespace: string) => ({ verb, ...NETPERF_POLICY, namespace })

/** An apply is never aborted midway, because its outcome would be unknown. */
export async function applyPolicy(cluster: Cluster, policy: AnyPolicy, context: CallContext): Promise<void> {
  const { name, namespace } = policy.metadata
  await patient(context, () =>
    cluster.request(about('patch', namespace), new AbortController().signal, (options) =>
      cluster.networking.patchNamespacedNetworkPolicy(
        { name, namespace, body: policy, ...APPLY },
        patchOptions(PatchStrategy.ServerSideApply, options),
      ),
    ),
  )
}

/** Removes the policy, if there is one. */
export async function removePolicy(cluster: Cluster, namespace: string, context: CallContext): Promise<void> {
  const { name } = NETPERF_POLICY
  try {
    await patient(context, () =>
      cluster.request(about('delete', namespace), context.signal, (options) =>
        cluster.networking.deleteNamespacedNetworkPolicy({ name, namespace }, options),
      ),
    )
  } catch (error) {
    if (!hasStatus(error, 404)) throw error
  }
}
