/** Reads and validates the configuration from the environment. */
import { homedir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LabError } from '@expresslane/shared/base/errors'
import { kernelRelease } from '@expresslane/shared/wire/batch'
import { z } from 'zod'
import type { LabFolderConfig } from './labs/folder.ts'
import type { SshHost, SshSettings } from './testbeds/factory.ts'

/** 16 MB, the largest import, at 2.2 Mbit/s. */
const REQUEST_MS = 60_000

/** A write-ahead log of this size, which a reader keeps from being emptied, lets no run start. */
const MOST_LOG_BYTES = 256 * 1024 * 1024

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

export interface Config {
  /** `::` means all addresses of both families, or of IPv4 where the kernel has no IPv6. */
  readonly host: string
  /** 0: the system chooses. */
  readonly port: number
  /** Null: use the token in the data directory. */
  readonly token: string | null
  /** The token that reads the metrics and nothing else; null: only an instructor reads them. */
  readonly metricsToken: string | null
  readonly dataDir: string
  /** The command that prints the link with the token, for a log, which must not hold it. */
  readonly linkCommand: string
  /** How long a client has to send a request, in milliseconds. */
  readonly requestMs: number
  /** How large the database's write-ahead log may get before runs are refused, in bytes. */
  readonly mostLogBytes: number
  /** Origins, besides loopback, under which browsers reach this server: `https://labs.example.org`. */
  readonly origins: readonly string[]
  readonly logLevel: (typeof logLevels)[number]
  /** Null: plain http. */
  readonly https: HttpsConfig | null
  /** Whether this server serves a room: people join with invitations. */
  readonly workshop: boolean
  /** True: this server signs records of completed labs. */
  readonly records: boolean
  /** The file that describes the learning platforms (LTI 1.3); null for none. */
  readonly lti: string | null
  /** The folder of the built page. */
  readonly webDir: string
  /** The folder of the static site, built or not. */
  readonly siteDir: string
  /** The folder of the recordings that come with Expresslane. */
  readonly recordingsDir: string
  /** The folders of the labs, in catalogue order. */
  readonly labs: readonly LabFolderConfig[]
  readonly kubernetes: KubernetesConfig
  /** The hosts that ssh reaches; null for none. */
  readonly ssh: SshSettings | null
  /** The namespace of pods that have the counted machines; null for machines on this one. */
  readonly podsIn: string | null
  /** The namespace of such pods, and of a batch's Jobs. */
  readonly testbedsIn: string
  /** The release of the kernel that the counted machine boots; null for the newest that is prepared. */
  readonly countedKernel: string | null
  /** How many participants this server lets in, each with a testbed. */
  readonly participants: number
  /** The seconds of measuring that a participant's run can plan. */
  readonly mostSeconds: number
  /** How many runs a guest may have in the history, and how many bytes of events. */
  readonly guestRuns: number
  readonly guestBytes: number
  /** How long the history keeps sessions. */
  readonly keep: Keep
  /** After how long without a run or an open page a participant's testbed closes, in milliseconds. */
  readonly idleMs: number
}

/** When the history removes its oldest sessions; null: never. */
export interface Keep {
  /** That were not used for so many days. */
  readonly days: number | null
  /** While the history takes more than this. */
  readonly bytes: number | null
}

/** The certificate to serve https with: files in PEM, or a certificate that the server makes. */
export type HttpsConfig = { readonly cert: string; readonly key: string } | 'self-signed'

/** The cluster to use, and where the workload runs in it. */
export interface KubernetesConfig {
  /** The variables that locate the kubeconfig. */
  readonly env: Readonly<
    Record<'KUBECONFIG' | 'HOME' | 'KUBERNETES_SERVICE_HOST' | 'EXPRESSLANE_CONTAINER', string | undefined>
  >
  /** Null: the context chosen on the page. */
  readonly context: string | null
  /** Whether to use the kubeconfig's current context when none is chosen. For commands that name the testbed. */
  readonly orCurrent: boolean
  /** The namespace of the workload. */
  readonly namespace: string
  /** The workload's image, and whether it lacks the labs' programs. */
  readonly image: string
  readonly isBare: boolean
  /** After which time the cluster ends the workload's pods. */
  readonly podSeconds: number
  /** The command in front of commands on a machine outside of the cluster, null for none; and its environment. */
  readonly outside: { readonly command: readonly string[] | null; readonly env: Readonly<Record<string, string>> }
}

function isWebOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { origin, protocol } = new URL(text)
  return origin === text && (protocol === 'http:' || protocol === 'https:')
}

const webOrigin = z.string().refine(isWebOrigin, {
  error: 'an origin has only a scheme, a host and a port, such as https://labs.example.org',
})

const imageName = z
  .string()
  .regex(/^[\w./:@-]{1,500}$/, { error: 'expected an image such as registry.example.org/netperf:1' })

/** RFC 1123 label, and not a namespace of the cluster itself: Expresslane creates and removes pods there. */
const namespaceName = z.string().regex(/^(?!kube-|default$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, {
  error: 'expected a separate namespace, in lowercase letters, digits and dashes',
})

/**
 * `HOST`, or `HOST HOST`, each as ssh takes it: a name of ssh_config(5), or USER@HOST; of two hosts with the network card,
 * `HOST=CARD`. A word that ssh would take for an option is none.
 */
const sshHosts = z.string().transform((text, context): readonly [SshHost] | readonly [SshHost, SshHost] => {
  const found = text.split(/\s+/).map((word): SshHost | null => {
    const [, destination, card = null] = /^([\w[][\w.@:%+[\]-]{0,252})(?:=([\w][\w.@-]{0,14}))?$/.exec(word) ?? []
    return destination === undefined ? null : { destination, card }
  })
  const [first = null, second, ...more] = found
  if (first !== null && more.length === 0) {
    if (second === undefined && first.card === null) return [first]
    if (second !== undefined && second !== null) return [first, second]
  }
  context.issues.push({
    code: 'custom',
    input: text,
    message: 'expected a host as ssh takes it, such as user@host.example.org, or two: user@a=eth1 user@b=eth1',
  })
  return z.NEVER
})

const environment = z.object({
  HOST: z
    .string()
    .regex(/^[0-9a-zA-Z.:_-]+$/)
    .optional(),
  PORT: z.coerce.number().int().min(0).max(65_535).default(7070),
  EXPRESSLANE_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{8,200}$/, { error: 'expected 8 to 200 printable ASCII characters without spaces' })
    .optional(),
  EXPRESSLANE_METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,200}$/, { error: 'expected 16 to 200 printable ASCII characters without spaces' })
    .optional(),
  EXPRESSLANE_DATA: z.string().optional(),
  // Set where the server runs in a container.
  EXPRESSLANE_LINK_COMMAND: z.string().max(300).default('npm run data -- link'),
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
  EXPRESSLANE_SITE: z.string().optional(),
  // Set by `npm run dev`: also watch the labs that come with Expresslane.
  EXPRESSLANE_DEV: z.enum(['0', '1']).default('0'),
  // The directory in which `npm` was called: relative paths start there.
  INIT_CWD: z.string().optional(),
  XDG_STATE_HOME: z.string().optional(),
  KUBECONFIG: z.string().optional(),
  HOME: z.string().optional(),
  KUBERNETES_SERVICE_HOST: z.string().optional(),
  // The image sets it.
  EXPRESSLANE_CONTAINER: z.literal('1').optional(),
  EXPRESSLANE_CONTEXT: z.string().max(253).optional(),
  EXPRESSLANE_NAMESPACE: namespaceName.default('expresslane'),
  EXPRESSLANE_NETPERF_IMAGE: imageName.optional(),
  // All architectures, 2.2 MB each, as docker-library/repo-info lists it.
  EXPRESSLANE_BASE_IMAGE: imageName.default(
    'docker.io/library/busybox:1.37.0@sha256:9db7b59979c38555a39def84a31fb98b5296952f9e3afd4f6f11f05b07adfab0',
  ),
  // At most a week: nobody waits for pods that long.
  EXPRESSLANE_POD_MINUTES: z.coerce.number().int().min(10).max(10_080).default(240),
  // A command that runs its arguments on a machine outside of the cluster.
  EXPRESSLANE_OUTSIDE: z
    .string()
    .max(1_000)
    .default('')
    .transform((line) => line.split(/\s+/).filter((word) => word !== '')),
  EXPRESSLANE_COUNTED_KERNEL: kernelRelease.optional(),
  EXPRESSLANE_SSH: sshHosts.optional(),
  // Where the counted machines run: on this machine, or each in a pod.
  EXPRESSLANE_TESTBEDS: z.enum(['here', 'kubernetes']).default('here'),
  EXPRESSLANE_TESTBEDS_NAMESPACE: namespaceName.default('expresslane-testbeds'),
  EXPRESSLANE_HTTPS: z.enum(['0', '1']).default('0'),
  EXPRESSLANE_CERT: z.string().optional(),
  EXPRESSLANE_KEY: z.string().optional(),
  EXPRESSLANE_WORKSHOP: z.enum(['0', '1']).default('0'),
  EXPRESSLANE_RECORDS: z.enum(['0', '1']).default('0'),
  EXPRESSLANE_LTI: z.string().optional(),
  EXPRESSLANE_PARTICIPANTS: z.coerce.number().int().min(1).max(200).default(30),
  EXPRESSLANE_MOST_SECONDS: z.coerce.number().int().min(1).max(86_400).default(120),
  // A session is 5 to 12 runs and 0.2 to 2.4 MB. Eight labs a day, each three times: 290 runs, 58 MB.
  EXPRESSLANE_GUEST_RUNS: z.coerce.number().int().min(1).max(1_000_000).default(500),
  EXPRESSLANE_GUEST_MB: z.coerce.number().int().min(1).max(1_000_000).default(100),
  // 0: the history keeps everything.
  EXPRESSLANE_KEEP_DAYS: z.coerce.number().int().min(0).max(100_000).default(365),
  EXPRESSLANE_KEEP_MB: z.coerce.number().int().min(0).max(100_000_000).default(4000),
  EXPRESSLANE_IDLE_MINUTES: z.coerce.number().min(1).max(1440).default(15),
  LOG_LEVEL: z.enum(logLevels).default('warn'),
})

