/**
 * Sets keys of Cilium's ConfigMap on a cluster: patches Cilium's settings, restarts the agents, waits until each of them
 * and each node's kernel has followed, and restores everything if one did not.
 */
import { PatchStrategy } from '@kubernetes/client-node'
import { LabError } from '@expresslane/shared/base/errors'
import type { DatapathState } from '@expresslane/shared/testbed/reading'
import type { CallContext } from '../../testbed.ts'
import { typedLine } from '../../typed.ts'
import { requireAccess } from '../api/access.ts'
import { AGENT_LABEL, listAgents, type AgentAnswer } from '../datapath/agents.ts'
import { patchOptions } from '../api/cluster.ts'
import { dataFor, leftUndo, oppositeOf, patchFor, undoOf, type ConfigPatch } from './data.ts'
import { createJudge, isTaken } from './judge.ts'
import { holdLease, type Held } from '../lease/lease.ts'
import { patient } from '../api/patience.ts'
import { readPath } from '../datapath/path.ts'
import {
  agentPermissions,
  CONFIG_MAP,
  readPermissions,
  switchPermissions,
  SYSTEM_NAMESPACE as namespace,
} from '../api/permissions.ts'
import { requireSwitchable } from './switchable.ts'
import { awaitAgents, deletePods, replacedBy, type Replaced } from './restart.ts'
import { uidOf } from '../api/pod.ts'
import { readOverrides, readSettings, type Override, type StoredSettings } from '../datapath/settings.ts'
import { describeChange } from '../datapath/taken.ts'
import type { KeyValues } from '../../cilium-key.ts'
import type { WorkloadParts } from '../workload/workload.ts'

export interface SwitchParts extends WorkloadParts {
  /** Who holds the lease meanwhile. @see newIdentity */
  readonly identity: string
  /** For tests that must not block others from switching. */
  readonly lease?: string
}

/** Deadline for restoring the settings after a cancel; the cancel waits for it. */
const PUT_BACK_MS = 10_000

function mapPatch(patch: ConfigPatch): string[] {
  return ['-n', namespace, 'patch', 'configmap', CONFIG_MAP, '--type', 'merge', '-p', JSON.stringify(patch)]
}

const RESTART = `kubectl -n ${namespace} delete pod -l ${AGENT_LABEL}`

/** The commands that undo it by hand: restore the settings and restart the agents. */
function byHand(patch: ConfigPatch): string {
  return `${typedLine(['kubectl', ...mapPatch(patch)])} && ${RESTART}`
}

export async function patchSettings(
  parts: SwitchParts,
  patch: ConfigPatch,
  held: Held,
  context: CallContext,
): Promise<void> {
  const permission = { verb: 'patch', resource: 'configmaps', name: CONFIG_MAP, namespace }
  await held.confirm(context)
  await parts.console.showAs(typedLine(['kubectl', ...mapPatch(patch)]), context, () =>
    patient(context, () =>
      parts.cluster.request(permission, context.signal, (options) =>
        parts.cluster.core.patchNamespacedConfigMap(
          { name: CONFIG_MAP, namespace, body: patch },
          patchOptions(PatchStrategy.MergePatch, options),
        ),
      ),
    ),
  )
}

/** The wanted setting of each node: the requested setting, unless a `CiliumNodeConfig` overrides it. */
export function wantedOf(change: KeyValues, overrides: readonly Override[]): (node: string) => KeyValues {
  return (node) => {
    const here = overrides.filter(({ nodes }) => nodes.includes(node))
    const value = (key: string): string | undefined =>
      here.findLast(({ setting }) => setting[key] !== undefined)?.setting[key]
    return Object.fromEntries(Object.entries(change).map(([key, asked]) => [key, value(key) ?? asked]))
  }
}

/**
 * Goes on while the agents restart. Its context is aborted when the switch fails, and the settings are restored once it
 * has ended.
 *
 * @param replaced resolves when no old agent is left: new pods then get the sizes of the new agents
 */
type Meanwhile = (replaced: Promise<void>, context: CallContext) => Promise<unknown>

/** The state of an attempt to switch. */
export interface Attempt {
  readonly change: KeyValues
  /** The change in words. */
  readonly asked: string
  /** The values to restore if it fails. */
  readonly old: ConfigPatch
  /** Null while no agent has been deleted. */
  replaced: Replaced | null
}

/**
 * Writes the old values, and deletes the agents that can have read the new values: the agents created since.
 *
 * @returns the agents that are to be replaced
 */
