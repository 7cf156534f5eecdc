/** Why an agent does not start with BIG TCP as asked: its own log lines, found in the whole log. */
import type { V1Pod } from '@kubernetes/client-node'
import { LabError } from '@expresslane/shared/wire/errors'
import type { Cluster } from '../api/cluster.ts'
import type { Ended } from './rollout.ts'

/** Lines of a log to request: fatal errors are among the last lines, warnings further up. */
const TAIL_LINES = 2000

const level = (names: string): RegExp => new RegExp(String.raw`\blevel=(${names})\b|"level":"(${names})"`, 'i')
const FATAL = level('fatal|panic')
const ERROR = level('error')
const WARNING = level('warn|warning')
const INFO = level('info|debug')
const PANIC = /^(panic|fatal error): /
/** Of BIG TCP and what it sets: `... --enable-ipv4-big-tcp, needs kernel ...`, `Could not modify IPv4 gro_max_size ...`. */
const BIG_TCP = /big[ _-]?tcp|\bg[sr]o(_ipv4)?_max_size|\bG[RS]O\/G[RS]O\b/i
/** Log lines of an agent that stopped because it could not reach the API server, which is not a refusal. */
const API_SERVER =
  /connection refused|connection reset|i\/o timeout|context deadline exceeded|TLS handshake timeout|no route to host|Unable to contact k8s|unexpected EOF|Client\.Timeout|etcdserver:|apiserver not ready/i

/**
 * The lines that say why, verbatim: warnings and errors about BIG TCP; else fatal lines; else errors; else the last
 * lines. Each once, because an agent logs an error at every level that passes it on.
 */
export function findWords(lines: readonly string[]): string[] {
  const said = lines.filter((line) => line.trim() !== '')
  const bad = said.filter((line) => [FATAL, ERROR, WARNING, PANIC].some((one) => one.test(line)))
  const about = bad.filter((line) => BIG_TCP.test(line))
  const fatal = bad.filter((line) => FATAL.test(line) || PANIC.test(line))
  // The fatal line repeats the errors before it.
  const choices = [fatal.filter((line) => BIG_TCP.test(line)), about, fatal, bad.filter((line) => ERROR.test(line))]
  const found = choices.find((some) => some.length > 0) ?? said
  return [...new Set(found)].slice(-5)
}

/** Whether a warning or an error is about BIG TCP; a line that only shows an option is not. */
export function blamesBigTcp(words: readonly string[]): boolean {
  return words.some((line) => BIG_TCP.test(line) && !INFO.test(line))
}

/** Whether it stopped only because it could not reach the API server; then it recovers without help. */
export function blamesApiServer(words: readonly string[]): boolean {
  return !blamesBigTcp(words) && words.some((line) => API_SERVER.test(line))
}

/** The sentence about BIG TCP at the end of a long line: `BIG TCP is not supported with legacy host routing`. */
export function sentenceOf(words: readonly string[]): string | null {
  for (const line of words.toReversed()) {
    const [found] =
      /(BIG TCP (is|could|in|requires)|Cannot enable --|Could not modify IPv[46] )[^"\\]*/.exec(line) ?? []
    if (found !== undefined) return found.trim().replace(/\.$/, '')
  }
  return null
}

async function logOf(
  cluster: Cluster,
  { metadata }: V1Pod,
  container: string,
  previous: boolean,
  signal: AbortSignal,
): Promise<string[]> {
  const at = { name: metadata?.name ?? '', namespace: metadata?.namespace ?? '' }
  const permission = { verb: 'get', resource: 'pods', subresource: 'log', namespace: at.namespace }
  try {
    const text = await cluster.request(permission, signal, (options) =>
      cluster.core.readNamespacedPodLog({ ...at, container, previous, tailLines: TAIL_LINES }, options),
    )
    return text.split('\n')
  } catch (error) {
    signal.throwIfAborted()
    // Removed in the meantime, or never started: the termination message is all there is.
    if (error instanceof LabError && (error.code === 'not_found' || error.code === 'tool_failed')) return []
    throw error
  }
}

/** Whether these lines reach to the end of a run that stopped with an error. */
function reachEnd(lines: readonly string[]): boolean {
  return lines.some((line) => FATAL.test(line) || PANIC.test(line))
}

/**
 * The words of a container that ended, from its log, or from its termination message if that contains more.
 *
 * The log can be read too early, before its last line is in it, or too late, when the container runs again and the log is
 * that of the new run. Either can name BIG TCP without being the reason, as an error that comes before the fatal line, or
 * as an option.
 */
export async function wordsOfEnded(cluster: Cluster, pod: V1Pod, ended: Ended, signal: AbortSignal): Promise<string[]> {
  const log = await logOf(cluster, pod, ended.container, ended.previous, signal)
  // Of a long log, kubelet keeps the last 2048 bytes as the message: its first line is cut.
  const message = ended.message.split('\n')
  const whole = [log, message].find(reachEnd)
  if (whole !== undefined) return findWords(whole)
  if (!ended.previous && ended.reason === 'Error') {
    const before = await logOf(cluster, pod, ended.container, true, signal)
    if (reachEnd(before)) return findWords(before)
  }
  const [words, last] = [findWords(log), findWords(message)]
  return words.length === 0 || (blamesBigTcp(last) && !blamesBigTcp(words)) ? last : words
}

/** Warnings in the log of a running agent. */
export async function wordsOfRunning(
  cluster: Cluster,
  pod: V1Pod,
  container: string,
  signal: AbortSignal,
): Promise<string[]> {
  const words = findWords(await logOf(cluster, pod, container, false, signal))
  return blamesBigTcp(words) ? words : []
}

/** @param node the container's node */
export function refused(node: string, { container, exitCode, reason }: Ended, words: readonly string[]): LabError {
  const sentence = sentenceOf(words)
  const said = sentence === null ? '' : `: ${sentence}`
  return new LabError(
    'agent_refused',
    blamesBigTcp(words)
      ? `The Cilium agent of ${node} refused to start with this setting${said}.`
      : `The Cilium agent of ${node} failed to start: its container ${container} exited with code ${exitCode} (${reason}).`,
    'Fix what the agent reports, then run the step again.',
    words.length === 0 ? {} : { detail: words.join('\n') },
  )
}

/** @param says the agent's actual settings: `IPv4 off` */
export function cleared(node: string, says: string, words: readonly string[]): LabError {
  const sentence = sentenceOf(words)
  return new LabError(
    'agent_refused',
    `The Cilium agent of ${node} started with ${says}, which is not what cilium-config asks for${sentence === null ? '' : `: ${sentence}`}.`,
    'Fix what the agent reports, then run the step again.',
    words.length === 0 ? {} : { detail: words.join('\n') },
  )
}
