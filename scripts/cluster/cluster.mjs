/** `npm run cluster -- up|down|status`: a cluster with Cilium for the labs, by kind and helm, in Docker. */
import { checkDaemon, checkPrograms } from './programs.mjs'
import { widenWire } from './bridge.mjs'
import { clusterStatus } from './status.mjs'
import { cilium, clusterName, context, image, nodes } from './names.mjs'
import { capture, run } from '../base/child.mjs'
import { inRoot } from '../base/paths.mjs'
import { FrameError, say } from '../base/say.mjs'

/**
 * @param {readonly string[]} args
 * @returns {Promise<number>} the exit code
 */
export async function cluster(args) {
  const [command = '', ...more] = args
  if (more.length > 0 || !['up', 'down', 'status'].includes(command)) {
    throw new FrameError('`npm run cluster` takes one argument.', 'npm run cluster -- up|down|status')
  }
  await checkPrograms()
  await checkDaemon()
  const there = await isThere()
  if (command === 'up') return await up(there)
  if (!there) {
    say(`There is no cluster ${clusterName}. Create one: npm run cluster -- up`)
    return command === 'down' ? 0 : 1
  }
  return command === 'down' ? await down() : await clusterStatus()
}

/** @param {boolean} there */
async function up(there) {
  if (there) {
    say(`The cluster ${clusterName} exists.`)
    // The cluster's context may have been lost; this writes it again.
    await step('kind', 'export', 'kubeconfig', '--name', clusterName)
  } else {
    await step('kind', 'create', 'cluster', '--config', inRoot('manifests', 'kind.yaml'))
    say('\nWithout a network plugin the nodes are NotReady. Cilium will be the plugin.')
    await step('kubectl', '--context', context, 'get', 'nodes')
  }
  await step('docker', 'build', '--tag', image, inRoot('manifests', 'netperf-image'))
  await step('kind', 'load', 'docker-image', image, '--name', clusterName)
  await installCilium()
  await step('kubectl', '--context', context, 'wait', '--for=condition=Ready', 'node', '--all', '--timeout=5m')
  if (!there) await step('kubectl', '--context', context, 'get', 'nodes')
  await step('kubectl', '--context', context, ...allowed)
  await widenWire(image, nodes[0])
  const code = await clusterStatus()
  const start = `EXPRESSLANE_NETPERF_IMAGE=${image} npm start`
  if (code === 0) say(`\nReady: \`${start}\`, then choose the testbed kubernetes and the context ${context}.`)
  return code
}

/** Lets labs stop one of its agents for a moment, to show what it refuses: this cluster is for tests. */
const allowed = '--namespace kube-system annotate configmap cilium-config expresslane/may-break=true --overwrite'.split(
  ' ',
)

/** A Cilium of this version is left alone: an upgrade would put back the settings that a lab has just switched. */
async function installCilium() {
  const inCluster = ['--namespace', 'kube-system', '--kube-context', context]
  const listed = await capture('helm', ['list', '--filter', '^cilium$', '--output', 'json', ...inCluster])
  /** @type {{chart: string, status: string}[]} */
  const releases = listed === null ? [] : JSON.parse(listed)
  if (releases.some(({ chart, status }) => chart === `cilium-${cilium.version}` && status === 'deployed')) {
    say(`Cilium ${cilium.version} is installed.`)
    return
  }
  const chart = ['cilium', 'cilium', '--repo', cilium.repository, '--version', cilium.version]
  const values = ['--values', inRoot('manifests', 'cilium-values.yaml')]
  await step('helm', 'upgrade', '--install', ...chart, ...inCluster, ...values, '--wait', '--timeout', '10m')
}

async function down() {
  await step('kind', 'delete', 'cluster', '--name', clusterName)
  say(`The cluster is deleted. The image ${image} and Docker's network "kind" remain.`)
  return 0
}

async function isThere() {
  const listed = await capture('kind', ['get', 'clusters'])
  return (listed ?? '').split('\n').includes(clusterName)
}

/**
 * Prints a command, runs it, and shows its output.
 *
 * @param {string} command
 * @param {...string} args
 */
async function step(command, ...args) {
  say(`\n$ ${[command, ...args].join(' ')}`)
  const ended = await run(command, args, { stdio: ['ignore', 2, 2] })
  if (ended.code === 0) return
  throw new FrameError(
    `\`${[command, ...args.slice(0, 2)].join(' ')}\` failed; its output is above.`,
    'Nothing was undone. Run the same command again to continue, or start over with: npm run cluster -- down',
  )
}
