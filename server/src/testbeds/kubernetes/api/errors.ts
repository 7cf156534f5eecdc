/** Refusals of an API server, and failures on the way to it, as errors with a remedy. */
import { STATUS_CODES } from 'node:http'
import { ApiException } from '@kubernetes/client-node'
import { LabError } from '@expresslane/shared/base/errors'
import { z } from 'zod'
import { typedLine } from '../../typed.ts'
import { canICommand, describePermission, type Permission } from './permission.ts'

const statusBody = z.object({ message: z.string().optional() })

/** The message in a `Status` body, parsed or not; the status's name if there is none. */
function wordsOf({ body, code }: ApiException<unknown>): string {
  const silent = STATUS_CODES[code] ?? `HTTP ${code}`
  let value: unknown = body
  try {
    if (typeof body === 'string') value = JSON.parse(body)
  } catch {
    return typeof body === 'string' && body !== '' ? body : silent
  }
  const status = statusBody.safeParse(value)
  return (status.success ? status.data.message : undefined) ?? silent
}

/** The innermost cause with a message: `connect ECONNREFUSED 127.0.0.1:6443`. */
function rootOf(error: unknown): { code: string | null; words: string } {
  let words = ''
  let code: string | null = null
  for (let present = error; present instanceof Error; present = present.cause) {
    const [first] = present instanceof AggregateError ? (present.errors as unknown[]) : []
    const one = first instanceof Error ? first : present
    if (one.message !== '') words = one.message
    if ('code' in one && typeof one.code === 'string') code = one.code
  }
  return { code, words: words === '' ? String(error) : words }
}

/** OpenSSL's and Node's codes for a certificate that is not accepted. */
const CERTIFICATE = /^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_TLS_CERT|ERR_SSL_TLSV13_ALERT|ERR_SSL_SSLV3_ALERT)/

function certificate(context: string, code: string, words: string): LabError {
  const expired = code === 'CERT_HAS_EXPIRED' || /expired/i.test(words)
  return new LabError(
    'cluster_unauthorized',
    expired
      ? `A certificate for the cluster of context ${context} has expired.`
      : `The cluster of context ${context} and this kubeconfig do not accept each other's certificates.`,
    'Get a new kubeconfig from the administrator of the cluster, or log in again, then try again.',
    { detail: words, remedyCommand: typedLine(['kubectl', '--context', context, 'cluster-info']) },
  )
}

function whoami(context: string): string {
  return typedLine(['kubectl', '--context', context, 'auth', 'whoami'])
}

/** The kubeconfig's login program runs and has not answered in time. */
export function loginLate(context: string, command: string, ms: number): LabError {
  return new LabError(
    'cluster_unauthorized',
    `The login program ${command} of context ${context} has not answered within ${ms / 1000} seconds.`,
    'Run the command below in a terminal: it uses the same login program, and can ask you to log in. Then try again.',
    { remedyCommand: whoami(context) },
  )
}

/** @param hint the kubeconfig's own words about how to install it */
export function loginFailed(context: string, command: string, detail: string, hint?: string | null): LabError {
  const given = hint === undefined || hint === null || hint === '' ? '' : ` The kubeconfig says: ${hint}`
  return new LabError(
    'cluster_unauthorized',
    `The login program ${command} of context ${context} failed.`,
    `Make the command below work in a terminal, then try again.${given}`,
    { detail, remedyCommand: whoami(context) },
  )
}

/** The API server could not be reached. */
export function unreachable(context: string, words: string, cause?: unknown): LabError {
  return new LabError(
    'cluster_unreachable',
    `The API server of context ${context} can't be reached.`,
    'Check that the cluster is running and that this machine can reach it (VPN, proxy, firewall), then try again.',
    { detail: words, remedyCommand: typedLine(['kubectl', '--context', context, 'cluster-info']), cause },
  )
}

/** Whether the host of an address means the machine that asks. */
function isLoopback(address: string): boolean {
  const host = URL.parse(address)?.hostname ?? ''
  return host === 'localhost' || host === '[::1]' || host.startsWith('127.')
}

/**
 * Explains why a container does not reach a cluster of its host: there, 127.0.0.1 is the container itself.
 *
 * @param server the address in the kubeconfig
 * @returns the same error, with another remedy if that is the reason
 */
export function seenFromContainer(error: LabError, server: string): LabError {
  if (error.code !== 'cluster_unreachable' || !isLoopback(server)) return error
  return new LabError(
    error.code,
    `${error.message} Its address, ${server}, is the loopback of the host, and in this container it is the container itself.`,
    'Use a kubeconfig with an address that the container reaches. For kind: `kind get kubeconfig --internal`, and connect' +
      ' the container to the network `kind`. Or run Expresslane on the host with `npm start`.',
    { ...(error.detail === null ? {} : { detail: error.detail }), cause: error.cause },
  )
}

/** @param missing the permissions to list */
export function forbidden(context: string, missing: readonly Permission[], words?: string): LabError {
  const [first] = missing
  const all = missing.map(describePermission).join('; ')
  return new LabError(
    'cluster_forbidden',
    `The credentials of context ${context} are not allowed to ${all}.`,
    'Ask for the permissions in manifests/rbac.yaml, or use a context that has them.',
    {
      ...(words === undefined ? {} : { detail: words }),
      remedyCommand:
        missing.length === 1 && first !== undefined ? canICommand(first) : 'kubectl apply -f manifests/rbac.yaml',
    },
  )
}

/**
 * The error for a failed request.
 *
 * @param permission the permission that the request needed, for a 403
 * @returns the error to throw; a LabError unchanged
 */
export function toClusterError(context: string, permission: Permission, error: unknown): LabError {
  if (error instanceof LabError) return error
  if (error instanceof ApiException) {
    const words = wordsOf(error)
    if (error.code === 403) {
      // Server-side apply is a patch, or a create for a new object: the API server says which it refused.
      const verb = /cannot (\w+) resource/.exec(words)?.[1] ?? permission.verb
      return forbidden(context, [{ ...permission, verb }], words)
    }
    if (error.code === 401) {
      return new LabError(
        'cluster_unauthorized',
        `The cluster of context ${context} does not accept these credentials; they may have expired.`,
        'Log in again (or get a new kubeconfig), then try again.',
        { detail: words, remedyCommand: whoami(context) },
      )
    }
    // Too many requests, and an API server that starts, stops or has lost its etcd: the next request may work.
    if (error.code === 429 || error.code >= 500) return unreachable(context, `${error.code}: ${words}`, error)
    if (error.code === 404) {
      return new LabError(
        'not_found',
        `The cluster could not ${describePermission(permission)} because the object does not exist.`,
        'Run the step again.',
        {
          detail: words,
          cause: error,
        },
      )
    }
    return new LabError(
      'tool_failed',
      `The cluster refused to ${describePermission(permission)}.`,
      'Read its message, then run the step again.',
      {
        detail: `${error.code}: ${words}`,
        cause: error,
      },
    )
  }
  const { code, words } = rootOf(error)
  if (code !== null && CERTIFICATE.test(code)) return certificate(context, code, words)
  return unreachable(context, code === null ? words : `${words} (${code})`, error)
}

/** Whether the request was refused with this HTTP status. */
export function hasStatus(error: unknown, code: number): boolean {
  return error instanceof LabError && error.cause instanceof ApiException && error.cause.code === code
}
