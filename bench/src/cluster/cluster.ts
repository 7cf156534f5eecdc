/** The real cluster of E2E_KUBECONFIG, for benches that need a cluster. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const exec = promisify(execFile)
/** Not the product's default, so that a person's lab on the same cluster is not affected. */
export const NAMESPACE = 'expresslane-bench'

export const kubeconfig = process.env['E2E_KUBECONFIG'] ?? ''

export async function kubectl(...argv: string[]): Promise<string> {
  const { stdout } = await exec('kubectl', argv, { env: { ...process.env, KUBECONFIG: kubeconfig } })
  return stdout
}

/** A server's environment for the kubeconfig's current context. */
export async function clusterEnv(): Promise<Record<string, string>> {
  return {
    // Login programs of a kubeconfig can keep files there.
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
