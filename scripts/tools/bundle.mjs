/**
 * Sets of tools: Debian's packages, unpacked into a folder of the user, whose programs run with the libraries beside
 * them. Nothing is installed.
 */
import { createHash } from 'node:crypto'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, join, relative } from 'node:path'
import { capture, run } from '../base/child.mjs'
import { cache, inRoot, root } from '../base/paths.mjs'
import { FrameError } from '../base/say.mjs'
import { hashOf } from '../setup/stamp.mjs'
import { download, fetchIndex, mirror, ownApt } from './apt.mjs'
import { architectures, formatLock, packageOf, parseLock, resolve } from './lock.mjs'

/**
 * @typedef {import('./lock.mjs').Package} Package
 * @typedef {import('./lock.mjs').SetName} SetName
 * @typedef {import('../setup/system-tools.mjs').Tool} Tool
 */

export const lockFile = inRoot('scripts', 'tools', 'debian.lock')
const arch = architectures[process.arch] ?? ''
const triplet = process.arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu'
const loader = process.arch === 'arm64' ? 'ld-linux-aarch64.so.1' : 'ld-linux-x86-64.so.2'

/** How the names of folders begin in which packages are unpacked, before the process's id. */
const WORK = 'work-'

/** The parts of packages that no program here reads, and a program that would get root's rights. */
const left = ['etc', 'var', 'usr/share/doc', 'usr/share/info', 'usr/share/locale', 'usr/share/man', 'usr/bin/su']

/** @param {string} folder whether users other than its owner can get to it */
function isOpen(folder) {
  for (let path = folder; path !== '/'; path = dirname(path)) {
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat !== undefined && (stat.mode & 0o001) === 0) return false
  }
  return true
}

/**
 * Where the sets are. A server that is root runs the tools as `nobody`, who often can't enter root's home, and then
 * perhaps not the checkout either.
 */
function home() {
  const usual = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'expresslane')
  if (process.getuid?.() !== 0) return usual
  return [usual, cache].find(isOpen) ?? '/var/tmp/expresslane-0'
}

/** Another lock, or another way to unpack, is another folder. */
const digest = () =>
  hashOf([lockFile, inRoot('scripts', 'tools', 'bundle.mjs'), inRoot('scripts', 'setup', 'system-tools.mjs')]).slice(
    0,
    16,
  )

/** The folder of all sets. It holds a set's folder only when the set is whole. */
export const bundle = join(home(), `tools-${digest()}`)

/** @param {SetName} set */
const folderOf = (set) => join(bundle, set)

/** The loader of all programs of the sets. */
export const ownLoader = join(folderOf('core'), 'usr', 'lib', triplet, loader)

/**
 * Whether a set is here.
 *
 * @param {SetName} set
 * @throws FrameError if another user can put programs there: a folder in /var/tmp could be anybody's
 */
export function isUnpacked(set) {
  // Who owns the checkout has written what runs here.
  const trusted = [process.getuid?.(), statSync(root).uid]
  for (const path of [dirname(bundle), bundle].filter((one) => existsSync(one))) {
    const { uid, mode } = lstatSync(path)
    if (trusted.includes(uid) && (uid !== 0 || (mode & 0o022) === 0)) continue
    throw new FrameError(
      `${path} belongs to another user, or others can write to it.`,
      'Remove it, then run the command again.',
    )
  }
  return existsSync(folderOf(set))
}

/** @returns {readonly Package[]} of this processor */
export const locked = () => parseLock(readFileSync(lockFile, 'utf8')).filter((one) => one.arch === arch)

/** Whether this machine can have a set: a Debian with a processor that the lock knows. @param {SetName} set */
export const isOffered = (set) => mirror() !== null && locked().some(({ sets }) => sets.includes(set))

/**
 * @param {readonly Tool[]} tools of sets that need not be here yet
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv} with it their programs are found, before those of the machine
 */
export function withPrograms(tools, env) {
  const folders = tools.map(({ set, package: name }) => join(folderOf(set), 'bin', name))
  /** @param {string} name */
  const has = (name) => tools.some((tool) => tool.package === name)
  return {
    ...env,
    PATH: [...folders, env['PATH'] ?? ''].join(delimiter),
    // The extensions that it loads.
    ...(has('iptables') ? { XTABLES_LIBDIR: join(folderOf('core'), 'usr', 'lib', triplet, 'xtables') } : {}),
    ...(tools.some(({ set }) => set === 'tests') ? { FONTCONFIG_FILE: join(folderOf('tests'), 'fonts.conf') } : {}),
  }
}

