/**
 * Tries settings of Cilium that can stop an agent, on one node: it is restarted with them, its answer is kept, and the
 * settings are restored. The other agents go on, because an agent reads its settings only when it starts.
 */
import { LabError } from '@expresslane/shared/base/errors'
import type { CiliumStatus } from '../../../tools/cilium-status.ts'
import type { CallContext, Tried, TrySettings } from '../../testbed.ts'
import { typedLine } from '../../typed.ts'
import { requireAccess } from '../api/access.ts'
import { patient } from '../api/patience.ts'
import { agentPermissions, readPermissions, switchPermissions, SYSTEM_NAMESPACE } from '../api/permissions.ts'
import { AGENT_CONTAINER, agentOf, listAgents } from '../datapath/agents.ts'
import { MAY_BREAK, readSettings, type StoredSettings } from '../datapath/settings.ts'
import { holdLease, type Held } from '../lease/lease.ts'
import { leftUndo, tryPatch, type ConfigPatch } from './data.ts'
import { createJudge } from './judge.ts'
import { linesOfRunning } from './refusal.ts'
import { awaitAgents, deletePods, replacedBy, type Judge, type Replaced } from './restart.ts'
import { abandon, patchSettings, putBack, undo, type Attempt, type SwitchParts } from './switch.ts'

const CONSENT = `kubectl -n ${SYSTEM_NAMESPACE} annotate configmap cilium-config ${MAY_BREAK}=true`

/** Why nothing may be tried; null if it may. */
function whyDenied({ map }: StoredSettings): string | null {
  if (map.metadata?.annotations?.[MAY_BREAK] === 'true') return null
  return `It stops the Cilium agent of a node for a moment, and nobody has allowed that for this cluster. On a cluster for tests allow it: ${CONSENT}`
}

/** Waits for the answer of the node's new agent. */
async function answerOf(
  parts: SwitchParts,
  replaced: Replaced,
  { node, about }: TrySettings,
  context: CallContext,
): Promise<Tried> {
  let status: CiliumStatus | null = null
  let lines: readonly string[] = []
  const healthy = createJudge(parts, () => ({}), { heard: (answer) => ({ status } = answer) })
  const judge: Judge = async (pod, of, report, inner) => {
    if (of !== node) return 'not restarted'
    const words = await healthy(pod, of, report, inner)
    lines = await patient(inner, () => linesOfRunning(parts.cluster, pod, AGENT_CONTAINER, about, inner.signal))
    return words
  }
  try {
    await awaitAgents(parts, replaced, judge, context)
  } catch (error) {
    if (!(error instanceof LabError) || error.code !== 'agent_refused') throw error
    return { kind: 'refused', lines: (error.detail ?? error.message).split('\n') }
  }
  if (status === null) throw new Error('the agent was accepted without an answer')
  return { kind: 'taken', status, lines }
}

/** Restarts the node's agent with the settings. */
async function begin(
  parts: SwitchParts,
  attempt: Attempt,
  { node, patch }: { readonly node: string; readonly patch: ConfigPatch },
  held: Held,
  context: CallContext,
): Promise<Replaced> {
  await patchSettings(parts, patch, held, context)
  const pods = await patient(context, () => listAgents(parts.cluster, context.signal))
  const agent = agentOf(node, pods)
  attempt.replaced = replacedBy(pods)
  if (agent === null) throw new LabError('not_found', `No Cilium agent runs on node ${node}.`, 'Run the step again.')
  const name = agent.metadata?.name ?? ''
  await deletePods(parts, [agent], typedLine(['kubectl', '-n', SYSTEM_NAMESPACE, 'delete', 'pod', name]), held, context)
  return replacedBy([agent])
}

async function tryHeld(parts: SwitchParts, tried: TrySettings, held: Held, context: CallContext): Promise<Tried> {
  const { signal, emit } = context
  const settings = await patient(context, () => readSettings(parts.cluster, signal))
  const why = whyDenied(settings)
  if (why !== null) return { kind: 'denied', why }
  if (leftUndo(settings) !== null) {
    const message = 'cilium-config still has the settings of a try that was interrupted.'
    throw new LabError('step_not_ready', message, 'Run Restore, then run this step again.')
  }
  const { patch, old } = tryPatch(tried.data, settings)
  const attempt: Attempt = { change: {}, asked: JSON.stringify(tried.data), old, replaced: null }
  const working: CallContext = { emit, signal: AbortSignal.any([signal, held.lost]) }
  try {
    const replaced = await begin(parts, attempt, { node: tried.node, patch }, held, working)
    const answer = await answerOf(parts, replaced, tried, working)
    emit({
      type: 'progress',
      subject: null,
      message: 'The agent has answered. Restoring the settings.',
      done: 0,
      total: 1,
    })
    // An agent that refused has loaded nothing: the programs from before the try have been there all the time.
    const judge = createJudge(parts, () => ({}), { loads: answer.kind === 'taken' })
    await awaitAgents(parts, await putBack(parts, attempt, held, working), judge, working)
    return answer
  } catch (error) {
    if (signal.aborted && !held.lost.aborted) await abandon(parts, attempt, held, context)
    held.lost.throwIfAborted()
    signal.throwIfAborted()
    if (!(error instanceof LabError)) throw error
    throw await undo(parts, attempt, error, held, working)
  }
}

/**
 * Tries settings on one node while holding the cluster's lease, if an administrator has allowed it. The undo is noted on
 * the ConfigMap in the same patch as the settings: any Expresslane restores them at its next switch.
 *
 * @throws LabError the errors of `setDatapath`, after restoring the settings, or with a message that they could not be
 * restored; `step_not_ready` after an interrupted try; `signal.reason` after restoring them
 */
export async function trySettings(parts: SwitchParts, tried: TrySettings, context: CallContext): Promise<Tried> {
  const { cluster, identity, lease } = parts
  const needed = [...readPermissions, ...agentPermissions, ...switchPermissions]
  await patient(context, () => requireAccess(cluster, needed, context.signal))
  const leaseParts = { cluster, identity, ...(lease === undefined ? {} : { name: lease }) }
  return holdLease(leaseParts, context, (held) => tryHeld(parts, tried, held, context))
}
