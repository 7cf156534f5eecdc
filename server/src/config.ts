/** What the environment says, validated once. */
import { homedir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LabError } from '@expresslane/shared/wire/errors'
import { z } from 'zod'
import type { LabFolderConfig } from './labs/folder.ts'

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

export interface Config {
  readonly host: string
  /** 0 lets the system choose. */
  readonly port: number
  /** Null: the one that the data directory keeps. */
  readonly token: string | null
  readonly dataDir: string
  /** Origins, beyond the loopback ones, under which browsers reach this server: `https://labs.example.org`. */
  readonly origins: readonly string[]
  readonly logLevel: (typeof logLevels)[number]
  /** Where the built page is. */
  readonly webDir: string
  /** Where the recordings are that come with Expresslane. */
  readonly recordingsDir: string
  /** Where the labs are, in the order of the catalogue. */
  readonly labs: readonly LabFolderConfig[]
  readonly kubernetes: KubernetesConfig
}

/** Which cluster, and what is put there. */
export interface KubernetesConfig {
  /** What tells where the kubeconfig is. */
  readonly env: Readonly<Record<'KUBECONFIG' | 'HOME' | 'KUBERNETES_SERVICE_HOST', string | undefined>>
  /** Null: the one that was chosen on the page. */
  readonly context: string | null
  /** Without a choice, the kubeconfig's current context: for whoever names the testbed in so many words. */
  readonly orCurrent: boolean
  /** The workload's own namespace. */
  readonly namespace: string
  /** The workload's image. */
  readonly image: string
}

function isWebOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { origin, protocol } = new URL(text)
  return origin === text && (protocol === 'http:' || protocol === 'https:')
}

const webOrigin = z.string().refine(isWebOrigin, {
  error: 'an origin is scheme, host and port alone, such as https://labs.example.org',
})

const environment = z.object({
  HOST: z
    .string()
    .regex(/^[0-9a-zA-Z.:_-]+$/)
    .default('127.0.0.1'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(7070),
  EXPRESSLANE_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{8,200}$/, { error: 'at least 8 visible characters' })
    .optional(),
  EXPRESSLANE_DATA: z.string().optional(),
  EXPRESSLANE_ORIGINS: z
    .string()
    .default('')
    .transform((list) =>
      list
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== ''),
    )
    .pipe(z.array(webOrigin)),
  EXPRESSLANE_LABS: z
    .string()
    .default('')
    .transform((list) => list.split(delimiter).filter((item) => item !== '')),
  // Set by `npm run dev`: the labs that come with Expresslane are being edited, too.
  EXPRESSLANE_DEV: z.enum(['0', '1']).default('0'),
  // Where `npm` was called: paths are meant from there.
  INIT_CWD: z.string().optional(),
  XDG_STATE_HOME: z.string().optional(),
  KUBECONFIG: z.string().optional(),
  HOME: z.string().optional(),
  KUBERNETES_SERVICE_HOST: z.string().optional(),
  EXPRESSLANE_CONTEXT: z.string().max(253).optional(),
  // RFC 1123 label, and none of the cluster's own namespaces: Expresslane makes and removes pods there.
  EXPRESSLANE_NAMESPACE: z
    .string()
    .regex(/^(?!kube-|default$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, {
      error: 'a namespace of its own, in small letters, digits and dashes',
    })
    .default('expresslane'),
  EXPRESSLANE_NETPERF_IMAGE: z
    .string()
    .regex(/^[\w./:@-]{1,500}$/, { error: 'an image such as registry.example.org/netperf:1' })
    // What manifests/netperf.yaml names, and `npm run cluster` builds.
    .default('expresslane/netperf'),
  LOG_LEVEL: z.enum(logLevels).default('warn'),
})

/** The labs that come with Expresslane. */
export const shippedLabs = fileURLToPath(new URL('../../labs', import.meta.url))

/** Hosts that only this machine reaches. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}

function invalid(message: string, remedy: string, extra: { detail?: string; remedyCommand?: string } = {}): LabError {
  return new LabError('config_invalid', message, remedy, extra)
}

/**
 * Reads the configuration. An empty variable counts as one that is not set.
 *
 * @throws LabError `config_invalid`
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const parsed = environment.safeParse(set)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const name = issue?.path[0]?.toString() ?? 'The environment'
    // The token's own value never appears anywhere.
    throw invalid(
      `${name} is not valid: ${issue?.message ?? 'unreadable'}.`,
      `Correct or unset ${name} and start again.`,
    )
  }
  const { HOST: host, PORT: port, EXPRESSLANE_TOKEN: token, EXPRESSLANE_ORIGINS: origins, LOG_LEVEL } = parsed.data
  if (!isLoopback(host) && token === undefined) {
    throw invalid(
      `HOST=${host} opens this server to other machines, and no token is set.`,
      'Set EXPRESSLANE_TOKEN to a long secret of your own, or leave HOST unset to serve this machine alone.',
      { remedyCommand: `EXPRESSLANE_TOKEN=$(openssl rand -hex 24) HOST=${host} npm start` },
    )
  }
  const state = parsed.data.XDG_STATE_HOME ?? join(homedir(), '.local', 'state')
  return {
    host,
    port,
    token: token ?? null,
    dataDir: parsed.data.EXPRESSLANE_DATA ?? join(state, 'expresslane'),
    origins,
    logLevel: LOG_LEVEL,
    kubernetes: {
      env: {
        KUBECONFIG: parsed.data.KUBECONFIG,
        HOME: parsed.data.HOME,
        KUBERNETES_SERVICE_HOST: parsed.data.KUBERNETES_SERVICE_HOST,
      },
      context: parsed.data.EXPRESSLANE_CONTEXT ?? null,
      orCurrent: false,
      namespace: parsed.data.EXPRESSLANE_NAMESPACE,
      image: parsed.data.EXPRESSLANE_NETPERF_IMAGE,
    },
    labs: [
      { path: shippedLabs, origin: 'shipped', watched: parsed.data.EXPRESSLANE_DEV === '1' },
      ...parsed.data.EXPRESSLANE_LABS.map((path) => ({
        path: resolve(parsed.data.INIT_CWD ?? '.', path),
        origin: 'own' as const,
        watched: true,
      })),
    ],
    webDir: fileURLToPath(new URL('../../web/dist', import.meta.url)),
    recordingsDir: fileURLToPath(new URL('../../recordings', import.meta.url)),
  }
}
