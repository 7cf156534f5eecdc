/** Debian's packages for the emulated computer: what it is built with, and what is in it. The lock names them all. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../base/child.mjs'
import { cache, inRoot } from '../base/paths.mjs'
import { FrameError } from '../base/say.mjs'
import { fetchIndex, ownApt } from '../tools/apt.mjs'
import { fetchPackages } from '../tools/bundle.mjs'
import { dependencies, formatLock, packageOf, parseLock } from '../tools/lock.mjs'

/** @typedef {import('../tools/lock.mjs').Package} Package */

/** @type {Readonly<Record<'amd64' | 'i386', readonly string[]>>} */
const asked = {
  // The kernel's own way to build it, and the firmware.
  amd64: [
    'bash bc bison coreutils dash diffutils findutils flex gcc-14 grep gzip libc6-dev linux-source-6.12 make mawk',
    'perl-base seabios sed tar xz-utils',
  ].flatMap((line) => line.split(' ')),
  i386: ['busybox-static', 'dash', 'iproute2', 'netperf'],
}

const lockFile = inRoot('scripts', 'machine', 'debian.lock')

/** The folder of everything about it; a folder in it is there when it is whole. */
export const home = join(cache, 'machine')

/** @param {keyof typeof asked} arch @returns {Package[]} */
export const locked = (arch) => parseLock(readFileSync(lockFile, 'utf8')).filter((one) => one.arch === arch)

/**
 * Does work in a folder that goes afterwards.
 *
 * @template T
 * @param {(folder: string) => Promise<T>} work
 */
export async function inFolder(work) {
  mkdirSync(home, { recursive: true })
  const folder = mkdtempSync(join(home, 'work-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Fetches packages and unpacks them.
 *
 * @param {readonly Package[]} packages
 * @param {string} to a folder, which is made
 * @param {NodeJS.ProcessEnv} env
 */
export async function unpack(packages, to, env) {
  mkdirSync(to)
  await inFolder(async (work) => {
    const files = await fetchPackages(packages, work, env)
    const each = 'for file; do dpkg-deb --fsys-tarfile "$file" | tar -x -C "$to" --no-same-owner; done'
    const script = `set -e; umask 022; to=$1; shift; ${each}`
    const { code } = await run('sh', ['-c', script, 'sh', to, ...files], { env, stdio: ['ignore', 2, 2] })
    if (code === 0) return
    throw new FrameError('The packages could not be unpacked.', 'Is the disk full? Then run the command again.')
  })
}

/** Writes the lock again, from the signed index: what is asked for and all that it depends on. @param {NodeJS.ProcessEnv} env */
export const writeLock = (env) =>
  inFolder(async (work) => {
    const packages = []
    for (const arch of /** @type {const} */ (['amd64', 'i386'])) {
      const index = await fetchIndex(ownApt(join(work, arch), arch, env))
      const names = new Set(asked[arch])
      // A set grows while it is walked.
      for (const name of names) for (const needed of dependencies(index.get(name) ?? {})) names.add(needed)
      for (const name of [...names].toSorted()) {
        const stanza = index.get(name)
        if (stanza !== undefined) packages.push(packageOf(stanza, arch, ['core']))
      }
    }
    writeFileSync(lockFile, formatLock(packages).replace('tools -- lock', 'site -- --machine lock'))
  })
