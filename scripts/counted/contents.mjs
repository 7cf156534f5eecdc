/** The contents of the counted machine besides its kernel: programs of this machine, with their libraries. */
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { capture } from '../base/child.mjs'
import { inRoot } from '../base/paths.mjs'
import { FrameError } from '../base/say.mjs'
import { find } from '../setup/system-tools.mjs'
import { bundle, ownLoader } from '../tools/bundle.mjs'

/** @typedef {import('./cpio.mjs').Entry} Entry */

/** Without these no lab runs. */
const required = ['ip', 'bash', 'sh', 'cat', 'tee', 'mount', 'netperf', 'netserver', 'modprobe']
/** Programs that the machine gets if they are installed here. */
const welcome = [
  'awk bpftool bridge curl cut date dd dmesg drill echo env ethtool false find grep head id insmod ip6tables',
  'ip6tables-restore ip6tables-save iperf3 iptables iptables-restore iptables-save ipset ipvsadm kill ls',
  'lsmod mkdir nft nproc nsenter pgrep ping printf ps rm sed seq setpriv sleep sort ss sysctl tail',
  'taskset tayga tc tcpdump test timeout tr true umount uname unbound unshare wc wg xargs yes',
].flatMap((line) => line.split(' '))

/** The folder of all programs. The other folders of PATH are links to it. */
const programFolder = '/usr/bin'
const links = { '/bin': 'usr/bin', '/sbin': 'usr/bin', '/usr/sbin': 'bin', '/lib': 'usr/lib', '/lib64': 'usr/lib64' }
const emptyFolders = ['/dev', '/proc', '/sys', '/run', '/root', '/var/lib', '/var/tmp', '/usr/lib', '/usr/lib64']

const texts = {
  // tcpdump gives up root for a user of its own.
  '/etc/passwd': [
    'root:x:0:0:root:/root:/bin/sh',
    'tcpdump:x:100:100::/:/bin/false',
    'nobody:x:65534:65534:nobody:/:/bin/false',
    '',
  ].join('\n'),
  '/etc/group': ['root:x:0:', 'tcpdump:x:100:', 'nogroup:x:65534:', ''].join('\n'),
  // Linux 7 has AES-GCM built in, without the processor's instructions for AES; elsewhere udev loads their module.
  '/etc/modprobe.d/aes.conf': 'softdep esp4 pre: aesni-intel\nsoftdep esp6 pre: aesni-intel\n',
  '/etc/hosts': '127.0.0.1 localhost\n::1 localhost\n',
  '/etc/nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files\nprotocols: files\nservices: files\n',
}

/** Names the distribution that the programs come from: the machine has no distribution of its own. */
function osRelease() {
  const here = isThere('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : ''
  const name = /^PRETTY_NAME="?([^"\n]+)"?$/m.exec(here)?.[1] ?? 'this machine'
  return `PRETTY_NAME="a file system of Expresslane, with programs of ${name}"\n`
}

/** Files of this machine that programs read. */
const asHere = ['/etc/protocols', '/etc/ethertypes', '/usr/lib/terminfo/x/xterm-256color']

/** The shared objects that programs load by themselves. */
const pluginFolders = ['/usr/lib/x86_64-linux-gnu/xtables', '/usr/lib64/xtables', '/usr/lib/xtables']
/** Where Debian's iptables looks for them by itself. */
const [debianPlugins = ''] = pluginFolders

/** @param {string} path */
const isThere = (path) => statSync(path, { throwIfNoEntry: false }) !== undefined

/** @param {string} path @returns {Entry} */
export const folder = (path) => ({ path, kind: 'folder', mode: 0o755, content: Buffer.alloc(0) })

/** @param {string} path @param {string} text @returns {Entry} */
export const textFile = (path, text) => ({ path, kind: 'file', mode: 0o644, content: Buffer.from(text) })

/** @param {string} path @param {string} target @returns {Entry} */
export const link = (path, target) => ({ path, kind: 'link', mode: 0o777, content: Buffer.from(target) })

/** The bundle's folder there, in a name of the same length: the machine mounts other things over some folders. */
const bundleThere = '/opt'.padEnd(bundle.length, '/')

