/** The system programs that labs and tests need. */
import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { release } from 'node:os'
import { delimiter, join } from 'node:path'
import { capture } from '../base/child.mjs'

/**
 * @typedef {object} Tool
 * @property {string} package its package, by Debian's name
 * @property {import('../tools/lock.mjs').SetName} set with which it comes
 * @property {readonly string[]} commands
 * @property {Readonly<Record<string, string>>} [from] names in the package of commands that it names otherwise
 * @property {readonly string[]} [parts] other files that look for libraries, by their paths from those
 */

/** The first iproute2 that shows and sets the IPv4 sizes. */
export const oldestIproute2 = /** @type {const} */ ([6, 3])

const tables = ['iptables', 'iptables-restore', 'iptables-save'].flatMap((name) => [name, `ip6${name.slice(2)}`])

/** For every lab. @type {readonly Tool[]} */
export const coreTools = [
  { package: 'netperf', set: 'core', commands: ['netperf', 'netserver'] },
  { package: 'iproute2', set: 'core', commands: ['ip', 'tc', 'ss', 'bridge'] },
  { package: 'iperf3', set: 'core', commands: ['iperf3'] },
  { package: 'tcpdump', set: 'core', commands: ['tcpdump'] },
  { package: 'nftables', set: 'core', commands: ['nft'] },
  {
    package: 'iptables',
    set: 'core',
    commands: tables,
    // A system chooses between two kinds by links that it makes itself.
    from: Object.fromEntries(tables.map((name) => [name, 'xtables-nft-multi'])),
  },
  { package: 'util-linux', set: 'core', commands: ['unshare', 'nsenter', 'setpriv', 'taskset', 'chrt'] },
  { package: 'procps', set: 'core', commands: ['pgrep', 'ps'] },
  { package: 'bash', set: 'core', commands: ['bash'] },
  // Terminals on this machine get a root folder of their own.
  { package: 'bubblewrap', set: 'core', commands: ['bwrap'] },
]

/** @type {readonly Tool[]} */
const ipvsTools = [
  { package: 'ipvsadm', set: 'ipvs', commands: ['ipvsadm'] },
  { package: 'ipset', set: 'ipvs', commands: ['ipset'] },
]

/** For some labs. @type {readonly Tool[]} */
export const someTools = [
  // For translation between IPv4 and IPv6: a translator, a DNS64 resolver, and who asks and reads.
  { package: 'tayga', set: 'families', commands: ['tayga'] },
  { package: 'unbound', set: 'families', commands: ['unbound'] },
  { package: 'ldnsutils', set: 'families', commands: ['drill'] },
  { package: 'curl', set: 'families', commands: ['curl'] },
  { package: 'iputils-ping', set: 'families', commands: ['ping'] },
  ...(hasIpvs() ? ipvsTools : []),
]

/** For all labs in network namespaces. @type {readonly Tool[]} */
export const labTools = [...coreTools, ...someTools]

export const QEMU = 'qemu-system-x86_64'

/** For the counted machine; everything else works without them. @type {readonly Tool[]} */
export const countedTools = [
  { package: 'qemu-system-x86', set: 'counted', commands: [QEMU] },
  { package: 'kmod', set: 'counted', commands: ['modprobe', 'depmod'] },
  { package: 'xz-utils', set: 'counted', commands: ['xz'] },
  { package: 'wireguard-tools', set: 'counted', commands: ['wg'] },
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
  {
    package: 'chromium',
    set: 'tests',
    commands: ['chromium'],
    // Its command is a script, which looks for the rest in the system.
    from: { chromium: '../lib/chromium/chromium' },
    parts: ['../chromium/chrome_crashpad_handler', 'libpulse.so.0'],
  },
  { package: 'firefox-esr', set: 'tests', commands: ['firefox-esr'], parts: ['../firefox-esr/crashhelper'] },
  { package: 'openssh-client', set: 'ssh', commands: ['ssh', 'ssh-keygen'] },
  // An ssh server that any user starts for itself: it needs no user, no folder and no configuration of the system.
  { package: 'dropbear-bin', set: 'ssh', commands: ['dropbear', 'dropbearkey'] },
]

/** For programs of PyPI. @type {Tool} */
export const python = { package: 'python3', set: 'python', commands: ['python3'] }

/** All there are: each set is unpacked for all its tools, however many a machine lacks. */
export const allTools = [...new Set([...coreTools, ...someTools, ...countedTools, ...testTools, python])]

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
