/** The system programs that labs and tests need. */
import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { release } from 'node:os'
import { delimiter, join } from 'node:path'
import { capture } from '../base/child.mjs'

/**
 * @typedef {object} Tool
 * @property {string} package its package, by Debian's name
 * @property {readonly string[]} commands
 * @property {readonly string[]} [with] packages that it is of no use without
 * @property {string} [service] that it brings, and that no lab wants
 */

/** The first iproute2 that shows and sets the IPv4 sizes. */
export const oldestIproute2 = /** @type {const} */ ([6, 3])

/** @type {readonly Tool[]} */
const ipvsTools = ['ipvsadm', 'ipset'].map((name) => ({ package: name, commands: [name] }))

/** @type {readonly Tool[]} */
export const labTools = [
  { package: 'netperf', commands: ['netperf', 'netserver'], service: 'netperf' },
  { package: 'iproute2', commands: ['ip'] },
  { package: 'iperf3', commands: ['iperf3'] },
  { package: 'tcpdump', commands: ['tcpdump'] },
  { package: 'nftables', commands: ['nft'] },
  { package: 'iptables', commands: ['iptables', 'ip6tables'] },
  { package: 'util-linux', commands: ['unshare', 'nsenter'] },
  { package: 'procps', commands: ['pgrep'] },
  { package: 'bash', commands: ['bash'] },
  // For translation between IPv4 and IPv6: a translator, a DNS64 resolver, and who asks and reads.
  { package: 'tayga', commands: ['tayga'], service: 'tayga' },
  { package: 'unbound', commands: ['unbound'], service: 'unbound' },
  { package: 'ldnsutils', commands: ['drill'] },
  { package: 'curl', commands: ['curl'] },
  { package: 'iputils-ping', commands: ['ping'] },
  ...(hasIpvs() ? ipvsTools : []),
]

export const QEMU = 'qemu-system-x86_64'

/** For the counted machine; everything else works without them. @type {readonly Tool[]} */
export const countedTools = [
  { package: 'qemu-system-x86', commands: [QEMU] },
  { package: 'kmod', commands: ['modprobe', 'depmod'] },
  { package: 'xz-utils', commands: ['xz'] },
  // The counted machine's kernel has IPVS, even if this machine's kernel does not.
  ...ipvsTools,
]

/** Whether the kernel has IPVS, loaded or as a module. */
function hasIpvs() {
  if (existsSync('/proc/net/ip_vs')) return true
  const modules = join('/lib/modules', release())
  return ['modules.dep', 'modules.builtin'].some((name) => {
    const list = join(modules, name)
    return existsSync(list) && readFileSync(list, 'utf8').includes('/ip_vs.ko')
  })
}

/** For the tests alone. @type {readonly Tool[]} */
export const testTools = [
  // A page without any font is drawn as boxes.
  { package: 'chromium', commands: ['chromium'], with: ['fonts-liberation'] },
]

/**
 * @param {string} command
 * @param {NodeJS.ProcessEnv} env
 * @returns {string | null} its path
 */
export function find(command, env) {
  for (const folder of (env['PATH'] ?? '').split(delimiter)) {
    const path = join(folder, command)
    try {
      accessSync(path, constants.X_OK)
      return path
    } catch {
      // Not in this folder.
    }
  }
  return null
}

/**
 * Whether a version from `ip -V` or a package list is new enough; `ss200127` of old is not.
 *
 * @param {string} text
 */
export function iproute2IsNew(text) {
  const found = /(?:^|iproute2-|\d:)(\d+)\.(\d+)/.exec(text)
  if (found === null) return false
  const [major, minor] = oldestIproute2
  return Number(found[1]) > major || (Number(found[1]) === major && Number(found[2]) >= minor)
}

/**
 * @param {readonly Tool[]} tools
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Tool[]>} the tools that are not there, or too old
 */
export async function missing(tools, env) {
  /** @type {Tool[]} */
  const found = []
  for (const tool of tools) {
    const absent = tool.commands.some((command) => find(command, env) === null)
    if (absent || (tool.package === 'iproute2' && !(await ipIsNew(env)))) found.push(tool)
  }
  return found
}

/** @param {NodeJS.ProcessEnv} env */
async function ipIsNew(env) {
  return iproute2IsNew((await capture('ip', ['-V'], { env })) ?? '')
}

/**
 * `/etc/os-release`: the name of this system, and its relatives.
 *
 * @returns {{id: string, codename: string, family: readonly string[]}}
 */
export function system() {
  let text = ''
  try {
    text = readFileSync('/etc/os-release', 'utf8')
  } catch {
    // A system without the file belongs to no known family.
  }
  /** @param {string} key */
  const value = (key) => new RegExp(`^${key}="?([^"\n]*)"?$`, 'm').exec(text)?.[1] ?? ''
  return {
    id: value('ID'),
    codename: value('VERSION_CODENAME'),
    family: [value('ID'), ...value('ID_LIKE').split(' ')].filter((name) => name !== ''),
  }
}

/** Whether something listens on netserver's port in this machine's own network. */
export function netserverListens() {
  return ['/proc/net/tcp', '/proc/net/tcp6'].some((file) => {
    try {
      // Port 12865 in hexadecimal, state LISTEN.
      return / [0-9A-F]+:3241 [0-9A-F]+:0000 0A /.test(readFileSync(file, 'utf8'))
    } catch {
      return false
    }
  })
}
