/** Prints the status of the cluster's parts, one line each. */
import { narrow, readWire } from './bridge.mjs'
import { context, image, nodes } from './names.mjs'
import { capture } from '../base/child.mjs'
import { FrameError, say } from '../base/say.mjs'

/** @typedef {{what: string, seen: string, well: boolean}} Line */

/**
 * @typedef {object} Item a node or a pod, as far as it is looked at
 * @property {{name: string, deletionTimestamp?: string}} metadata
 * @property {{nodeName?: string}} spec
 * @property {{conditions?: {type: string, status: string, message: string}[]}} status
 */

/** @returns {Promise<number>} 0 only where all are well */
export async function clusterStatus() {
  const lines = [...(await ofNodes()), ...(await ofAgents()), ...(await ofImages()), await ofWire()]
  say('')
  for (const { what, seen, well } of lines) say(`${well ? 'ok     ' : 'NOT OK '} ${what}: ${seen}`)
  if (lines.every(({ well }) => well)) return 0
  say('\nTo repair the cluster: npm run cluster -- up. To start over: npm run cluster -- down, then up.')
  return 1
}

/** @param {readonly string[]} args @returns {Promise<Item[]>} empty where the API server does not answer */
async function items(args) {
  const text = await capture('kubectl', ['--context', context, '--request-timeout=10s', ...args, '--output', 'json'])
  return text === null ? [] : JSON.parse(text).items
}

/** @returns {Promise<Line[]>} */
async function ofNodes() {
  const found = await items(['get', 'nodes'])
  return nodes.map((name) => {
    const node = found.find(({ metadata }) => metadata.name === name)
    const ready = node?.status.conditions?.find(({ type }) => type === 'Ready')
    const well = ready?.status === 'True'
    const seen = node === undefined ? 'not there' : (ready?.message ?? 'no report')
    return { what: `node ${name}`, seen: well ? 'Ready' : seen, well }
  })
}

/**
 * An agent's own word, for an agent can be Ready while its datapath fails.
 *
 * @returns {Promise<Line[]>}
 */
async function ofAgents() {
  const inSystem = ['--namespace', 'kube-system']
  const pods = await items([...inSystem, 'get', 'pods', '--selector', 'k8s-app=cilium'])
  return await Promise.all(
    nodes.map(async (node) => {
      const pod = pods.find(({ spec, metadata }) => spec.nodeName === node && metadata.deletionTimestamp === undefined)
      const exec = [
        '--context',
        context,
        ...inSystem,
        'exec',
        String(pod?.metadata.name),
        '--container',
        'cilium-agent',
      ]
      const said =
        pod === undefined ? 'not there' : await capture('kubectl', [...exec, '--', 'cilium-dbg', 'status', '--brief'])
      return { what: `Cilium on ${node}`, seen: said?.trim() ?? 'not healthy', well: said?.trim() === 'OK' }
    }),
  )
}

/** @returns {Promise<Line[]>} */
async function ofImages() {
  return await Promise.all(
    nodes.slice(1).map(async (node) => {
      const found = await capture('docker', ['exec', node, 'crictl', 'inspecti', '--quiet', image])
      return { what: `image ${image} on ${node}`, seen: found === null ? 'not there' : 'loaded', well: found !== null }
    }),
  )
}

/** @returns {Promise<Line>} */
async function ofWire() {
  try {
    const wire = await readWire(image, nodes[0])
    const cutting = narrow(wire)
    const seen = cutting.length === 0 ? 'passes BIG TCP packets whole' : `cuts BIG TCP packets: ${cutting.join(', ')}`
    return { what: `bridge ${wire.bridge}`, seen, well: cutting.length === 0 }
  } catch (error) {
    if (!(error instanceof FrameError)) throw error
    return { what: 'bridge', seen: `${error.message} ${error.remedy}`, well: false }
  }
}
