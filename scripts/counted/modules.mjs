/** The kernel modules in the counted machine: modules for networks, and their dependencies. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { capture, run } from '../base/child.mjs'
import { inRoot } from '../base/paths.mjs'
import { FrameError } from '../base/say.mjs'

/** @typedef {import('./cpio.mjs').Entry} Entry */
/** @typedef {{release: string, modules: string}} Unpacked modules: its folder of modules */

const folders = [
  'net/(802|8021q|bridge|bridge/netfilter|core|llc|mptcp|netlink|packet|psample|sched|tls|unix|xfrm)',
  'net/(netfilter|netfilter/ipvs|netfilter/ipset|ipv4|ipv4/netfilter|ipv6|ipv6/netfilter)',
]
const devices = [
  'drivers/net/(bareudp|dummy|geneve|ifb|macvlan|netkit|nlmon|tun|veth|vrf|vxlan/vxlan|ipvlan/ipvlan)',
  'drivers/net/wireguard/wireguard',
]
// AES-GCM for ESP, which the kernel loads by the algorithm's name. WireGuard's own algorithms are its dependencies.
const crypto = ['crypto/(ctr|gcm|seqiv)', 'arch/x86/crypto/aesni-intel']
// The way to the server, which newer kernels have built in.
const port = ['drivers/virtio/virtio_pci', 'drivers/char/virtio_console']
const chosen = new RegExp(
  `^((${folders.join('|')})/[^/]+|${[...devices, ...crypto, ...port].join('|')})\\.ko(\\.\\w+)?$`,
)

/** How a module's name stands in files and in dependencies. @param {string} path */
const nameOf = (path) =>
  basename(path)
    .replace(/\.ko.*$/, '')
    .replaceAll('-', '_')

/** The dependencies in a module's own description: texts `key=value`, each with a 0 at its end. @param {Buffer} module */
export function dependenciesOf(module) {
  const at = module.indexOf('\0depends=')
  if (at < 0) return []
  const text = module.toString('latin1', at + '\0depends='.length, module.indexOf(0, at + 1))
  return text.split(',').filter((name) => name !== '')
}

/** @param {string} folder @param {NodeJS.ProcessEnv} env */
async function unpackModules(folder, env) {
  const packed = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.ko\.(xz|zst|gz)$/.test(name),
  )
  for (const [suffix, program] of /** @type {const} */ ([
    ['xz', 'xz'],
    ['zst', 'zstd'],
    ['gz', 'gzip'],
  ])) {
    const files = packed.filter((name) => name.endsWith(`.${suffix}`)).map((name) => join(folder, name))
    if (files.length === 0) continue
    const quiet = program === 'zstd' ? ['-q', '--rm'] : ['-q']
    const { code } = await run(program, ['-d', ...quiet, ...files], { env, stdio: ['ignore', 2, 2] })
    if (code !== 0) throw new FrameError(`${program} could not unpack the kernel's modules.`, 'Its output is above.')
  }
}

/** Comes before the agent where the kernel has its port as a module: nothing else would load it. */
const START = `#!/usr/bin/bash
mount -t proc proc /proc
modprobe -a virtio_pci virtio_console
exec /agent
`

/** @returns {Entry[]} */
const startEntries = () => [
  { path: '/init', kind: 'file', mode: 0o755, content: Buffer.from(START) },
  { path: '/agent', kind: 'file', mode: 0o755, content: readFileSync(inRoot('server', 'native', 'bin', 'agent-x64')) },
]

/**
 * @param {Unpacked} kernel
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Entry[]>}
 */
export async function moduleEntries(kernel, env) {
  const stage = mkdtempSync(join(tmpdir(), 'expresslane-modules-'))
  try {
    const home = join('lib', 'modules', kernel.release)
    const all = readdirSync(join(kernel.modules, 'kernel'), { recursive: true, encoding: 'utf8' }).toSorted()
    const files = new Map(all.filter((name) => name.includes('.ko')).map((name) => [nameOf(name), name]))
    const wanted = new Set(all.filter((name) => chosen.test(name)))
    /** @type {Set<string>} */
    const staged = new Set()
    while (staged.size < wanted.size) {
      const next = [...wanted].filter((name) => !staged.has(name))
      for (const name of next) {
        const to = join(stage, home, 'kernel', name)
        mkdirSync(dirname(to), { recursive: true })
        cpSync(join(kernel.modules, 'kernel', name), to)
        staged.add(name)
      }
      await unpackModules(join(stage, home), env)
      for (const name of next) {
        const module = readFileSync(join(stage, home, 'kernel', name.replace(/\.ko.*$/, '.ko')))
        for (const depended of dependenciesOf(module)) {
          const file = files.get(nameOf(`${depended}.ko`))
          if (file !== undefined) wanted.add(file)
        }
      }
    }
    for (const list of ['modules.builtin', 'modules.builtin.modinfo', 'modules.order']) {
      cpSync(join(kernel.modules, list), join(stage, home, list))
    }
    const printed = await capture('depmod', ['--basedir', stage, kernel.release], { env })
    if (printed === null)
      throw new FrameError("depmod could not read the kernel's modules.", 'Is the package kmod whole?')
    const modules = readdirSync(join(stage, home), { recursive: true, encoding: 'utf8', withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .toSorted()
      .map(
        (file) =>
          /** @type {const} */ ({
            path: `/usr${file.slice(stage.length)}`,
            kind: 'file',
            mode: 0o644,
            content: readFileSync(file),
          }),
      )
    return [...modules, ...(staged.has(files.get('virtio_console') ?? '') ? startEntries() : [])]
  } finally {
    rmSync(stage, { recursive: true, force: true })
  }
}