/** The packages for Python that a set brings, to install without an index. */
export const wheels = join(folderOf('python'), 'usr', 'share', 'python-wheels')

/** @param {string} file */
const sha256Of = (file) => createHash('sha256').update(readFileSync(file)).digest('hex')

/**
 * Fetches packages. A package that the mirror no longer has is looked up in the signed index: a point release has
 * replaced it.
 *
 * @param {readonly Package[]} packages
 * @param {string} to
 * @param {NodeJS.ProcessEnv} machine
 * @returns {Promise<string[]>} their files
 */
export async function fetchPackages(packages, to, machine) {
  const uri = mirror()?.uri ?? ''
  const env = ownApt(join(to, 'apt'), arch, machine)
  /** @param {Package} one */
  const fileOf = ({ name }) => join(to, `${name}.deb`)
  /** @param {readonly Package[]} some */
  const get = async (some) => {
    await download(
      some.map((one) => ({ uri: `${uri}${one.path}`, file: fileOf(one) })),
      env,
    )
    const absent = some.filter((one) => !existsSync(fileOf(one)))
    for (const one of some) if (!absent.includes(one)) assertIs(one, fileOf(one))
    return absent
  }
  const moved = await get(packages)
  if (moved.length > 0) {
    const index = await fetchIndex(env)
    const gone = await get(moved.map(({ name, sets }) => packageOf(index.get(name) ?? { Package: name }, arch, sets)))
    if (gone.length > 0) {
      throw new FrameError(
        `This machine's mirror has no ${gone.map(({ name }) => name).join(', no ')} (${uri}).`,
        'Check that the mirror can be reached and is whole. Then run the command again.',
      )
    }
  }
  return packages.map(fileOf)
}

/** @param {Package} locked @param {string} file */
function assertIs({ name, version, sha256 }, file) {
  const found = sha256Of(file)
  if (found === sha256) return
  throw new FrameError(
    `The mirror's package ${name} ${version} is not the one that the lock names: its SHA-256 is ${found}.`,
    'Do not use it. Check the mirror (/etc/apt), and what stands between it and this machine. Then run the command again.',
  )
}

/** @param {readonly string[]} files @param {string} to @param {NodeJS.ProcessEnv} env */
async function unpackAll(files, to, env) {
  const script = [
    'set -e; umask 022; to=$1; shift; excluded=$1; shift',
    // A shell that knows no pipefail: tar fails on a stream that is cut off.
    'for file; do dpkg-deb --fsys-tarfile "$file" | tar -x -C "$to" --no-same-owner --no-same-permissions $excluded; done',
  ].join('\n')
  const excluded = left.map((path) => `--exclude=./${path}`).join(' ')
  // Two at a time: unpacking is work for the processor.
  const halves = [0, 1].map((half) => files.filter((_, index) => index % 2 === half))
  const done = await Promise.all(
    halves.map((half) => run('sh', ['-c', script, 'sh', to, excluded, ...half], { env, stdio: ['ignore', 2, 2] })),
  )
  if (done.every(({ code }) => code === 0)) return
  throw new FrameError('The packages could not be unpacked.', 'Is the disk full? Then run the command again.')
}

/**
 * Gets a set, if it is not here.
 *
 * @param {SetName} set
 * @param {readonly Tool[]} tools whose programs it is for
 * @param {NodeJS.ProcessEnv} env
 */
export async function ensureSet(set, tools, env) {
  if (isUnpacked(set)) return
  // The testbed's user reads it.
  const mask = process.umask(0o022)
  const work = workFolder()
  try {
    const files = await fetchPackages(
      locked().filter(({ sets }) => sets.includes(set)),
      work,
      env,
    )
    const to = join(work, 'unpacked')
    mkdirSync(to)
    await unpackAll(files, to, env)
    await finish(set, to, tools, env)
    if (!isUnpacked(set)) renameSync(to, folderOf(set))
  } catch (error) {
    // Another process can have been faster.
    if (error instanceof FrameError || !isUnpacked(set)) throw error
  } finally {
    process.umask(mask)
    rmSync(work, { recursive: true, force: true })
  }
}

