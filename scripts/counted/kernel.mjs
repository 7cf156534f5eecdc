/**
 * The kernels of the counted machine: packages of the distribution, which are unpacked and not installed. Each has a
 * folder in the cache, with its boot image, its modules, and a note of the package.
 */
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { capture, run } from '../base/child.mjs'
import { cache } from '../base/paths.mjs'
import { FrameError, say } from '../base/say.mjs'
import { isNewEnough, newestFirst, packedKernel } from './image.mjs'
import { moduleEntries } from './modules.mjs'
import { cpio } from './cpio.mjs'

export const countedFolder = join(cache, 'counted')
const folder = join(countedFolder, 'kernels')

/**
 * @typedef {object} Kernel
 * @property {string} release as `uname -r` prints it
 * @property {string} package its Debian package
 * @property {string} version of the package
 * @property {string} sha256 of the package
 * @property {string} vmlinux path of the kernel, unpacked: to unpack it in the machine would take a second of each boot
 * @property {string} modules path of an archive of its modules
 */

/** @returns {Kernel[]} the kernels that are here, the newest first */
export function kernels() {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((release) => existsSync(join(folder, release, 'package.json')))
    .toSorted(newestFirst)
    .map((release) => ({
      ...JSON.parse(readFileSync(join(folder, release, 'package.json'), 'utf8')),
      vmlinux: join(folder, release, 'vmlinux'),
      modules: join(folder, release, 'modules.cpio'),
    }))
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string[]>} the releases that apt offers, the newest first
 */
export async function offeredKernels(env) {
  const listed =
    (await capture('apt-cache', ['search', '--names-only', '^linux-image-[0-9].*-cloud-amd64$'], { env })) ?? ''
  const releases = listed
    .split('\n')
    .flatMap((line) => /^linux-image-(\d+\.\d+\.\d+\S*-cloud-amd64) /.exec(line)?.[1] ?? [])
  return [...new Set(releases)].filter(isNewEnough).toSorted(newestFirst)
}

/** @param {string} release @param {string} to @param {NodeJS.ProcessEnv} env */
async function unpack(release, to, env) {
  const name = `linux-image-${release}`
  // As root apt would fetch as its own user, who can't enter this folder.
  const options = process.getuid?.() === 0 ? ['-o', 'APT::Sandbox::User=root'] : []
  const fetched = await run('apt-get', ['-qq', ...options, 'download', name], { cwd: to, env, stdio: ['ignore', 2, 2] })
  const file = readdirSync(to).find((one) => one.endsWith('.deb'))
  if (fetched.code !== 0 || file === undefined) {
    throw new FrameError(
      `apt-get could not fetch ${name}; its output is above.`,
      'Check that the mirror can be reached.',
    )
  }
  const shown = (await capture('dpkg-deb', ['--field', join(to, file), 'Version'], { env }))?.trim()
  const unpacked = join(to, 'unpacked')
  const { code } = await run('dpkg-deb', ['-x', join(to, file), unpacked], { env, stdio: ['ignore', 2, 2] })
  if (code !== 0 || shown === undefined) {
    throw new FrameError(`dpkg-deb could not unpack ${file}; its output is above.`, 'Check that the disk is not full.')
  }
  const config = readFileSync(join(unpacked, 'boot', `config-${release}`), 'utf8')
  if (!/^CONFIG_NETKIT=/m.test(config)) throw new FrameError(`${name} has no netkit.`, 'Choose a newer kernel.')
  const image = packedKernel(readFileSync(join(unpacked, 'boot', `vmlinuz-${release}`)))
  const ready = join(to, 'ready')
  mkdirSync(ready)
  writeFileSync(join(ready, 'vmlinux'), zstdDecompressSync(image))
  const modules = await moduleEntries({ release, modules: join(unpacked, 'lib', 'modules', release) }, env)
  writeFileSync(join(ready, 'modules.cpio'), cpio(modules))
  const sha256 = createHash('sha256')
    .update(readFileSync(join(to, file)))
    .digest('hex')
  writeFileSync(join(ready, 'package.json'), `${JSON.stringify({ release, package: name, version: shown, sha256 })}\n`)
  return ready
}

/** How the names of folders begin in which a package is unpacked. */
const WORK = 'work-'

/**
 * Gets a kernel, if it is not here. The caller holds the lock of the set-up.
 *
 * @param {string} release
 * @param {NodeJS.ProcessEnv} env
 */
export async function getKernel(release, env) {
  if (kernels().some((kernel) => kernel.release === release)) return
  say(`Fetching the kernel ${release} of the counted machine with apt; it is not installed ...`)
  mkdirSync(folder, { recursive: true })
  // The rest of a set-up that was killed: no other set-up runs now.
  for (const left of readdirSync(countedFolder).filter((name) => name.startsWith(WORK))) {
    rmSync(join(countedFolder, left), { recursive: true, force: true })
  }
  const work = mkdtempSync(join(countedFolder, WORK))
  try {
    const ready = await unpack(release, work, { ...env, LC_ALL: 'C' })
    rmSync(join(folder, release), { recursive: true, force: true })
    renameSync(ready, join(folder, release))
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** Gets a further kernel for a test, where apt offers one. @param {NodeJS.ProcessEnv} env */
export async function ensureSecondKernel(env) {
  const here = kernels().map(({ release }) => release)
  const another = (await offeredKernels(env)).find((release) => !here.includes(release))
  if (here.length < 2 && another !== undefined) await getKernel(another, env)
}

/** Gets the newest kernel that apt knows, if there is none here. @param {NodeJS.ProcessEnv} env */
export async function ensureKernel(env) {
  if (kernels().length > 0) return
  let [newest] = await offeredKernels(env)
  if (newest === undefined && process.getuid?.() === 0) {
    await run('apt-get', ['-qq', 'update'], { env, stdio: ['ignore', 'ignore', 2] })
    ;[newest] = await offeredKernels(env)
  }
  if (newest !== undefined) return await getKernel(newest, env)
  throw new FrameError(
    'apt knows no kernel for the counted machine (linux-image-*-cloud-amd64, Linux 6.8 or newer).',
    'Debian 12 and 13 have one. If the package lists are old or missing: sudo apt-get update',
  )
}
