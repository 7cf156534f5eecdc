/** The preflight of a cluster: access, permissions, and then everything that was read. */
import type { V1Node, V1Pod } from '@kubernetes/client-node'
import { LabError } from '@expresslane/shared/base/errors'
import type { Check } from '@expresslane/shared/testbed/testbed'
import { parseVersion, versionArgv } from '../../../tools/versions.ts'
import { attempt } from '../../check.ts'
import type { ClusterChecks } from '../../cluster-view.ts'
import type { CallContext } from '../../testbed.ts'
import { missingAccess } from '../api/access.ts'
import { askAgents, listAgents } from '../datapath/agents.ts'
import {
  accessCheck,
  accessUnknownCheck,
  identityCheck,
  reachableCheck,
  unreachableCheck,
  unreadableCheck,
} from './checks-access.ts'
import { clusterChecks } from './checks.ts'
import type { Cluster } from '../api/cluster.ts'
import type { ClusterReading, ToolsSeen } from '../facts/cluster-reading.ts'
import type { FactsParts } from '../facts/facts.ts'
import { readOutside } from './outside-reading.ts'
import {
  listNodes,
  listWorkload,
  readConfigMap,
  readDaemonSet,
  readNamespace,
  readVersion,
} from '../datapath/gather.ts'
import { readHolder } from '../lease/lease.ts'
import { keepsAway, nameOf } from '../api/nodes.ts'
import type { Permission } from '../api/permission.ts'
import { allPermissions, readPermissions, usualPermissions } from '../api/permissions.ts'
import { readOverrides } from '../datapath/settings.ts'
import { readPods, type WorkloadParts } from '../workload/pod-ops.ts'
import type { OutsideMachine } from '../exec/outside.ts'
import type { PodPrograms } from '../programs/pod-programs.ts'
import { workloadOf } from '../workload/pods.ts'
import { hasImage, tryImage } from '../workload/trial.ts'

/** Who reads the cluster, and the machine outside of it. */
export interface PreflightParts extends FactsParts {
  readonly outside?: OutsideMachine
  readonly programs?: PodPrograms
  /** For starting a pod of the image on nodes, to try whether they can. @defaultValue it is not tried */
  readonly tries?: WorkloadParts | null
  /** The features'. */
  readonly checks?: readonly ClusterChecks[]
}

/** The missing permissions; an existing namespace need not be created. */
async function missingOf(
  cluster: Cluster,
  asked: readonly Permission[],
  namespace: string,
  signal: AbortSignal,
): Promise<readonly Permission[]> {
  const missing = await missingAccess(cluster, asked, signal)
  const isMaking = ({ verb, resource }: Permission): boolean => verb === 'create' && resource === 'namespaces'
  if (!missing.some(isMaking)) return missing
  const there = await attempt(readNamespace(cluster, namespace, signal), signal)
  return there === null || there instanceof LabError ? missing : missing.filter((one) => !isMaking(one))
}

/** Asks a pod of the workload which tools its image has; null without a pod. */
async function readTools(parts: FactsParts, pods: readonly V1Pod[], context: CallContext): Promise<ToolsSeen | null> {
  const workload = workloadOf(readPods(parts.cluster, pods))
  const [at] = workload?.pods.values() ?? []
  if (at === undefined) return null
  const ask = async (tool: keyof ToolsSeen): Promise<string | LabError> => {
    const asking = parts.console.run({ at, argv: versionArgv(tool) }, context)
    const said = await attempt(asking, context.signal)
    return said instanceof LabError ? said : (parseVersion(tool, said.join('\n')) ?? 'of unknown version')
  }
  const [iperf3, tcpdump] = await Promise.all([ask('iperf3'), ask('tcpdump')])
  return { iperf3, tcpdump }
}

/** Tries the image on a few nodes that lack it: pods land on any. */
const TRIALS = 4

/** The parts of the reading that are about the image. */
async function readImage(
  { programs, tries = null, image }: PreflightParts,
  free: readonly V1Node[],
  context: CallContext,
): Promise<Pick<ClusterReading, 'programs' | 'trial'>> {
  const packed = programs === undefined ? null : await attempt(programs.packed(), context.signal)
  const nodes = free.filter((node) => !hasImage(node, image)).map(nameOf)
  const tried = nodes.slice(0, TRIALS)
  const canTry = tries !== null && tried.length > 0 && !(packed instanceof LabError)
  const outcome = canTry ? await attempt(tryImage(tries, tried, context), context.signal) : null
  return {
    ...(packed === null ? {} : { programs: packed instanceof LabError ? packed : packed.archive.length }),
    ...(canTry ? { trial: { nodes: tried, problem: outcome instanceof LabError ? outcome : null } } : {}),
  }
}

async function readCluster(parts: PreflightParts, kubernetes: string, context: CallContext): Promise<ClusterReading> {
  const { cluster, namespace, image } = parts
  const { signal } = context
  const [nodes, daemonSet, settings, agentPods, holder, object, pods] = await Promise.all([
    listNodes(cluster, signal),
    readDaemonSet(cluster, signal),
    readConfigMap(cluster, signal),
    listAgents(cluster, signal),
    readHolder({ cluster }, signal),
    readNamespace(cluster, namespace, signal),
    listWorkload(cluster, namespace, signal),
  ])
  const free = nodes.filter((node) => keepsAway(node) === null)
  const [overrides, agents, tools] = await Promise.all([
    readOverrides(cluster, nodes, signal),
    askAgents(parts, (free.length > 0 ? free : nodes).map(nameOf), agentPods, context),
    readTools(parts, pods, context),
  ])
  const ofImage = await readImage(parts, tools === null ? free : [], context)
  const outside = parts.outside?.isThere === true ? await readOutside(parts, parts.outside, agents, context) : null
  return {
    ...(outside === null ? {} : { outside }),
    context: cluster.context,
    kubernetes,
    nodes,
    daemonSet,
    settings,
    overrides,
    keys: cluster.keys,
    agents,
    holder,
    workload: { namespace, object, pods, image },
    ...ofImage,
    tools,
  }
}

/** @throws `signal.reason` when cancelled; any other failure is a failed check */
export async function* preflight(parts: PreflightParts, context: CallContext): AsyncGenerator<Check, void, void> {
  const { cluster, namespace } = parts
  const { signal } = context
  const version = await attempt(readVersion(cluster, signal), signal)
  if (version instanceof LabError) {
    yield unreachableCheck(version)
    return
  }
  yield reachableCheck(cluster.context, version)
  const endpoint = cluster.config.getCurrentCluster()
  if (endpoint !== null) yield identityCheck(cluster.context, endpoint)
  const asked = parts.outside?.isThere === true ? allPermissions(namespace) : usualPermissions(namespace)
  const missing = await attempt(missingOf(cluster, asked, namespace, signal), signal)
  if (missing instanceof LabError) {
    yield accessUnknownCheck(missing)
    return
  }
  yield accessCheck(asked, missing)
  // The other checks need these permissions.
  if (missing.some((permission) => readPermissions.includes(permission))) return
  const allowed = missing.length === 0 ? parts : { ...parts, tries: null }
  const reading = await attempt(readCluster(allowed, version, context), signal)
  if (reading instanceof LabError) {
    yield unreadableCheck(reading)
    return
  }
  yield* clusterChecks(reading, parts.checks ?? [], Date.now())
}
