/** A backend behind a NodePort: the node that clients call, the pod on another node, and a first call from outside. */
import { setTimeout as delay } from 'node:timers/promises'
import { isIPv4, isIPv6 } from 'node:net'
import { PatchStrategy, type V1Node, type V1Service } from '@kubernetes/client-node'
import { CONTROL_NODE_PORT, DATA_NODE_PORT, ENTRY, nodePorts } from '@expresslane/shared/testbed/exposed'
import { family as families, type Family } from '@expresslane/shared/base/units'
import type { Placement, Pod } from '@expresslane/shared/testbed/placement'
import { LabError } from '@expresslane/shared/base/errors'
import { transactionArgv } from '../../../tools/netperf/nodeport.ts'
import type { CallContext } from '../../testbed.ts'
import { requireAccess } from '../api/access.ts'
import { patchOptions } from '../api/cluster.ts'
import { keepsAway, nameOf } from '../api/nodes.ts'
import { patient } from '../api/patience.ts'
import { EXPOSED_SERVICE, exposedPermissions } from '../api/permissions.ts'
import { listNodes } from '../datapath/gather.ts'
import { NO_OUTSIDE, type OutsideMachine } from '../exec/outside.ts'
import { readExposedManifest, typedApply, type ExposedManifest } from './manifest.ts'
import { APPLY, type WorkloadParts } from './pod-ops.ts'
import type { PlacedWorkload } from './pods.ts'
import type { WorkloadNames } from './workload-errors.ts'

function addressesOf({ status }: V1Node): Pod['addresses'] {
  const internal = (status?.addresses ?? []).flatMap(({ type, address }) => (type === 'InternalIP' ? [address] : []))
  return { ipv4: internal.find((one) => isIPv4(one)) ?? null, ipv6: internal.find((one) => isIPv6(one)) ?? null }
}

/** The node that clients call: the last that accepts pods, so that a node is left for the backend. */
function entryAmong(nodes: readonly V1Node[]): Pod {
  const free = nodes.filter((node) => keepsAway(node) === null)
  const entry = free.at(-1)
  if (entry === undefined || nodes.length < 2) {
    throw new LabError(
      'workload_not_ready',
      'The lab needs two nodes that accept pods: one that is called, and one for the backend.',
      'Add a node, uncordon one, or remove a taint.',
      { remedyCommand: 'kubectl get nodes' },
    )
  }
  return { role: ENTRY, name: 'NodePort', node: nameOf(entry), addresses: addressesOf(entry) }
}

/** An apply is never aborted midway, because its outcome would be unknown. */
async function applyService(parts: WorkloadParts, service: V1Service, context: CallContext): Promise<void> {
  const { cluster, console, namespace } = parts
  const permission = { verb: 'patch', resource: 'services', name: EXPOSED_SERVICE, namespace }
  await console.showAs(typedApply([service]), context, () =>
    patient(context, () =>
      cluster.request(permission, new AbortController().signal, (options) =>
        cluster.core.patchNamespacedService(
          { name: EXPOSED_SERVICE, namespace, body: service, ...APPLY },
          patchOptions(PatchStrategy.ServerSideApply, options),
        ),
      ),
    ),
  )
}

/** A call is stopped after this. */
const CALL_MS = 4_000
/** Agents learn of a new service and its pod within a second or two. */
const ATTEMPTS = 5
const BETWEEN_MS = 500

function silent(entry: Pod, detail: string): LabError {
  return new LabError(
    'datapath_not_taken',
    `The NodePort of node ${entry.node} does not answer the client outside of the cluster.`,
    `Check that the client reaches the node's address and its ports ${CONTROL_NODE_PORT} and ${DATA_NODE_PORT}. Where the nodes' devices are veths, XDP needs a prepared wire: run preflight, and follow its remedy.`,
    { detail },
  )
}

/**
 * Calls the NodePort from outside, over TCP and UDP, in the first family that the node has.
 *
 * @throws LabError `datapath_not_taken` if a call is not answered; `signal.reason`
 */
async function callOnce(outside: OutsideMachine, entry: Pod, context: CallContext): Promise<void> {
  const of = families.options.find((one: Family) => entry.addresses[one] !== null)
  const address = of === undefined ? null : entry.addresses[of]
  if (address === null) throw silent(entry, 'The node has no internal address.')
  for (const test of ['TCP_CRR', 'UDP_RR'] as const) {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await outside.run(transactionArgv(test, { ...nodePorts, address }), CALL_MS, context)
        break
      } catch (error) {
        context.signal.throwIfAborted()
        const passing = error instanceof LabError && ['tool_failed', 'deadline_exceeded'].includes(error.code)
        if (!passing) throw error
        if (attempt === ATTEMPTS) throw silent(entry, error.detail ?? error.message)
        const message = `The NodePort does not answer ${test} yet.`
        context.emit({ type: 'progress', subject: null, message, done: attempt, total: ATTEMPTS })
        await delay(BETWEEN_MS, undefined, { signal: context.signal }).catch(() => context.signal.throwIfAborted())
      }
    }
  }
}

/**
 * Makes the backend and its NodePort, and calls it once from outside.
 *
 * @param replace replaces the workload's pods
 * @throws LabError `bad_request` without a client outside, or for another placement; `datapath_not_taken`
 */
export async function makeExposed(
  parts: WorkloadParts,
  { variant }: WorkloadNames,
  replace: (manifest: ExposedManifest) => Promise<PlacedWorkload>,
  context: CallContext,
): Promise<Placement> {
  const { cluster, namespace, image, programs, podSeconds, outside } = parts
  if (outside?.isThere !== true) {
    throw new LabError('bad_request', NO_OUTSIDE, 'Set EXPRESSLANE_OUTSIDE, and start Expresslane again.')
  }
  if (variant !== 'other-node') {
    throw new LabError(
      'bad_request',
      'The backend is on another node than the one that is called.',
      'Choose the placement on different nodes.',
    )
  }
  await patient(context, () => requireAccess(cluster, exposedPermissions(namespace), context.signal))
  const entry = entryAmong(await patient(context, () => listNodes(cluster, context.signal)))
  const manifest = await readExposedManifest(entry, { namespace, image, isBare: programs !== undefined, podSeconds })
  const workload = await replace(manifest)
  const [backend] = workload.pods.values()
  await applyService(parts, manifest.serviceOf(backend?.uid ?? ''), context)
  await callOnce(outside, entry, context)
  return workload.placement
}
