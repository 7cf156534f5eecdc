/**
 * Records again, on a real cluster, how the agents' pods change while they restart:
 * `KUBECONFIG=... node server/test/testbeds/kubernetes/record-rollout.ts`. It restarts all agents three
 * times and leaves BIG TCP off: for a cluster that is nobody else's meanwhile.
 */
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { V1Pod } from '@kubernetes/client-node'

const folder = fileURLToPath(new URL('../../fixtures/kubernetes/rollout/', import.meta.url))
const agents = ['pods', '-l', 'k8s-app=cilium']

function kubectl(...argv: string[]): string {
  return execFileSync('kubectl', ['-n', 'kube-system', ...argv], { encoding: 'utf8', maxBuffer: 1e8 })
}

/** The fields that decide, without volumes, managed fields and other states of no interest. */
function slim({ metadata, spec, status }: V1Pod): unknown {
  const { name = '', namespace = '', uid = '', creationTimestamp, deletionTimestamp } = metadata ?? {}
  const statuses = (of: typeof status, key: 'containerStatuses' | 'initContainerStatuses') =>
    of?.[key]?.map((one) => {
      const { name: container, ready, restartCount, state, lastState, started } = one
      return { name: container, ready, restartCount, started, state, lastState }
    })
  return {
    metadata: { name, namespace, uid, creationTimestamp, deletionTimestamp },
    spec: { nodeName: spec?.nodeName, affinity: { nodeAffinity: spec?.affinity?.nodeAffinity }, containers: [] },
    status: {
      phase: status?.phase,
      conditions: status?.conditions,
      initContainerStatuses: statuses(status, 'initContainerStatuses'),
      containerStatuses: statuses(status, 'containerStatuses'),
    },
  }
}

/** Changes the settings, deletes the agents, and notes each event of their pods for `seconds`. */
async function record(name: string | null, data: Record<string, string | null>, seconds: number): Promise<void> {
  const argv = ['-n', 'kube-system', 'get', ...agents, '-o', 'json', '--watch', '--output-watch-events']
  const watch = spawn('kubectl', argv, { stdio: ['ignore', 'pipe', 'inherit'] })
  const texts: string[] = []
  watch.stdout.setEncoding('utf8').on('data', (text: string) => texts.push(text))
  await once(watch.stdout, 'data')
  kubectl('patch', 'configmap', 'cilium-config', '--type', 'merge', '-p', JSON.stringify({ data }))
  kubectl('delete', ...agents, '--wait=false')
  await delay(seconds * 1000)
  watch.kill()
  if (name === null) return
  const events = texts
    .join('')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { type: string; object: V1Pod })
  const lines = events.map(({ type, object }) => JSON.stringify({ type, object: slim(object) }))
  writeFileSync(`${folder}${name}.jsonl`, `${lines.join('\n')}\n`)
}

mkdirSync(folder, { recursive: true })
await record('on', { 'enable-ipv4-big-tcp': 'true' }, 20)
await record('refused', { 'enable-ipv4-big-tcp': 'true', 'enable-host-legacy-routing': 'true' }, 15)
const [pod = ''] = kubectl('get', ...agents, '-o', 'name').split('\n')
writeFileSync(`${folder}refused.txt`, kubectl('logs', pod, '-c', 'cilium-agent', '--tail=40'))
await record(null, { 'enable-ipv4-big-tcp': 'false', 'enable-host-legacy-routing': null }, 20)
