/**
 * The known contexts: of a kubeconfig by kubectl's rules, or of the pod in which the server runs. Read without the
 * cluster's client library: servers without a cluster never load it.
 */
import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { LabError } from '@expresslane/shared/base/errors'
import type { ClusterContext } from '@expresslane/shared/wire/protocol'
import { parse } from 'yaml'
import { z } from 'zod'

export type Env = Readonly<Record<string, string | undefined>>

/** The context of a pod's service account; clearer than the library's name. */
export const IN_CLUSTER = 'in-cluster'
const TOKEN_FILE = '/var/run/secrets/kubernetes.io/serviceaccount/token'

function listOf<T extends z.ZodType>(item: T) {
  return z
    .array(item)
    .nullish()
    .transform((items) => items ?? [])
}

const kubeconfig = z.looseObject({
  'current-context': z.string().nullish(),
  contexts: listOf(
    z.looseObject({
      name: z.string().min(1),
      context: z.looseObject({ cluster: z.string().min(1), namespace: z.string().nullish() }),
    }),
  ),
  clusters: listOf(
    z.looseObject({
      name: z.string().min(1),
      cluster: z.looseObject({ 'insecure-skip-tls-verify': z.boolean().nullish() }),
    }),
  ),
})
type Kubeconfig = z.infer<typeof kubeconfig>

/** @param detail without the file's lines, which can contain tokens */
export function invalidKubeconfig(message: string, remedy: string, detail?: string, cause?: unknown): LabError {
  return new LabError('kubeconfig_invalid', message, remedy, { ...(detail === undefined ? {} : { detail }), cause })
}

export function unreadableKubeconfig(file: string, error: unknown): LabError {
  const isRefused = error instanceof Error && 'code' in error && error.code === 'EACCES'
  return invalidKubeconfig(
    `The kubeconfig ${file} can't be read.`,
    isRefused
      ? `Let the user of this server read it, on the machine where the file is: setfacl -m u:${process.getuid?.()}:r FILE`
      : 'Correct it, or point KUBECONFIG at another file.',
    // Only the first line: after it the parser quotes the lines around the error, which can contain tokens.
    (error instanceof Error ? error.message : String(error)).split('\n')[0],
    error,
  )
}

/**
 * The source of the contexts: files, the pod in which the server runs, or nowhere.
 *
 * @throws LabError `kubeconfig_invalid` if KUBECONFIG names no file that exists
 */
export function sourceOf(env: Env): { readonly files: readonly string[] } | 'pod' | null {
  const named = (env['KUBECONFIG'] ?? '').split(delimiter).filter((file) => file !== '')
  const files = named.length > 0 ? named : [join(env['HOME'] ?? homedir(), '.kube', 'config')]
  const present = files.filter((file) => existsSync(file))
  if (present.length > 0) return { files: present }
  if (named.length > 0) {
    throw invalidKubeconfig(
      `KUBECONFIG names ${named.join(' and ')}, but no such file exists.`,
      'Correct KUBECONFIG, or unset it.',
    )
  }
  return env['KUBERNETES_SERVICE_HOST'] !== undefined && existsSync(TOKEN_FILE) ? 'pod' : null
}

/** The first item of each name, as kubectl reads them. */
export function firstByName<T extends { name: string }>(items: readonly T[]): T[] {
  const first = new Map<string, T>()
  for (const one of items) if (!first.has(one.name)) first.set(one.name, one)
  return [...first.values()]
}

/** The first current context of several files. */
export function firstCurrent(names: readonly (string | null | undefined)[]): string {
  return names.find((name) => name !== '' && name !== null && name !== undefined) ?? ''
}

function readFile(file: string): Kubeconfig {
  try {
    return kubeconfig.parse(parse(readFileSync(file, 'utf8')))
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw unreadableKubeconfig(file, error)
    const [issue] = error.issues
    throw unreadableKubeconfig(file, new Error(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`))
  }
}

/** @throws LabError `kubeconfig_invalid` if a kubeconfig is named but can't be read */
export function listContexts(env: Env): ClusterContext[] {
  const source = sourceOf(env)
  if (source === null) return []
  if (source === 'pod') {
    return [{ name: IN_CLUSTER, cluster: 'inCluster', namespace: null, current: true, insecure: false }]
  }
  const read = source.files.map(readFile)
  const clusters = firstByName(read.flatMap((one) => one.clusters))
  const current = firstCurrent(read.map((one) => one['current-context']))
  return firstByName(read.flatMap((one) => one.contexts)).map(({ name, context: { cluster, namespace } }) => ({
    name,
    cluster,
    namespace: namespace ?? null,
    current: name === current,
    insecure: clusters.find((one) => one.name === cluster)?.cluster['insecure-skip-tls-verify'] === true,
  }))
}

/** Whether this server runs in the container image. */
export function inContainer(env: Env): boolean {
  return env['EXPRESSLANE_CONTAINER'] === '1'
}

function noKubeconfig(env: Env): LabError {
  const [remedy, remedyCommand] = inContainer(env)
    ? [
        'Start the container again with the path of one, which it only reads.',
        'KUBECONFIG=$HOME/.kube/config docker compose up',
      ]
    : [
        'Put a kubeconfig at ~/.kube/config, or set KUBECONFIG to its path, then try again. Or create a cluster in Docker.',
        'npm run cluster -- up',
      ]
  const message = 'No kubeconfig was found, so there is no cluster to choose.'
  return new LabError('kubeconfig_invalid', message, remedy, { remedyCommand })
}

/** @throws LabError `kubeconfig_invalid`; `context_not_chosen` for null, with the existing contexts */
export function requireContext(env: Env, context: string | null): string {
  if (sourceOf(env) === null) throw noKubeconfig(env)
  const known = listContexts(env).map(({ name }) => name)
  const choose =
    known.length === 0
      ? 'The kubeconfig has no contexts. Add one, then try again.'
      : `Choose a context of the kubeconfig: ${known.join(', ')}.`
  if (context === null) throw new LabError('context_not_chosen', 'No cluster has been chosen yet.', choose)
  if (!known.includes(context)) throw invalidKubeconfig(`The kubeconfig has no context "${context}".`, choose)
  return context
}
