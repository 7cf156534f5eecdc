/** Opens a context of the kubeconfig with the client library. */
import { KubeConfig } from '@kubernetes/client-node'
import {
  firstByName,
  firstCurrent,
  IN_CLUSTER,
  invalidKubeconfig,
  requireContext,
  sourceOf,
  unreadableKubeconfig,
  type Env,
} from './contexts.ts'

/**
 * Asks over HTTP/1.1. undici ends an idle HTTP/2 connection with an error on its socket that sometimes nobody is there to
 * receive, which would end this process (onHttp2SessionIdleTimeout in undici's client-h2.js).
 */
export class Http1KubeConfig extends KubeConfig {
  override createDispatcherOptions(
    ...args: Parameters<KubeConfig['createDispatcherOptions']>
  ): ReturnType<KubeConfig['createDispatcherOptions']> {
    const options = super.createDispatcherOptions(...args)
    const only = { allowH2: false }
    if (options.type === 'agent') return { ...options, connect: { ...options.connect, ...only } }
    if (options.type === 'none') return options
    return { ...options, requestTls: { ...options.requestTls, ...only } }
  }
}

function loadFile(file: string): KubeConfig {
  const config = new Http1KubeConfig()
  try {
    config.loadFromFile(file)
  } catch (error) {
    throw unreadableKubeconfig(file, error)
  }
  return config
}

/** Merged as by kubectl: for each name, and for the current context, the first one counts. */
function merge(configs: readonly KubeConfig[]): KubeConfig {
  const merged = new Http1KubeConfig()
  merged.clusters = firstByName(configs.flatMap(({ clusters }) => clusters))
  merged.users = firstByName(configs.flatMap(({ users }) => users))
  merged.contexts = firstByName(configs.flatMap(({ contexts }) => contexts))
  merged.currentContext = firstCurrent(configs.map(({ currentContext }) => currentContext))
  return merged
}

function inCluster(): KubeConfig {
  const config = new Http1KubeConfig()
  config.loadFromCluster()
  config.contexts = config.contexts.map((context) => ({ ...context, name: IN_CLUSTER }))
  config.currentContext = IN_CLUSTER
  return config
}

/**
 * The kubeconfig with `asked` as its current context; read each time, because other programs renew credentials.
 *
 * @throws LabError `kubeconfig_invalid`; `context_not_chosen` for null, with the existing contexts
 */
export function openContext(env: Env, asked: string | null): KubeConfig {
  const context = requireContext(env, asked)
  const source = sourceOf(env)
  const config = source === null || source === 'pod' ? inCluster() : merge(source.files.map(loadFile))
  config.setCurrentContext(context)
  const cluster = config.getCurrentCluster()
  if (cluster === null) {
    throw invalidKubeconfig(
      `Context ${context} names a cluster that the kubeconfig does not have.`,
      'Correct the kubeconfig.',
    )
  }
  // The client refuses it later, with an obscure message.
  if (cluster.server.startsWith('http:') && !cluster.skipTLSVerify) {
    throw invalidKubeconfig(
      `Context ${context} connects to its cluster over plain HTTP, which exposes the credentials.`,
      'Use its https address; for a proxy on this machine, such as `kubectl proxy`, set insecure-skip-tls-verify: true.',
    )
  }
  return config
}