export async function putBack(
  parts: SwitchParts,
  attempt: Attempt,
  held: Held,
  context: CallContext,
): Promise<Replaced> {
  await patchSettings(parts, attempt.old, held, context)
  const pods = await patient(context, () => listAgents(parts.cluster, context.signal))
  const known = attempt.replaced
  const isEnding = (pod: (typeof pods)[number]): boolean => pod.metadata?.deletionTimestamp !== undefined
  // An older agent that stays never read the new values; an agent created from now on reads the old values.
  const stale = pods.filter((pod) => isEnding(pod) || (known !== null && !known.old.has(uidOf(pod))))
  const alive = stale.filter((pod) => !isEnding(pod))
  if (alive.length > 0) {
    const names = alive.map(({ metadata }) => metadata?.name ?? '')
    const typed =
      alive.length === pods.length ? RESTART : typedLine(['kubectl', '-n', namespace, 'delete', 'pod', ...names])
    await deletePods(parts, alive, typed, held, context)
  }
  const { old } = replacedBy(stale)
  return { old, nodes: [...new Set([...replacedBy(pods).nodes, ...(known?.nodes ?? [])])] }
}

function withOutcome(
  error: LabError,
  outcome: string,
  remedy: string,
  command: string | null,
  cause: unknown,
): LabError {
  const remedyCommand = command ?? error.remedyCommand
  return new LabError(error.code, `${error.message} ${outcome}`, remedy, {
    ...(error.detail === null ? {} : { detail: error.detail }),
    ...(remedyCommand === null ? {} : { remedyCommand }),
    cause,
  })
}

/** Restores everything after `error`, and waits until the agents are healthy. @returns the error to throw */
export async function undo(
  parts: SwitchParts,
  attempt: Attempt,
  error: LabError,
  held: Held,
  context: CallContext,
): Promise<LabError> {
  const { asked } = attempt
  if (Object.keys(attempt.old.data).length === 0) {
    const outcome = `cilium-config already asked for ${asked} and was not changed.`
    const opposite = oppositeOf(attempt.change, parts.cluster.keys)
    return withOutcome(error, outcome, error.remedy, byHand({ data: opposite }), error)
  }
  const command = byHand(attempt.old)
  if (error.code === 'cluster_unreachable') {
    const outcome = `The connection was lost during the switch: cilium-config may ask for ${asked} now, and agents may have been restarted.`
    return withOutcome(
      error,
      outcome,
      'Once the API server can be reached again, press Restore, or undo the change by hand.',
      command,
      error,
    )
  }
  context.emit({
    type: 'progress',
    subject: null,
    message: `${error.message} Restoring the settings.`,
    done: 0,
    total: 1,
  })
  try {
    const replaced = await putBack(parts, attempt, held, context)
    await awaitAgents(
      parts,
      replaced,
      createJudge(parts, () => ({})),
      context,
    )
  } catch (second) {
    context.signal.throwIfAborted()
    held.lost.throwIfAborted()
    const why = second instanceof LabError ? second.message : String(second)
    const outcome = `The previous settings could not be fully restored: ${why}`
    return withOutcome(error, outcome, 'Press Restore, or undo the change by hand.', command, second)
  }
  const outcome = 'The previous settings are restored, and every agent is healthy again.'
  return withOutcome(error, outcome, error.remedy, null, error)
}

/** After a cancel: restores the settings and does not wait for the agents. */
export async function abandon(parts: SwitchParts, attempt: Attempt, held: Held, context: CallContext): Promise<void> {
  const signal = AbortSignal.any([held.lost, AbortSignal.timeout(PUT_BACK_MS)])
  const own = { signal, emit: context.emit }
  try {
    await putBack(parts, attempt, held, own)
  } catch {
    const message = `The settings could not be restored in time. To restore them by hand: ${byHand(attempt.old)}`
    context.emit({ type: 'progress', subject: null, message, done: 0, total: 1 })
  }
}

/** Reads the settings. A try of settings that was interrupted is undone before. */
async function readUndone(
  parts: SwitchParts,
  held: Held,
  context: CallContext,
): Promise<{ settings: StoredSettings; wasLeft: boolean }> {
  const read = (): Promise<StoredSettings> => patient(context, () => readSettings(parts.cluster, context.signal))
  const settings = await read()
  const left = leftUndo(settings)
  if (left === null) return { settings, wasLeft: false }
  await patchSettings(parts, left, held, context)
  return { settings: await read(), wasLeft: true }
}

