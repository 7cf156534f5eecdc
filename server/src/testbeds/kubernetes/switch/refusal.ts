/** Why an agent does not start as asked: its own log lines, found in the whole log. */
import type { V1Pod } from '@kubernetes/client-node'
import { LabError } from '@expresslane/shared/base/errors'
import type { CiliumKey } from '../../cilium-key.ts'
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
/** Log lines of an agent that stopped because it could not reach the API server, which is not a refusal. */
const API_SERVER =
  /connection refused|connection reset|i\/o timeout|context deadline exceeded|TLS handshake timeout|no route to host|Unable to contact k8s|unexpected EOF|Client\.Timeout|etcdserver:|apiserver not ready/i

function isAbout(line: string, keys: readonly CiliumKey[]): boolean {
  return keys.some(({ complaints }) => complaints?.about.test(line) === true)
}

/**
 * The lines that say why, verbatim: warnings and errors about a key that is switched; else fatal lines; else errors; else the last
 * lines. Each once, because an agent logs an error at every level that passes it on.
 */
export function findWords(lines: readonly string[], keys: readonly CiliumKey[]): string[] {
  const said = lines.filter((line) => line.trim() !== '')
  const bad = said.filter((line) => [FATAL, ERROR, WARNING, PANIC].some((one) => one.test(line)))
  const about = bad.filter((line) => isAbout(line, keys))
  const fatal = bad.filter((line) => FATAL.test(line) || PANIC.test(line))
  // The fatal line repeats the errors before it.
  const choices = [fatal.filter((line) => isAbout(line, keys)), about, fatal, bad.filter((line) => ERROR.test(line))]
  const found = choices.find((some) => some.length > 0) ?? said
  return [...new Set(found)].slice(-5)
}

/** Whether a warning or an error is about a key that is switched; a line that only shows an option is not. */
export function blamesKey(words: readonly string[], keys: readonly CiliumKey[]): boolean {
  return words.some((line) => isAbout(line, keys) && !INFO.test(line))
}

/** Whether it stopped only because it could not reach the API server; then it recovers without help. */
export function blamesApiServer(words: readonly string[], keys: readonly CiliumKey[]): boolean {
  return !blamesKey(words, keys) && words.some((line) => API_SERVER.test(line))
}

/** The sentence about a key that is switched at the end of a long line: `... is not supported with legacy host routing`. */
export function sentenceOf(words: readonly string[], keys: readonly CiliumKey[]): string | null {
  for (const line of words.toReversed()) {
    const found = keys.map(({ complaints }) => complaints?.sentence.exec(line)?.[0]).find((one) => one !== undefined)
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
 * that of the new run. Either can name the key without being the reason, as an error that comes before the fatal line, or
 * as an option.
 */
export async function wordsOfEnded(cluster: Cluster, pod: V1Pod, ended: Ended, signal: AbortSignal): Promise<string[]> {
  const log = await logOf(cluster, pod, ended.container, ended.previous, signal)
  // Kubelet keeps the last 2048 bytes of a long log as the message: its first line is cut.
  const message = ended.message.split('\n')
  const whole = [log, message].find(reachEnd)
  if (whole !== undefined) return findWords(whole, cluster.keys)
  if (!ended.previous && ended.reason === 'Error') {
    const before = await logOf(cluster, pod, ended.container, true, signal)
    if (reachEnd(before)) return findWords(before, cluster.keys)
  }
  const [words, last] = [findWords(log, cluster.keys), findWords(message, cluster.keys)]
  return words.length === 0 || (blamesKey(last, cluster.keys) && !blamesKey(words, cluster.keys)) ? last : words
}

/** Warnings in the log of a running agent. */
export async function wordsOfRunning(
  cluster: Cluster,
  pod: V1Pod,
  container: string,
  signal: AbortSignal,
): Promise<string[]> {
  const words = findWords(await logOf(cluster, pod, container, false, signal), cluster.keys)
  return blamesKey(words, cluster.keys) ? words : []
}

/** The lines of a running agent's log that match. */
export async function linesOfRunning(
  cluster: Cluster,
  pod: V1Pod,
  container: string,
  about: RegExp,
  signal: AbortSignal,
): Promise<string[]> {
  const lines = await logOf(cluster, pod, container, false, signal)
  return [...new Set(lines.filter((line) => about.test(line)))]
}

/** @param node the container's node */
export function refused(
  node: string,
  { container, exitCode, reason }: Ended,
  words: readonly string[],
  keys: readonly CiliumKey[],
): LabError {
  const sentence = sentenceOf(words, keys)
  const said = sentence === null ? '' : `: ${sentence}`
  return new LabError(
    'agent_refused',
    blamesKey(words, keys)
      ? `The Cilium agent of ${node} refused to start with this setting${said}.`
      : `The Cilium agent of ${node} failed to start: its container ${container} exited with code ${exitCode} (${reason}).`,
    'Fix what the agent reports, then run the step again.',
    words.length === 0 ? {} : { detail: words.join('\n') },
  )
}

/** @param says the agent's actual settings: `IPv4 off` */
export function cleared(node: string, says: string, words: readonly string[], keys: readonly CiliumKey[]): LabError {
  const sentence = sentenceOf(words, keys)
  return new LabError(
    'agent_refused',
    `The Cilium agent of ${node} started with ${says}, which is not what cilium-config asks for${sentence === null ? '' : `: ${sentence}`}.`,
    'Fix what the agent reports, then run the step again.',
    words.length === 0 ? {} : { detail: words.join('\n') },
  )
}