/** The labs that come with Expresslane. */
export const shippedLabs = fileURLToPath(new URL('../../labs', import.meta.url))

/** Hosts that only this machine reaches. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}

/** Whether other machines reach this server: directly, in a workshop, or through a proxy. */
export function isReachable({ host, origins, workshop }: Pick<Config, 'host' | 'origins' | 'workshop'>): boolean {
  const proxied = origins.some((origin) => !isLoopback(new URL(origin).hostname.replaceAll(/[[\]]/g, '')))
  return workshop || proxied || !isLoopback(host)
}

function invalid(message: string, remedy: string, extra: { detail?: string; remedyCommand?: string } = {}): LabError {
  return new LabError('config_invalid', message, remedy, extra)
}

/** @throws LabError `config_invalid` for a certificate without its key, or the other way round */
function httpsOf(env: z.output<typeof environment>): HttpsConfig | null {
  const { EXPRESSLANE_CERT: cert, EXPRESSLANE_KEY: key, EXPRESSLANE_HTTPS: asked, INIT_CWD: here = '.' } = env
  if (cert !== undefined && key !== undefined) return { cert: resolve(here, cert), key: resolve(here, key) }
  if (cert === undefined && key === undefined) return asked === '1' ? 'self-signed' : null
  throw invalid(
    'EXPRESSLANE_CERT and EXPRESSLANE_KEY belong together, but only one is set.',
    'Set both EXPRESSLANE_CERT and EXPRESSLANE_KEY, or neither.',
  )
}

/** The environment for programs of the user, without Expresslane's own variables: some are secrets. */
function environmentOf(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value === undefined || name.startsWith('EXPRESSLANE_') ? [] : [[name, value] as const],
    ),
  )
}

/** @param here where a relative path to the program starts */
function outsideCommand([program, ...rest]: readonly string[], here: string): readonly string[] | null {
  if (program === undefined) return null
  return [program.includes('/') ? resolve(here, program) : program, ...rest]
}

