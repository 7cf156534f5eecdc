/** Compares the reports of an agent and its node's kernel with the requested settings. */
import { setTimeout as delay } from 'node:timers/promises'
import type { V1Pod } from '@kubernetes/client-node'
import { LabError } from '@expresslane/shared/base/errors'
import type { DatapathState, Link } from '@expresslane/shared/testbed/reading'
import { endpointStatesArgv, parseEndpointStates, typedEndpointStates } from '../../../tools/cilium-endpoints.ts'
import { keyValues, type CiliumKey, type KeyValues } from '../../cilium-key.ts'
import type { CallContext } from '../../testbed.ts'
import { AGENT_CONTAINER, agentTarget, askAgents, type AgentAnswer } from '../datapath/agents.ts'
import { kubectlExec } from '../exec/console.ts'
import { patient } from '../api/patience.ts'
import { attempt } from '../datapath/unread.ts'
import { cleared, wordsOfRunning } from './refusal.ts'
import type { Judge, RestartParts } from './restart.ts'
import { agentDiffers, describeChange, kernelDiffers, reportedBy, unshown, type Reported } from '../datapath/taken.ts'

/** An agent is Ready before all of its parts have started: for so long it can still report trouble. */
const WELL_MS = 30_000
/** Some releases set the devices a moment after they are Ready. */
const KERNEL_MS = 5000
/**
 * A Ready agent loads the programs of its node and pods once more. On a busy machine the old ones run for half a
 * minute.
 */
const LOADED_MS = 150_000
/** Between two questions: asking costs an agent that starts a part of its processor time. */
const AGAIN_MS = [500, 1000] as const

function unwell(node: string, words: readonly string[]): LabError {
  return new LabError(
    'datapath_not_taken',
    `The Cilium agent of ${node} is Ready, but its datapath is not healthy.`,
    "Read the agent's status and its log, then run the step again.",
    {
      detail: words.join('\n'),
      remedyCommand: 'kubectl -n kube-system exec ds/cilium -c cilium-agent -- cilium-dbg status --verbose',
    },
  )
}

function notFollowed(node: string, differences: readonly string[]): LabError {
  return new LabError(
    'datapath_not_taken',
    `The agent of ${node} reports the requested setting, but the kernel does not follow: ${differences[0] ?? ''}.`,
    "Check the node's kernel version and its device's driver; preflight lists the known bugs.",
    { detail: differences.join('\n') },
  )
}

function notLoaded(node: string, words: string): LabError {
  return new LabError(
    'datapath_not_taken',
    `The Cilium agent of ${node} is Ready, but it has not loaded all of its programs yet.`,
    'Wait until the command shows no endpoint that is regenerating, then run the step again.',
    {
      detail: words,
      remedyCommand: 'kubectl -n kube-system exec ds/cilium -c cilium-agent -- cilium-dbg endpoint list',
    },
  )
}

/** An obstacle to being ready, and how long to wait for its end. */
interface Obstacle {
  readonly words: string
  readonly patienceMs: number
  error(): LabError | Promise<LabError>
}

/** The devices that Cilium attaches to. */
function nativeOf({ status, links }: AgentAnswer): Link[] {
  return (links ?? []).map(({ link }) => link).filter(({ device }) => status?.devices?.includes(device) ?? false)
}

interface JudgeOptions {
  /** Is called with each answer that is as wanted. */
  readonly heard?: (answer: AgentAnswer) => void
  /** Whether an agent also has to have loaded its programs. @defaultValue false */
  readonly loads?: boolean
}

/**
 * @param wanted the setting for each node, because a `CiliumNodeConfig` can override it; none if an agent only has to
 * be healthy
 */
