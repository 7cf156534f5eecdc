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
import { capture, run } from '../base/child.mjs'
import { cache, inRoot } from '../base/paths.mjs'
import { FrameError, say } from '../base/say.mjs'
import { hashOf } from '../setup/stamp.mjs'
import { fetchIndex, ownApt } from '../tools/apt.mjs'
import { fetchPackages, locked } from '../tools/bundle.mjs'
import { dependencies, packageOf, RELEASE } from '../tools/lock.mjs'
import { hasNetkit, isNewEnough, newestFirst, unpackedKernel } from './image.mjs'
import { moduleEntries } from './modules.mjs'
import { cpio } from './cpio.mjs'

export const countedFolder = join(cache, 'counted')
const folder = join(countedFolder, 'kernels')
/** The Debian whose kernels are the oldest with BIG TCP. */
const EARLIER = 'bookworm'

/**
 * @typedef {object} Kernel
 * @property {string} release as `uname -r` prints it
 * @property {string} package its Debian package
 * @property {string} version of the package
 * @property {string} sha256 of the package
 * @property {string} vmlinux path of the kernel, unpacked: to unpack it in the machine would take a second of each boot
 * @property {string} modules path of an archive of its modules
 * @property {string} [chosenBy] digest of the list of modules that the archive was made with; older notes have none
 */

/** Changes with the list of modules. */
const list = () => hashOf([inRoot('scripts', 'counted', 'modules.mjs')])

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

/** @param {string} release */
const packageName = (release) => `linux-image-${release}`

/** @param {NodeJS.ProcessEnv} env @returns the index of the release, with its newer kernels and those of the release before */
async function kernelIndex(env) {
  const state = join(countedFolder, 'apt')
  try {
    return await fetchIndex(ownApt(state, 'amd64', env, [`${RELEASE}-backports`, EARLIER]))
  } finally {
    rmSync(state, { recursive: true, force: true })
  }
}

/** @param {Iterable<string>} names of packages @returns {string[]} the releases of kernels, the newest first */
function releasesIn(names) {
  const releases = [...names].flatMap((name) => /^linux-image-(\d+\.\d+\.\d+\S*-cloud-amd64)$/.exec(name)?.[1] ?? [])
  return releases.filter(isNewEnough).toSorted(newestFirst)
}

/** The packages of a kernel besides its image, if it has any. @param {import('../tools/lock.mjs').Stanza} image @param {string} release */
const partsOf = (image, release) => dependencies(image).filter((part) => part.endsWith(`-${release}`))

/**
 * The packages of a kernel that an index lacks: Debian removes the modules of old releases before it removes their images.
 *
 * @param {string} release
 * @param {import('../tools/lock.mjs').Index} index
 * @returns {string[]} none if the kernel can be had
 */
export function absentOf(release, index) {
  const image = index.get(packageName(release))
  return image === undefined ? [packageName(release)] : partsOf(image, release).filter((part) => !index.has(part))
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string[]>} the releases that Debian offers, the newest first
 */
export async function offeredKernels(env) {
  const index = await kernelIndex(env)
  return releasesIn(index.keys()).filter((release) => absentOf(release, index).length === 0)
}

/**
 * The packages of a kernel, its image first: from Linux 6.19 on Debian puts the image, the modules and the configuration
 * into packages of their own, which the first only names.
 *
 * @param {string} release
 * @param {NodeJS.ProcessEnv} env
 */
async function packagesOf(release, env) {
  const name = packageName(release)
  const known = locked().find((one) => one.name === name)
  if (known !== undefined) return [known]
  const index = await kernelIndex(env)
  const absent = absentOf(release, index)
  if (absent.length > 0) {
    throw new FrameError(
      `Debian does not offer the kernel ${release} any more: its index has no ${absent.join(', no ')}.`,
      'Choose a kernel that `npm run kernel` lists.',
    )
  }
  const image = index.get(name) ?? {}
  return [name, ...partsOf(image, release)].map((part) => packageOf(index.get(part) ?? {}, 'amd64', ['kernel']))
}

/** @param {string} release @param {string} to @param {NodeJS.ProcessEnv} env */
async function unpack(release, to, env) {
  const name = packageName(release)
  const files = await fetchPackages(await packagesOf(release, env), to, env)
  const unpacked = join(to, 'unpacked')
  for (const file of files) {
    const { code } = await run('dpkg-deb', ['-x', file, unpacked], { env, stdio: ['ignore', 2, 2] })
    if (code !== 0) {
      throw new FrameError(
        `dpkg-deb could not unpack ${file}; its output is above.`,
        'Check that the disk is not full.',
      )
    }
  }
  // From Debian 13 on below /usr.
  const folders = ['usr/lib', 'lib'].map((place) => join(unpacked, place, 'modules', release))
  const modulesFolder = folders.find(existsSync) ?? ''
  /** @param {string} part a kernel's file, in either of the two places @returns its path */
  const partOf = (part) => {
    const places = [join(unpacked, 'boot', `${part}-${release}`), join(modulesFolder, part)]
    const found = places.find(existsSync)
    if (found !== undefined) return found
    throw new FrameError(`${name} has no ${part}.`, 'Choose another kernel.')
  }
  const image = unpackedKernel(readFileSync(partOf('vmlinuz')))
  const ready = join(to, 'ready')
  mkdirSync(ready)
  writeFileSync(join(ready, 'vmlinux'), image)
  const modules = await moduleEntries({ release, modules: modulesFolder }, env)
  writeFileSync(join(ready, 'modules.cpio'), cpio(modules))
  const hash = createHash('sha256')
  for (const file of files) hash.update(readFileSync(file))
  const sha256 = hash.digest('hex')
  const version = (await capture('dpkg-deb', ['--field', files[0] ?? '', 'Version'], { env }))?.trim() ?? ''
  writeFileSync(
    join(ready, 'package.json'),
    `${JSON.stringify({ release, package: name, version, sha256, chosenBy: list() })}\n`,
  )
  return ready
}

/** How the names of folders begin in which a package is unpacked. */
const WORK = 'work-'

/**
 * Gets a kernel, if it is not here with the modules of today. The caller holds the lock of the set-up.
 *
 * @param {string} release
 * @param {NodeJS.ProcessEnv} env
 */
export async function getKernel(release, env) {
  if (kernels().some((kernel) => kernel.release === release && kernel.chosenBy === list())) return
  say(`Fetching the kernel ${release} of the counted machine; it is not installed ...`)
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

/**
 * Gets a further kernel for a test, where Debian offers one: the oldest for all labs, which is of the stable release and changes least.
 *
 * @param {NodeJS.ProcessEnv} env
 */
export async function ensureSecondKernel(env) {
  const here = kernels().map(({ release }) => release)
  const another = (await offeredKernels(env)).findLast((release) => hasNetkit(release) && !here.includes(release))
  if (here.length < 2 && another !== undefined) await getKernel(another, env)
}

/** Gets the kernel of the lock, if there is none here; a kernel whose modules another list has chosen is got again. @param {NodeJS.ProcessEnv} env */
export async function ensureKernel(env) {
  const here = kernels().map(({ release }) => release)
  const [wanted = ''] = releasesIn(locked().map(({ name }) => name))
  for (const release of here.length === 0 ? [wanted] : here) await getKernel(release, env)
}