/**
 * Reads the configuration. An empty variable counts as unset.
 *
 * @throws LabError `config_invalid`
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const parsed = environment.safeParse(set)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const name = issue?.path[0]?.toString() ?? 'The environment'
    // The token's value must not appear in a message.
    throw invalid(
      `${name} is not valid: ${issue?.message ?? 'unknown error'}.`,
      `Correct or unset ${name} and start again.`,
    )
  }
  const { PORT: port, EXPRESSLANE_TOKEN: token, EXPRESSLANE_ORIGINS: origins, LOG_LEVEL } = parsed.data
  const workshop = parsed.data.EXPRESSLANE_WORKSHOP === '1'
  // A workshop is for other machines, and has its own rules for tokens.
  const host = parsed.data.HOST ?? (workshop ? '::' : '127.0.0.1')
  if (!isLoopback(host) && token === undefined && !workshop) {
    throw invalid(
      `HOST=${host} opens this server to other machines, but EXPRESSLANE_TOKEN is not set.`,
      'Set EXPRESSLANE_TOKEN to a long secret, or unset HOST to serve only this machine.',
      { remedyCommand: `EXPRESSLANE_TOKEN=$(openssl rand -hex 24) HOST=${host} npm start` },
    )
  }
  const state = parsed.data.XDG_STATE_HOME ?? join(homedir(), '.local', 'state')
  return {
    host,
    port,
    token: token ?? null,
    requestMs: REQUEST_MS,
    mostLogBytes: MOST_LOG_BYTES,
    metricsToken: parsed.data.EXPRESSLANE_METRICS_TOKEN ?? null,
    dataDir: parsed.data.EXPRESSLANE_DATA ?? join(state, 'expresslane'),
    linkCommand: parsed.data.EXPRESSLANE_LINK_COMMAND,
    origins,
    logLevel: LOG_LEVEL,
    https: httpsOf(parsed.data),
    workshop,
    records: parsed.data.EXPRESSLANE_RECORDS === '1',
    lti:
      parsed.data.EXPRESSLANE_LTI === undefined
        ? null
        : resolve(parsed.data.INIT_CWD ?? '.', parsed.data.EXPRESSLANE_LTI),
    participants: parsed.data.EXPRESSLANE_PARTICIPANTS,
    mostSeconds: parsed.data.EXPRESSLANE_MOST_SECONDS,
    guestRuns: parsed.data.EXPRESSLANE_GUEST_RUNS,
    guestBytes: parsed.data.EXPRESSLANE_GUEST_MB * 1_000_000,
    keep: {
      days: parsed.data.EXPRESSLANE_KEEP_DAYS === 0 ? null : parsed.data.EXPRESSLANE_KEEP_DAYS,
      bytes: parsed.data.EXPRESSLANE_KEEP_MB === 0 ? null : parsed.data.EXPRESSLANE_KEEP_MB * 1_000_000,
    },
    idleMs: parsed.data.EXPRESSLANE_IDLE_MINUTES * 60_000,
    kubernetes: {
      env: {
        KUBECONFIG: parsed.data.KUBECONFIG,
        HOME: parsed.data.HOME,
        KUBERNETES_SERVICE_HOST: parsed.data.KUBERNETES_SERVICE_HOST,
        EXPRESSLANE_CONTAINER: parsed.data.EXPRESSLANE_CONTAINER,
      },
      context: parsed.data.EXPRESSLANE_CONTEXT ?? null,
      orCurrent: false,
      namespace: parsed.data.EXPRESSLANE_NAMESPACE,
      image: parsed.data.EXPRESSLANE_NETPERF_IMAGE ?? parsed.data.EXPRESSLANE_BASE_IMAGE,
      isBare: parsed.data.EXPRESSLANE_NETPERF_IMAGE === undefined,
      podSeconds: parsed.data.EXPRESSLANE_POD_MINUTES * 60,
      outside: {
        command: outsideCommand(parsed.data.EXPRESSLANE_OUTSIDE, parsed.data.INIT_CWD ?? '.'),
        env: environmentOf(env),
      },
    },
    ssh:
      parsed.data.EXPRESSLANE_SSH === undefined
        ? null
        : { hosts: parsed.data.EXPRESSLANE_SSH, env: environmentOf(env) },
    podsIn: parsed.data.EXPRESSLANE_TESTBEDS === 'kubernetes' ? parsed.data.EXPRESSLANE_TESTBEDS_NAMESPACE : null,
    testbedsIn: parsed.data.EXPRESSLANE_TESTBEDS_NAMESPACE,
    countedKernel: parsed.data.EXPRESSLANE_COUNTED_KERNEL ?? null,
    labs: [
      { path: shippedLabs, origin: 'shipped', watched: parsed.data.EXPRESSLANE_DEV === '1' },
      ...parsed.data.EXPRESSLANE_LABS.map((path) => ({
        path: resolve(parsed.data.INIT_CWD ?? '.', path),
        origin: 'own' as const,
        watched: true,
      })),
    ],
    webDir: fileURLToPath(new URL('../../web/dist', import.meta.url)),
    siteDir:
      parsed.data.EXPRESSLANE_SITE === undefined
        ? fileURLToPath(new URL('../../site', import.meta.url))
        : resolve(parsed.data.INIT_CWD ?? '.', parsed.data.EXPRESSLANE_SITE),
    recordingsDir: fileURLToPath(new URL('../../recordings', import.meta.url)),
  }
}
