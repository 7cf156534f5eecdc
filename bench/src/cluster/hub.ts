/** A server whose participants' testbeds are pods, reached through a proxy that counts requests to the API server. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openApp, type BenchApp } from '../support/app.ts'
import { clusterEnv, kubectl } from './cluster.ts'
import { openCountingProxy, type Upgrade } from './counting-proxy.ts'
import { PROXIED } from './upstream.ts'

/** The namespace of `manifests/classroom`. */
export const TESTBEDS = 'expresslane-testbeds'
const manifests = join(import.meta.dirname, '../../../manifests/classroom/testbeds.yaml')
const TICKS_PER_SECOND = 100

/** CPU time of a process in milliseconds: user and system (proc_pid_stat(5)). */
export async function cpuMs(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return ((Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND) * 1000
}

export interface HubOptions {
  /** Changes the manifests before they are applied. @defaultValue not at all */
  readonly edit?: (manifests: string) => string
  /** More variables of the server's environment. */
  readonly env?: Readonly<Record<string, string>>
  readonly upgrade?: Upgrade
}

/** @param measure called with the server, and with the requests so far: the same list, which grows */
export async function onHub<T>(
  measure: (app: BenchApp, requests: readonly string[]) => Promise<T>,
  { edit = (text) => text, env = {}, upgrade }: HubOptions = {},
): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'expresslane-bench-hub-'))
  const proxy = await openCountingProxy(upgrade)
  try {
    const text = await readFile(manifests, 'utf8')
    const file = join(directory, 'testbeds.yaml')
    await writeFile(file, edit(text.replace('image: expresslane', `image: ${process.env['E2E_APP_IMAGE']}`)))
    await kubectl('apply', '-f', file)
    const config = join(directory, 'kubeconfig')
    await proxy.writeKubeconfig(config)
    const app = await openApp({
      ...(await clusterEnv()),
      KUBECONFIG: config,
      EXPRESSLANE_CONTEXT: PROXIED,
      EXPRESSLANE_WORKSHOP: '1',
      EXPRESSLANE_TESTBEDS: 'kubernetes',
      ...env,
    })
    try {
      return await measure(app, proxy.requests)
    } finally {
      await app.close()
    }
  } finally {
    proxy.close()
    await kubectl('delete', 'namespace', TESTBEDS, '--ignore-not-found', '--wait=false')
    await rm(directory, { recursive: true })
  }
}
