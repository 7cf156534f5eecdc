/**
 * The bridge between kind's nodes. Where it keeps its 64 KiB limit it cuts BIG TCP's packets in software, and BIG
 * TCP is slower than none. It takes a larger limit only after its ports have it.
 */
import { capture, feed } from '../base/child.mjs'
import { FrameError, say } from '../base/say.mjs'

const attributes = /** @type {const} */ (['gso_max_size', 'gro_max_size', 'gso_ipv4_max_size', 'gro_ipv4_max_size'])

/** The largest size that Cilium gives the nodes' devices. */
const enough = 196_608

/**
 * @typedef {object} Wire the devices between the nodes, the bridge last
 * @property {string} bridge
 * @property {readonly Record<string, unknown>[]} devices as `ip -d -j link` prints them
 */

/**
 * `ip` runs in a container, in the network that Docker itself is in: no root is needed here, and on a Mac it is the
 * virtual machine's.
 *
 * @param {string} image
 * @param {...string} args
 */
function ip(image, ...args) {
  const inDockersNetwork = [
    'run',
    '--rm',
    '--interactive',
    '--pull',
    'never',
    '--network',
    'host',
    '--user',
    '0',
    '--cap-add',
    'NET_ADMIN',
  ]
  return [...inDockersNetwork, '--entrypoint', 'ip', image, ...args]
}

/**
 * @param {string} image with iproute2 6.3 or newer
 * @param {string} node a node's container
 * @returns {Promise<Wire>}
 */
export async function readWire(image, node) {
  const bridge = await bridgeOf(node)
  const ports = await links(ip(image, '-d', '-j', 'link', 'show', 'master', bridge))
  const own = await links(ip(image, '-d', '-j', 'link', 'show', 'dev', bridge))
  if (ports.length === 0 || own.length === 0) {
    throw new FrameError(
      `The bridge between the nodes (${bridge}) and its ports could not be read.`,
      `As root, where Docker runs: ip -d link show master ${bridge}`,
    )
  }
  return { bridge, devices: [...ports, ...own] }
}

/** @param {string} node a node's container @returns {Promise<string>} the device behind its Docker network */
async function bridgeOf(node) {
  const attached = await capture('docker', ['inspect', '--format', '{{json .NetworkSettings.Networks}}', node])
  /** @type {Record<string, {NetworkID: string}>} */
  const networks = JSON.parse(attached ?? '{}')
  const id = Object.values(networks)[0]?.NetworkID
  if (id === undefined) throw new FrameError(`${node} is not in a Docker network.`, 'npm run cluster -- down, then up')
  const found = await capture('docker', ['network', 'inspect', '--format', '{{json .Options}}', id])
  /** @type {Record<string, string> | null} */
  const options = JSON.parse(found ?? 'null')
  return options?.['com.docker.network.bridge.name'] ?? `br-${id.slice(0, 12)}`
}

/** @param {readonly string[]} args @returns {Promise<Record<string, unknown>[]>} */
async function links(args) {
  return JSON.parse((await capture('docker', args)) ?? '[]')
}

/** The devices that would cut a packet. @param {Wire} wire @returns {string[]} each with its smallest limit */
export function narrow({ devices }) {
  return devices.flatMap((device) => {
    const smallest = Math.min(...attributes.map((attribute) => Number(device[attribute])))
    return smallest >= enough ? [] : [`${String(device['ifname'])} ${smallest}`]
  })
}

/**
 * The input for `ip -batch`: each port gets its own `tso_max_size`, then the bridge gets the smallest of them.
 *
 * @param {Wire} wire
 * @returns {string[]}
 */
function widening({ bridge, devices }) {
  const ports = devices.filter((device) => device['ifname'] !== bridge)
  /** @param {Record<string, unknown>} device */
  const most = (device) => Number(device['tso_max_size'])
  /** @param {string} name @param {number} size */
  const set = (name, size) => `link set dev ${name} ${attributes.map((attribute) => `${attribute} ${size}`).join(' ')}`
  return [...ports.map((port) => set(String(port['ifname']), most(port))), set(bridge, Math.min(...ports.map(most)))]
}

/**
 * Raises limits that are too low; without the permission, prints the commands.
 *
 * @param {string} image
 * @param {string} node
 */
export async function widenWire(image, node) {
  const wire = await readWire(image, node)
  if (narrow(wire).length === 0) return
  const lines = widening(wire)
  say(`Letting BIG TCP packets through ${wire.bridge} and its ${wire.devices.length - 1} ports:`)
  for (const line of lines) say(`  ip ${line}`)
  const ended = await feed('docker', ip(image, '-batch', '-'), lines)
  if (ended.code !== 0)
    say('Docker cannot do this here. Run the lines above as root where Docker runs, with iproute2 6.3 or newer.')
}