export function createJudge(
  parts: RestartParts,
  wanted: (node: string) => KeyValues,
  { heard, loads = false }: JudgeOptions = {},
): Judge {
  const { keys } = parts.cluster

  /** Only these keys of an agent's report. */
  const only = (reported: Reported, of: (key: CiliumKey) => boolean): string =>
    describeChange(Object.fromEntries(keys.filter(of).map(({ key }) => [key, reported[key] ?? null])), keys)

  /** Some settings are compiled into the programs, which the kernel does not show. */
  async function loadingOf(node: string, pod: V1Pod, context: CallContext): Promise<Obstacle | null> {
    const at = agentTarget(pod)
    const command = { at, argv: endpointStatesArgv, typed: kubectlExec(at, typedEndpointStates) }
    const asked = await attempt(parts.cluster, context.signal, () => parts.console.run(command, context))
    if (asked.value === null) {
      const { reason } = asked
      return { words: reason, patienceMs: WELL_MS, error: () => unwell(node, [reason]) }
    }
    const { loading, all } = parseEndpointStates(asked.value.join(' '))
    if (loading === 0) return null
    const words = `${loading} of ${all} endpoints still have the programs from before`
    return { words, patienceMs: LOADED_MS, error: () => notLoaded(node, words) }
  }

  async function obstacleOf(answer: AgentAnswer, pod: V1Pod, context: CallContext): Promise<Obstacle | null> {
    const { node, status, reason } = answer
    const change = wanted(node)
    if (status === null) {
      const words = reason ?? 'it does not answer'
      return { words, patienceMs: WELL_MS, error: () => unwell(node, [words]) }
    }
    const reported = reportedBy(status, keys)
    const differing = agentDiffers(reported, change)
    if (differing.length > 0) {
      const words = await patient(context, () => wordsOfRunning(parts.cluster, pod, AGENT_CONTAINER, context.signal))
      const says = only(reported, ({ key }) => differing.includes(key))
      throw cleared(node, says, words, keys)
    }
    const devices = nativeOf(answer)
    const hidden = unshown(reported, devices, change, keys)
    if (hidden?.required !== undefined) throw hidden.required.error(node)
    const kernel = kernelDiffers(node, devices, change, keys)
    if (kernel.length > 0) {
      return { words: kernel[0] ?? '', patienceMs: KERNEL_MS, error: () => notFollowed(node, kernel) }
    }
    const [trouble] = status.troubles
    if (trouble === undefined) {
      return loads ? loadingOf(node, pod, context) : null
    }
    return { words: trouble, patienceMs: WELL_MS, error: () => unwell(node, status.troubles) }
  }

  return async (pod, node, report, context) => {
    const change = wanted(node)
    const began = performance.now()
    for (let again: number = AGAIN_MS[0]; ; again = AGAIN_MS[1]) {
      const [answer] = await askAgents(parts, [node], [pod], context)
      if (answer === undefined) throw new Error('one node was asked and none answered')
      const obstacle = await obstacleOf(answer, pod, context)
      if (obstacle === null) {
        heard?.(answer)
        const { status } = answer
        if (status === null) return ''
        return `reports ${only(reportedBy(status, keys), ({ key, required }) => required !== undefined || key in change)}`
      }
      if (performance.now() - began >= obstacle.patienceMs) throw await obstacle.error()
      report(obstacle.words)
      await delay(again, undefined, { signal: context.signal }).catch(() => context.signal.throwIfAborted())
    }
  }
}

/** Whether all agents and native devices already follow. An agent that could not be read counts as no. */
export function isTaken(
  { agents, kernel }: Pick<DatapathState, 'agents' | 'kernel'>,
  wanted: (node: string) => KeyValues,
  keys: readonly CiliumKey[],
): boolean {
  if (agents === null || agents.length === 0) return false
  return agents.every(({ node, settings, unreadable }) => {
    const change = wanted(node)
    const reported = keyValues(settings ?? {})
    const devices = kernel.filter((device) => device.native && device.node === node)
    return (
      unreadable === null &&
      unshown(reported, devices, change, keys) === null &&
      agentDiffers(reported, change).length === 0 &&
      kernelDiffers(node, devices, change, keys).length === 0
    )
  })
}
