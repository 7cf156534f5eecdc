/** Runs the login program that a kubeconfig names ("exec plugin"), and ends it with all that it started. */
import { spawn, type ChildProcess } from 'node:child_process'
import { z } from 'zod'

/**
 * The `exec` entry of a kubeconfig's user.
 *
 * @see https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins
 */
export const pluginEntry = z.object({
  apiVersion: z.string().default('client.authentication.k8s.io/v1'),
  command: z.string().min(1),
  args: z
    .array(z.string())
    .nullish()
    .transform((args) => args ?? []),
  env: z
    .array(z.object({ name: z.string(), value: z.string() }))
    .nullish()
    .transform((env) => env ?? []),
  installHint: z.string().nullish(),
  provideClusterInfo: z.boolean().nullish(),
})
export type PluginEntry = z.infer<typeof pluginEntry>

/** The failure of a login program. Its arguments are left out, because they can contain secrets. */
export class PluginError extends Error {
  /** `late` after its time limit, `missing` if there is no such program, otherwise `failed`. */
  readonly how: 'late' | 'missing' | 'failed'
  constructor(how: PluginError['how'], words: string) {
    super(words)
    this.how = how
  }
}

/** An answer is a token or a certificate: some kilobytes. */
const MOST_BYTES = 1_000_000
/** The characters of its error output that are shown. */
const WORDS = 500

function endGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL')
  } catch {
    // The group has ended.
  }
}

/** Its input ends with this process, however that ends. */
const GUARD = 'read -r _; kill -s KILL -- "-$1"'

/** Ends a process group when this process ends, even by SIGKILL. @returns ends the guard, and not the group */
function guard(leader: number): () => void {
  const child = spawn('sh', ['-c', GUARD, 'expresslane-guard', `${leader}`], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // Ctrl-C in a terminal does not reach it.
    detached: true,
  })
  // Without a shell, the program ends by its time limit.
  child.on('error', () => {})
  child.unref()
  return () => void child.kill('SIGKILL')
}

/** A group of its own, so that it can be ended with all that it started. */
function start({ command, args }: PluginEntry, env: NodeJS.ProcessEnv): ChildProcess {
  return spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
}

/**
 * @param info the value of KUBERNETES_EXEC_INFO
 * @param signal ends it
 * @returns its standard output
 * @throws PluginError; `signal.reason`. Nothing that it started in its process group is left after an error
 */
export async function runPlugin(
  entry: PluginEntry,
  info: string,
  { signal, ms }: { readonly signal: AbortSignal; readonly ms: number },
): Promise<string> {
  signal.throwIfAborted()
  const own = Object.fromEntries(entry.env.map(({ name, value }) => [name, value]))
  const child = start(entry, { ...process.env, KUBERNETES_EXEC_INFO: info, ...own })
  const unguard = child.pid === undefined ? () => {} : guard(child.pid)
  const ended = Promise.withResolvers<string>()
  let [stdout, stderr] = ['', '']
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    if (stdout.length > MOST_BYTES) ended.reject(new PluginError('failed', 'it printed too much'))
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-WORDS)
  })
  child.on('error', (error) => {
    const missing = 'code' in error && error.code === 'ENOENT'
    ended.reject(new PluginError(missing ? 'missing' : 'failed', error.message))
  })
  child.on('close', (code, by) => {
    if (code === 0) ended.resolve(stdout)
    else ended.reject(new PluginError('failed', stderr.trim() || `it ended with ${by ?? `exit code ${code}`}`))
  })
  const late = setTimeout(
    () => ended.reject(new PluginError('late', `no answer within ${ms / 1000} seconds`)),
    ms,
  ).unref()
  const stop = (): void => ended.reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await ended.promise
  } catch (error) {
    if (child.pid !== undefined) endGroup(child.pid)
    throw error
  } finally {
    clearTimeout(late)
    signal.removeEventListener('abort', stop)
    unguard()
  }
}
