/** The known contexts: of a kubeconfig by kubectl's rules, or of the pod in which the server runs. */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { KubeConfig } from '@kubernetes/client-node'
import { LabError } from '@expresslane/shared/wire/errors'
import type { ClusterContext } from '@expresslane/shared/wire/protocol'

type Env = Readonly<Record<string, string | undefined>>

/** The context of a pod's service account; clearer than the library's name. */
export const IN_CLUSTER = 'in-cluster'
const TOKEN_FILE = '/var/run/secrets/kubernetes.io/serviceaccount/token'

function invalid(message: string, remedy: string, detail?: string, cause?: unknown): LabError {
  return new LabError('kubeconfig_invalid', message, remedy, { ...(detail === undefined ? {} : { detail }), cause })
}

function loadFile(file: string): KubeConfig {
  const config = new KubeConfig()
  try {
    config.loadFromFile(file)
  } catch (error) {
    throw invalid(
      `The kubeconfig ${file} can't be read.`,
      'Correct it, or point KUBECONFIG at another file.',
      // Only the first line: after it the parser quotes the lines around the error, which can contain tokens.
      (error instanceof Error ? error.message : String(error)).split('\n')[0],
      error,
    )
  }
  return config
}

function byName<T extends { name: string }>(lists: readonly (readonly T[])[]): T[] {
  const first = new Map<string, T>()
  for (const one of lists.flat()) if (!first.has(one.name)) first.set(one.name, one)
  return [...first.values()]
}

/** Merged as by kubectl: for each name, and for the current context, the first one counts. */
function merge(configs: readonly KubeConfig[]): KubeConfig {
  const merged = new KubeConfig()
  merged.clusters = byName(configs.map(({ clusters }) => clusters))
  merged.users = byName(configs.map(({ users }) => users))
  merged.contexts = byName(configs.map(({ contexts }) => contexts))
  merged.currentContext =
    configs.map((config) => config.currentContext).find((name) => name !== '' && name !== undefined) ?? ''
  return merged
}

function inCluster(): KubeConfig {
  const config = new KubeConfig()
  config.loadFromCluster()
  config.contexts = config.contexts.map((context) => ({ ...context, name: IN_CLUSTER }))
  config.currentContext = IN_CLUSTER
  return config
}

function load(env: Env): KubeConfig | null {
  const named = (env['KUBECONFIG'] ?? '').split(delimiter).filter((file) => file !== '')
  const files = named.length > 0 ? named : [join(env['HOME'] ?? homedir(), '.kube', 'config')]
  const present = files.filter((file) => existsSync(file))
  if (present.length > 0) return merge(present.map(loadFile))
  if (named.length > 0) {
    throw invalid(
      `KUBECONFIG names ${named.join(' and ')}, but no such file exists.`,
      'Correct KUBECONFIG, or unset it.',
    )
  }
  return env['KUBERNETES_SERVICE_HOST'] !== undefined && existsSync(TOKEN_FILE) ? inCluster() : null
}

/** @throws LabError `kubeconfig_invalid` if a kubeconfig is named but can't be read */
export function listContexts(env: Env): ClusterContext[] {
  const config = load(env)
  if (config === null) return []
  return config.contexts.map(({ name, cluster, namespace }) => ({
    name,
    cluster,
    namespace: namespace ?? null,
    current: name === config.currentContext,
    insecure: config.getCluster(cluster)?.skipTLSVerify === true,
  }))
}

/**
 * The kubeconfig with `context` as its current one; read each time, because other programs renew credentials.
 *
 * @throws LabError `kubeconfig_invalid`; `context_not_chosen` for null, with the existing contexts
 */
export function openContext(env: Env, context: string | null): KubeConfig {
  const config = load(env)
  if (config === null) {
    throw new LabError(
      'kubeconfig_invalid',
      'No kubeconfig was found, so there is no cluster to choose.',
      'Put a kubeconfig at ~/.kube/config, or set KUBECONFIG to its path, then try again. Or create a cluster in Docker.',
      { remedyCommand: 'npm run cluster -- up' },
    )
  }
  const known = config.contexts.map((one) => one.name)
  const choose =
    known.length === 0
      ? 'The kubeconfig has no contexts. Add one, then try again.'
      : `Choose a context of the kubeconfig: ${known.join(', ')}.`
  if (context === null) throw new LabError('context_not_chosen', 'No cluster has been chosen yet.', choose)
  if (!known.includes(context)) throw invalid(`The kubeconfig has no context "${context}".`, choose)
  config.setCurrentContext(context)
  const cluster = config.getCurrentCluster()
  if (cluster === null) {
    throw invalid(`Context ${context} names a cluster that the kubeconfig does not have.`, 'Correct the kubeconfig.')
  }
  // The client refuses it later, with an obscure message.
  if (cluster.server.startsWith('http:') && !cluster.skipTLSVerify) {
    throw invalid(
      `Context ${context} connects to its cluster over plain HTTP, which exposes the credentials.`,
      'Use its https address; for a proxy on this machine, such as `kubectl proxy`, set insecure-skip-tls-verify: true.',
    )
  }
  return config
}
