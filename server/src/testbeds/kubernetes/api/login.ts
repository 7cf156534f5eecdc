/** The credentials that a kubeconfig's login program gives: asked for once at a time, and kept until they expire. */
import type { RequestOptions } from 'node:https'
import type { KubeConfig, User } from '@kubernetes/client-node'
import { LabError } from '@expresslane/shared/base/errors'
import { z } from 'zod'
import { loginFailed, loginLate } from './errors.ts'
import { pluginEntry, PluginError, runPlugin, type PluginEntry } from './plugin.ts'

/** The client library runs the programs of `exec` itself, without an end; this name keeps it from that. */
const OURS = 'expresslane-login'

/** @see https://kubernetes.io/docs/reference/config-api/client-authentication.v1/ */
const credential = z.object({
  status: z.object({
    token: z.string().optional(),
    clientCertificateData: z.string().optional(),
    clientKeyData: z.string().optional(),
    expirationTimestamp: z.string().optional(),
  }),
})
type Authenticator = Parameters<KubeConfig['addAuthenticator']>[0]
type Given = z.infer<typeof credential>['status']

export interface Login {
  /** The program that is being waited for; null if none is. */
  pending(): string | null
  /** The cluster has refused the credentials: they are asked for again. */
  refused(): void
  /** Ends the program. Nothing is asked for after it. */
  close(reason: unknown): void
}

interface LoginOptions {
  /** Time limit for the program in milliseconds. It can take longer than a request waits: the next one gets its answer. */
  readonly ms: number
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/** A legacy `auth-provider` can name a program, too. */
function entryOf({ exec, authProvider }: User): unknown {
  const legacy = authProvider as { config?: { exec?: unknown } } | undefined
  return (exec as unknown) ?? legacy?.config?.exec ?? null
}

/** Programs of these providers would be run by the library, which blocks this process until they end. */
function refuseLegacy(context: string, { authProvider }: User): void {
  const legacy = authProvider as { name?: unknown; config?: Record<string, unknown> } | undefined
  if (legacy?.config?.['cmd-path'] === undefined) return
  throw new LabError(
    'kubeconfig_invalid',
    `Context ${context} logs in by the auth provider ${String(legacy.name)}, which kubectl no longer has since 1.26.`,
    'Get a new kubeconfig from the cloud provider’s own program; it names a login program (exec) instead.',
  )
}

/** The value of KUBERNETES_EXEC_INFO. */
function infoFor(config: KubeConfig, { apiVersion, provideClusterInfo }: PluginEntry): string {
  const cluster = provideClusterInfo === true ? config.getCurrentCluster() : null
  const described = cluster !== null && {
    server: cluster.server,
    'insecure-skip-tls-verify': cluster.skipTLSVerify,
    ...(cluster.tlsServerName === undefined ? {} : { 'tls-server-name': cluster.tlsServerName }),
    ...(cluster.caData === undefined ? {} : { 'certificate-authority-data': cluster.caData }),
    ...(cluster.proxyUrl === undefined ? {} : { 'proxy-url': cluster.proxyUrl }),
  }
  const spec = { interactive: false, ...(described === false ? {} : { cluster: described }) }
  return JSON.stringify({ kind: 'ExecCredential', apiVersion, spec })
}

function parse(context: string, command: string, stdout: string): Given {
  try {
    return credential.parse(JSON.parse(stdout)).status
  } catch {
    // Without its words, which can be secrets.
    throw loginFailed(context, command, 'it did not print an ExecCredential')
  }
}

function isPast({ expirationTimestamp }: Given, now: number): boolean {
  return expirationTimestamp !== undefined && Date.parse(expirationTimestamp) <= now
}

/**
 * Makes the current user of `config` log in through this module if it has a login program.
 *
 * @throws LabError `kubeconfig_invalid` if its entry is wrong
 */
export function useLogin(config: KubeConfig, { ms, now }: LoginOptions): Login {
  const context = config.getCurrentContext()
  const user = config.getCurrentUser()
  if (user !== null) refuseLegacy(context, user)
  const described = user === null ? null : entryOf(user)
  if (user === null || described === null) return { pending: () => null, refused() {}, close() {} }
  const read = pluginEntry.safeParse(described)
  if (!read.success) {
    throw new LabError(
      'kubeconfig_invalid',
      `The login program of context ${context} is not described correctly in the kubeconfig.`,
      'Correct the exec entry of its user, or choose another context.',
      { detail: z.prettifyError(read.error) },
    )
  }
  const entry = read.data
  const closing = new AbortController()
  let kept: Given | null = null
  let running: Promise<Given> | null = null

  async function ask(): Promise<Given> {
    try {
      const stdout = await runPlugin(entry, infoFor(config, entry), { signal: closing.signal, ms })
      kept = parse(context, entry.command, stdout)
      return kept
    } catch (error) {
      if (!(error instanceof PluginError)) throw error
      if (error.how === 'late') throw loginLate(context, entry.command, ms)
      throw loginFailed(context, entry.command, error.message, error.how === 'missing' ? entry.installHint : null)
    }
  }

  async function given(): Promise<Given> {
    closing.signal.throwIfAborted()
    if (kept !== null && !isPast(kept, now())) return kept
    running ??= ask().finally(() => {
      running = null
    })
    return running
  }

  const authenticator: Authenticator = {
    isAuthProvider: (one) => (one.authProvider as { name?: unknown } | undefined)?.name === OURS,
    async applyAuthentication(_user, options: RequestOptions) {
      const { token, clientCertificateData: cert, clientKeyData: key } = await given()
      if (cert !== undefined) options.cert = cert
      if (key !== undefined) options.key = key
      if (token !== undefined)
        options.headers = Object.assign({}, options.headers, { Authorization: `Bearer ${token}` })
    },
  }
  const ours: User = { ...user, exec: undefined, authProvider: { name: OURS, config: {} } }
  config.users = config.users.map((one) => (one.name === user.name ? ours : one))
  config.addAuthenticator(authenticator)
  return {
    pending: () => (running === null ? null : entry.command),
    refused() {
      kept = null
    },
    close: (reason) => closing.abort(reason),
  }
}