/** @param {string} path @param {string} from @param {number} mode @returns {Entry} */
function copy(path, from, mode) {
  const content = readFileSync(from)
  if (!from.startsWith(bundle)) return { path, kind: 'file', mode, content }
  // Its programs name their libraries by the whole path.
  const moved = Buffer.from(content.toString('latin1').replaceAll(bundle, bundleThere), 'latin1')
  return { path, kind: 'file', mode, content: moved }
}

/** `/lib/...` and `/lib64/...` are links there. @param {string} path */
const libraryPath = (path) => path.replace(bundle, '/opt').replace(/^\/lib/, '/usr/lib')

/**
 * @param {readonly string[]} files
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string[]>} the shared libraries of all files, and their loader
 */
async function librariesOf(files, env) {
  const own = files.filter((file) => file.startsWith(bundle))
  const others = files.filter((file) => !own.includes(file))
  // `ldd` asks the machine's loader, which is another one.
  const listed = await Promise.all(own.map((file) => capture(ownLoader, ['--list', file], { env })))
  const printed = await capture('ldd', others, { env: { ...env, LC_ALL: 'C' } })
  // `ldd` fails for a static program, but prints the libraries of the other programs; each is an absolute path.
  const each = printed ?? (await Promise.all(others.map((file) => capture('ldd', [file], { env })))).join('\n')
  const text = [...listed, each, ...(own.length > 0 ? [`\t${ownLoader} (0x0)`] : [])].join('\n')
  const found = text.split('\n').flatMap((line) => /^\t(?:.* => )?(\/\S+) \(0x/.exec(line)?.[1] ?? [])
  return [...new Set(found)].toSorted()
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {string[]} names of the programs that this machine has for it
 */
export function programsHere(env) {
  return [...required, ...welcome].filter((name) => find(name, env) !== null)
}

/**
 * @typedef {object} Contents
 * @property {Entry[]} entries
 * @property {string[]} files the originals: if none of them changes, neither do the entries
 */

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Contents>}
 */
export async function programsAndFiles(env) {
  const programs = [...required, ...welcome].flatMap((name) => {
    const path = find(name, env)
    if (path !== null) return [{ name, file: realpathSync(path) }]
    if (!required.includes(name)) return []
    throw new FrameError(
      `The counted machine needs ${name}, which is not on this machine.`,
      'Install it, then run the command again.',
    )
  })
  const executables = [...new Set(programs.map(({ file }) => file))]
  const { XTABLES_LIBDIR: ownPlugins } = env
  const plugins = (ownPlugins === undefined ? pluginFolders : [ownPlugins])
    .filter(isThere)
    .flatMap((home) => readdirSync(home).map((name) => join(home, name)))
    .filter((name) => name.endsWith('.so'))
  const libraries = await librariesOf([...executables, ...(ownPlugins === undefined ? plugins : [])], env)
  const helper = inRoot('server', 'native', 'bin', 'nodeport-x64')
  const agent = inRoot('server', 'native', 'bin', 'agent-x64')
  const copied = asHere.filter(isThere)
  /** @type {Entry[]} */
  const entries = [
    ...emptyFolders.map(folder),
    { ...folder('/tmp'), mode: 0o1777 },
    ...Object.entries(links).map(([path, target]) => link(path, target)),
    ...Object.entries({ ...texts, '/etc/os-release': osRelease() }).map(([path, text]) => textFile(path, text)),
    ...executables.map((file) => copy(join(programFolder, basename(file)), file, 0o755)),
    ...programs
      .filter(({ name, file }) => name !== basename(file))
      .map(({ name, file }) => link(join(programFolder, name), basename(file))),
    ...libraries.map((file) => copy(libraryPath(file), file, 0o755)),
    ...plugins.map((file) => copy(ownPlugins === undefined ? file : join(debianPlugins, basename(file)), file, 0o644)),
    ...copied.map((file) => copy(file, file, 0o644)),
    // The helper has the same path as on the server's machine, so that a command line means the same on both machines.
    copy(helper, helper, 0o755),
    copy('/init', agent, 0o755),
  ]
  return { entries, files: [...executables, ...libraries, ...plugins, ...copied, helper, agent] }
}