/** After this long without a new set, the folder of another lock goes: other checkouts may use it until then. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000

/** A folder to work in, beside the sets; the folders of set-ups that were killed, and of older locks, go. */
function workFolder() {
  mkdirSync(bundle, { recursive: true, mode: 0o755 })
  for (const name of readdirSync(dirname(bundle)).filter((one) => one.startsWith('tools-'))) {
    const other = join(dirname(bundle), name)
    if (other !== bundle && Date.now() - statSync(other).mtimeMs > KEPT_MS)
      rmSync(other, { recursive: true, force: true })
  }
  for (const name of readdirSync(bundle).filter((one) => one.startsWith(WORK))) {
    if (!existsSync(`/proc/${name.split('-')[1]}`)) rmSync(join(bundle, name), { recursive: true, force: true })
  }
  return mkdtempSync(join(bundle, `${WORK}${process.pid}-`))
}

/** A page without any font is drawn as boxes. @param {string} folder */
const fontsOf = (folder) =>
  `<fontconfig><dir>${join(folder, 'usr', 'share', 'fonts')}</dir><cachedir prefix="xdg">fontconfig</cachedir></fontconfig>\n`

/**
 * Gives the programs their own loader and libraries, and lists them by package. Other programs go.
 *
 * @param {SetName} set
 * @param {string} to where it is unpacked
 * @param {readonly Tool[]} tools
 * @param {NodeJS.ProcessEnv} env
 */
async function finish(set, to, tools, env) {
  const places = [...new Set([set, 'core'])].map((name) =>
    join(folderOf(/** @type {SetName} */ (name)), 'usr', 'lib', triplet),
  )
  const folders = ['bin', 'sbin'].map((name) => join(to, 'usr', name)).filter((folder) => existsSync(folder))
  /** @type {Set<string>} */
  const kept = new Set()
  for (const { package: name, commands, from = {}, parts = [] } of tools) {
    for (const part of parts) kept.add(realpathSync(join(to, 'usr', 'lib', triplet, part)))
    const bin = join(to, 'bin', name)
    mkdirSync(bin, { recursive: true })
    for (const command of commands) {
      const found = folders.map((folder) => join(folder, from[command] ?? command)).find((path) => existsSync(path))
      if (found === undefined) throw new Error(`The package ${name} has no ${command}.`)
      const program = realpathSync(found)
      kept.add(program)
      symlinkSync(relative(bin, program), join(bin, command))
    }
  }
  const own = set === 'core' ? to : folderOf('core')
  const patchelf = join(own, 'usr', 'bin', 'patchelf')
  const all = folders.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
  for (const file of all) if (file !== patchelf && !kept.has(file)) rmSync(file)
  const programs = [...kept].filter((file) => readFileSync(file).subarray(0, 4).toString('latin1') === '\x7fELF')
  const beside = join(own, 'usr', 'lib', triplet)
  if (set === 'tests') writeFileSync(join(to, 'fonts.conf'), fontsOf(folderOf(set)))
  // Debian's QEMU looks for its firmware in the system alone, unless a folder of this name is beside it (get_relocated_path).
  if (set === 'counted') symlinkSync(join('..', '..'), join(to, 'usr', 'bin', 'qemu-bundle'))
  if (programs.length === 0) return
  const rpath = [...places, ...places.map((place) => join(place, 'pulseaudio'))].join(':')
  const withLoader = programs.filter((file) => !file.includes('.so.'))
  // At once, patchelf 0.18 makes a file that crashes of a program at a fixed address, such as Python.
  for (const change of [
    ['--force-rpath', '--set-rpath', rpath, ...programs],
    ['--set-interpreter', ownLoader, ...withLoader],
  ]) {
    const args = ['--library-path', beside, patchelf, ...change]
    if ((await capture(join(beside, loader), args, { env })) !== null) continue
    throw new FrameError(
      'The programs could not be given their libraries.',
      `Remove ${bundle}, then run the command again.`,
    )
  }
}

/**
 * Writes the lock again, from the signed index.
 *
 * @param {NodeJS.ProcessEnv} machine
 */
export async function writeLock(machine) {
  const work = workFolder()
  try {
    const packages = []
    for (const of of Object.values(architectures)) {
      packages.push(...resolve(of, await fetchIndex(ownApt(join(work, of), of, machine))))
    }
    writeFileSync(lockFile, formatLock(packages))
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}
