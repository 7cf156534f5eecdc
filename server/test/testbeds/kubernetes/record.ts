/**
 * Records the API objects of a real cluster with Cilium, for the unit tests of decisions:
 * `KUBECONFIG=... node server/test/testbeds/kubernetes/record.ts [CASE [NAMESPACE]]`.
 *
 * CASE is the folder under `fixtures/kubernetes` (`off` when left out; `on` with both flags of BIG TCP true), and
 * NAMESPACE is where the workload's pods run. Needs kubectl, and credentials that may exec into the agents.
 * Fields that identify a machine or change by themselves (resource versions, managed fields) are left out.
 */
import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { z } from 'zod'
import { linkShowArgv } from '../../../src/tools/ip-link.ts'

const run = promisify(execFile)
const [, , name = 'off', namespace] = process.argv
const folder = new URL(`../../fixtures/kubernetes/${name}/`, import.meta.url)
const SYSTEM = 'kube-system'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** Keys that say nothing that a decision rests on, or that identify the machine. */
const left = new Set([
  'managedFields',
  'resourceVersion',
  'selfLink',
  'machineID',
  'systemUUID',
  'bootID',
  'kubectl.kubernetes.io/last-applied-configuration',
])

function strip(value: Json): Json {
  if (Array.isArray(value)) return value.map(strip)
  if (value === null || typeof value !== 'object') return value
  const { images: _images, ...rest } = value
  // A node lists every image that it has; a container's image is a string and stays.
  const kept = Array.isArray(value['images']) ? rest : value
  return Object.fromEntries(
    Object.entries(kept)
      .filter(([key]) => !left.has(key))
      .map(([key, child]) => [key, strip(child)]),
  )
}

async function kubectl(...args: string[]): Promise<string> {
  const { stdout } = await run('kubectl', args, { maxBuffer: 64 * 1024 * 1024 })
  return stdout
}

async function get(...args: string[]): Promise<Json> {
  return strip(JSON.parse(await kubectl('get', '-o', 'json', ...args)) as Json)
}

async function save(file: string, value: Json): Promise<void> {
  await writeFile(new URL(`${file}.json`, folder), `${JSON.stringify(value, null, 2)}\n`)
  process.stderr.write(`${name}/${file}\n`)
}

const podList = z.object({
  items: z.array(
    z.object({
      metadata: z.object({ name: z.string() }),
      spec: z.object({ nodeName: z.string(), containers: z.array(z.object({ name: z.string() })).min(1) }),
    }),
  ),
})

/** Each pod's output of a command, by the name that `key` gives the pod. */
async function ask(
  pods: Json,
  where: string,
  argv: readonly string[],
  key: (pod: z.infer<typeof podList>['items'][number]) => string,
): Promise<[string, string][]> {
  return Promise.all(
    podList.parse(pods).items.map(async (pod): Promise<[string, string]> => {
      const container = pod.spec.containers.find((one) => one.name === 'cilium-agent') ?? pod.spec.containers[0]
      const at = ['-n', where, pod.metadata.name, '-c', container?.name ?? '']
      return [key(pod), await kubectl('exec', ...at, '--', ...argv)]
    }),
  )
}

function parsed(answers: readonly [string, string][]): Json {
  return Object.fromEntries(answers.map(([key, text]) => [key, strip(JSON.parse(text) as Json)]))
}

await mkdir(folder, { recursive: true })
await save('version', strip(JSON.parse(await kubectl('get', '--raw', '/version')) as Json))
await save('system-namespace', await get('namespace', SYSTEM))
await save('nodes', await get('nodes'))
await save('cilium-config', await get('configmap', 'cilium-config', '-n', SYSTEM))
await save('daemonset', await get('daemonset', 'cilium', '-n', SYSTEM))
await save('node-configs', await get('ciliumnodeconfigs.cilium.io', '-n', SYSTEM))

const agents = await get('pods', '-n', SYSTEM, '-l', 'k8s-app=cilium')
await save('agent-pods', agents)
const byNode = ({ spec }: { spec: { nodeName: string } }): string => spec.nodeName
await save('statuses', parsed(await ask(agents, SYSTEM, ['cilium-dbg', 'status', '-o', 'json'], byNode)))
await save('links', parsed(await ask(agents, SYSTEM, linkShowArgv(), byNode)))

if (namespace !== undefined) {
  await save('workload-namespace', await get('namespace', namespace))
  const pods = await get('pods', '-n', namespace)
  await save('workload-pods', pods)
  await save('workload-links', parsed(await ask(pods, namespace, linkShowArgv(), ({ metadata }) => metadata.name)))
}
