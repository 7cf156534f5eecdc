/** The real cluster that E2E_KUBECONFIG names, for what is measured on one. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const exec = promisify(execFile)
/** Not the product's default: a person's own lab on the same cluster is left alone. */
export const NAMESPACE = 'expresslane-bench'

export const kubeconfig = process.env['E2E_KUBECONFIG'] ?? ''

export async function kubectl(...argv: string[]): Promise<string> {
  const { stdout } = await exec('kubectl', argv, { env: { ...process.env, KUBECONFIG: kubeconfig } })
  return stdout
}

/** A server's environment for the kubeconfig's current context. */
export async function clusterEnv(): Promise<Record<string, string>> {
  return {
    // A kubeconfig's own login programs may keep things there.
    HOME: process.env['HOME'] ?? '',
    KUBECONFIG: kubeconfig,
    EXPRESSLANE_CONTEXT: (await kubectl('config', 'current-context')).trim(),
    EXPRESSLANE_NAMESPACE: NAMESPACE,
    EXPRESSLANE_NETPERF_IMAGE: process.env['E2E_NETPERF_IMAGE'] ?? '',
  }
}

export async function removeNamespace(): Promise<void> {
  await kubectl('delete', 'namespace', NAMESPACE, '--ignore-not-found', '--wait=false')
}