/** The result of a switch: the path as it was if nothing had to be done, or the answers of the new agents. */
type Switched = { readonly present: DatapathState } | { readonly present: null; readonly answers: AgentAnswer[] }

async function switchHeld(
  parts: SwitchParts,
  change: KeyValues,
  held: Held,
  meanwhile: Meanwhile | null,
  context: CallContext,
): Promise<Switched> {
  const { cluster } = parts
  const { signal } = context
  const [{ settings, wasLeft }, nodes] = await Promise.all([
    readUndone(parts, held, context),
    patient(context, () =>
      cluster.request({ verb: 'list', resource: 'nodes' }, signal, (options) => cluster.core.listNode({}, options)),
    ),
  ])
  const overrides = await patient(context, () => readOverrides(cluster, nodes.items, signal))
  requireSwitchable(change, settings)
  const wanted = wantedOf(change, overrides)
  const data = dataFor(change, settings)
  const patch = patchFor(data, settings)
  const isIntended = Object.keys(data).length === 0
  // Agents can still have the settings of a try that was interrupted.
  if (isIntended && !wasLeft) {
    const present = await patient(context, () => readPath(parts, context))
    if (isTaken(present, wanted, cluster.keys)) return { present }
  }
  // A restart alone can be about any of them.
  const loads = cluster.keys.some(({ key, isCompiled }) => isCompiled && key in (isIntended ? change : data))
  const asked = describeChange(change, cluster.keys)
  const attempt: Attempt = { change, asked, old: undoOf(patch, settings), replaced: null }
  const answers: AgentAnswer[] = []
  const working: CallContext = { emit: context.emit, signal: AbortSignal.any([signal, held.lost]) }
  const failed = new AbortController()
  const replaced = Promise.withResolvers<void>()
  let beside: Promise<unknown> = Promise.resolve()
  try {
    if (!isIntended) await patchSettings(parts, patch, held, working)
    // Listed after the change is in place: every later agent has read it.
    const pods = await patient(working, () => listAgents(cluster, working.signal))
    attempt.replaced = replacedBy(pods)
    const besideContext = { emit: context.emit, signal: AbortSignal.any([working.signal, failed.signal]) }
    beside = (meanwhile?.(replaced.promise, besideContext) ?? beside).catch(() => {})
    await deletePods(parts, pods, RESTART, held, working)
    const judge = createJudge(parts, wanted, { heard: (answer) => answers.push(answer), loads })
    await awaitAgents(parts, attempt.replaced, judge, working, { replaced: replaced.resolve })
  } catch (error) {
    failed.abort(error)
    const isCancelled = signal.aborted && !held.lost.aborted
    await Promise.all([beside, isCancelled && !isIntended ? abandon(parts, attempt, held, context) : null])
    held.lost.throwIfAborted()
    signal.throwIfAborted()
    if (!(error instanceof LabError)) throw error
    throw await undo(parts, attempt, error, held, working)
  }
  return { present: null, answers }
}

/**
 * Switches as {@link setDatapath} does, and does not read the path afterwards.
 *
 * @param meanwhile begins when the agents are deleted; not called if nothing has to be restarted. It can go on when the
 * switch has ended
 */
export async function switchSettings(
  parts: SwitchParts,
  change: KeyValues,
  meanwhile: Meanwhile | null,
  context: CallContext,
): Promise<Switched> {
  const { cluster, identity, lease } = parts
  const needed = [...readPermissions, ...agentPermissions, ...switchPermissions]
  await patient(context, () => requireAccess(cluster, needed, context.signal))
  const leaseParts = { cluster, identity, ...(lease === undefined ? {} : { name: lease }) }
  return holdLease(leaseParts, context, (held) => switchHeld(parts, change, held, meanwhile, context))
}

/**
 * Sets keys of Cilium's ConfigMap, while holding the cluster's lease. Idempotent: if the settings, all agents and
 * all native devices are already as wanted, nothing is restarted. Running pods keep their sizes.
 *
 * @throws LabError `cluster_forbidden` before any change; `cluster_locked` naming the holder of the lease;
 * `agent_refused` with the agent's message, `datapath_not_taken`, `deadline_exceeded`, after restoring the old settings,
 * or with a message that they could not be restored; `cluster_unreachable`; `signal.reason` after restoring them
 */
export async function setDatapath(parts: SwitchParts, change: KeyValues, context: CallContext): Promise<DatapathState> {
  const switched = await switchSettings(parts, change, null, context)
  return switched.present ?? patient(context, () => readPath(parts, context, switched.answers))
}
