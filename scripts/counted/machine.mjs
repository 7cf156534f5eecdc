/**
 * Prepares the counted machine: gets a kernel, packs its first file system, and lists both where the server finds them
 * (server/src/testbeds/counted/prepared.ts).
 */
import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inRoot } from '../base/paths.mjs'
import { FrameError, say } from '../base/say.mjs'
import { alone } from '../setup/lock.mjs'
import { hashOf, readStamp, writeStamp } from '../setup/stamp.mjs'
import { find, QEMU } from '../setup/system-tools.mjs'
import { isOffered } from '../tools/bundle.mjs'
import { programsAndFiles, programsHere } from './contents.mjs'
import { cpio } from './cpio.mjs'
import { countedFolder, ensureKernel, ensureSecondKernel, getKernel, kernels, offeredKernels } from './kernel.mjs'

const list = join(countedFolder, 'machines.json')
const folder = join(countedFolder, 'initrd')
/** The stamp stands for copies of these files, with these kernels and programs, made by these scripts. */
const stampFile = join(countedFolder, 'inputs.json')

/**
 * @param {readonly string[]} files
 * @param {NodeJS.ProcessEnv} env
 */
function keyOf(files, env) {
  const stats = files.map((file) => {
    const stat = statSync(file, { throwIfNoEntry: false })
    return `${file} ${stat?.size} ${stat?.mtimeMs}`
  })
  return hashOf(
    [inRoot('scripts', 'counted')],
    // The programs lie at the same paths as here: a copy of this folder needs a machine of its own.
    [inRoot(), ...stats, ...kernels().map(({ sha256 }) => sha256), ...programsHere(env)],
  )
}

/** @param {NodeJS.ProcessEnv} env */
function isPrepared(env) {
  const { files, key } = readStamp(stampFile)
  return kernels().length > 0 && typeof files === 'string' && key === keyOf(files.split('\n'), env)
}

/** @param {NodeJS.ProcessEnv} env */
async function pack(env) {
  const begun = performance.now()
  const { entries, files } = await programsAndFiles(env)
  const programs = cpio(entries)
  /** @param {Buffer} of */
  const digestOf = (of) => createHash('sha256').update(of).digest('hex')
  const programsSha256 = digestOf(programs)
  mkdirSync(folder, { recursive: true })
  const machines = kernels().map((kernel) => {
    // The kernel unpacks one archive after the other.
    const initrd = Buffer.concat([programs, readFileSync(kernel.modules)])
    const file = join(folder, `${digestOf(initrd).slice(0, 32)}.cpio`)
    if (statSync(file, { throwIfNoEntry: false })?.size !== initrd.length) {
      writeFileSync(`${file}.new`, initrd)
      // The testbed's user reads it.
      chmodSync(`${file}.new`, 0o644)
      renameSync(`${file}.new`, file)
    }
    chmodSync(kernel.vmlinux, 0o644)
    const { release, version, sha256, vmlinux } = kernel
    return { release, version, sha256, vmlinux, initrd: file, programsSha256 }
  })
  writeFileSync(`${list}.new`, `${JSON.stringify({ machines }, null, 2)}\n`)
  renameSync(`${list}.new`, list)
  const used = new Set(machines.map(({ initrd }) => initrd))
  for (const name of readdirSync(folder)) if (!used.has(join(folder, name))) rmSync(join(folder, name))
  writeStamp(stampFile, { files: files.join('\n'), key: keyOf(files, env) })
  say(
    `Packed the counted machine for ${machines.length} kernel(s) in ${((performance.now() - begun) / 1000).toFixed(1)} s.`,
  )
}

/** @param {NodeJS.ProcessEnv} env @throws FrameError where this machine can't have a counted machine */
function assertPossible(env) {
  if (process.arch !== 'x64') {
    throw new FrameError('The counted machine runs on x64 alone.', 'Everything else works without it.')
  }
  if (!isOffered('kernel')) {
    throw new FrameError(
      'The counted machine needs a Debian system, for its kernel.',
      'Everything else works without it.',
    )
  }
  const absent = [QEMU, 'xz', 'depmod'].filter((name) => find(name, env) === null)
  if (absent.length === 0) return
  throw new FrameError(
    `The counted machine can't be prepared: this machine has no ${absent.join(', no ')}.`,
    'Get what is missing with:\n\n  npm run tools -- counted\n\nEverything else works without it.',
  )
}

/**
 * Prepares the machine if that is not done; where it can't be, says why and goes on.
 *
 * @param {NodeJS.ProcessEnv} env
 * @param {boolean} [toCompare] whether two kernels are needed, where apt offers as many
 */
export async function ensureMachine(env, toCompare = false) {
  const isDone = () => isPrepared(env) && (!toCompare || kernels().length > 1)
  if (isDone()) return
  try {
    assertPossible(env)
    await alone(async () => {
      if (isDone()) return
      await ensureKernel(env)
      if (toCompare) await ensureSecondKernel(env)
      if (!isPrepared(env)) await pack(env)
    })
  } catch (error) {
    if (!(error instanceof FrameError)) throw error
    say(`\n${error.message}\n${error.remedy}\nContinuing without the counted machine.\n`)
  }
}

/**
 * `npm run kernel`: lists the kernels. `npm run kernel -- RELEASE`: gets a further kernel; `newest` gets one if there
 * is none. `--json`: the releases that are here or can be had, for programs.
 *
 * @param {readonly string[]} releases
 * @param {NodeJS.ProcessEnv} env
 */
export async function addKernels(releases, env) {
  assertPossible(env)
  if (releases[0] === '--json') {
    const all = new Set([...kernels().map(({ release }) => release), ...(await offeredKernels(env))])
    process.stdout.write(`${JSON.stringify({ releases: [...all] })}\n`)
    return
  }
  if (releases.length === 0) {
    const here = kernels().map(({ release, version, sha256 }) => `${release}  ${version}  sha256:${sha256}`)
    const offered = (await offeredKernels(env)).filter(
      (release) => !here.some((line) => line.startsWith(`${release} `)),
    )
    process.stdout.write([...here, ...offered.map((release) => `${release}  (not here)`), ''].join('\n'))
    return
  }
  await alone(async () => {
    for (const release of releases) await (release === 'newest' ? ensureKernel(env) : getKernel(release, env))
    await pack(env)
  })
}
