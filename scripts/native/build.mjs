/** Builds `server/native/bin` from its sources, bit for bit the same everywhere. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { cache, inRoot, root } from '../base/paths.mjs'
import { FrameError } from '../base/say.mjs'
import { one } from '../testing/tally.mjs'
import { bpfToC } from './bpf.mjs'
import { ensureCompiler } from './compiler.mjs'

/** @typedef {{env: NodeJS.ProcessEnv}} Machine */

const sources = inRoot('server', 'native')
const committed = join(sources, 'bin')

const targets = /** @type {const} */ ([
  { arch: 'x64', target: 'x86_64-linux-musl', cpu: 'baseline' },
  { arch: 'arm64', target: 'aarch64-linux-musl', cpu: 'baseline' },
])

/** The emulated computer in a browser's tab has 32 bits. */
const emulated = /** @type {const} */ ({ arch: 'x86', target: 'x86-linux-musl', cpu: 'baseline' })

/** The helper of the NodePort labs, and the agent of the counted machine. */
const programs = /** @type {const} */ ([
  { program: 'nodeport', folder: 'src', headers: ['base', 'commands'], bpf: true, builds: targets },
  { program: 'agent', folder: 'agent', headers: [], bpf: false, builds: [...targets, emulated] },
])

/**
 * The profiler of the counted machine, which QEMU loads. It names no C library: that of QEMU's own process, whichever it
 * is, has its few functions.
 */
const PROFILER = 'profiler-x64.so'

const names = [...programs.flatMap(({ program, builds }) => builds.map(({ arch }) => `${program}-${arch}`)), PROFILER]

const strict = ['-Wall', '-Wextra', '-Werror', '-Wno-missing-field-initializers']

/**
 * @param {string} into a folder, which gets the programs
 * @param {NodeJS.ProcessEnv} env
 * @param {number} fd for the compiler's output
 */
async function buildInto(into, env, fd) {
  const compiler = await ensureCompiler(env, fd)
  const object = join(into, 'programs.o')
  const generated = join(into, 'programs.c')
  mkdirSync(into, { recursive: true })
  // Instructions of Linux 5.1 and newer; no debugging information: nothing here needs BTF.
  const forBpf = ['-target', 'bpfel-freestanding', '-mcpu=v3', '-O2', '-g0', ...strict]
  const kernel = compiler.headers.flatMap((folder) => ['-isystem', folder])
  await compiler.run([...forBpf, ...kernel, '-c', join(sources, 'bpf', 'programs.c'), '-o', object])
  writeFileSync(generated, bpfToC(readFileSync(object)))
  const options = [...strict, '-std=c11', '-D_GNU_SOURCE', '-Os', '-g0', '-static', '-s']
  for (const { program, folder, headers, bpf, builds } of programs) {
    const source = join(sources, folder)
    const all = readdirSync(source, { recursive: true, encoding: 'utf8' })
    // In one order everywhere: the linker keeps it.
    const files = all.filter((name) => name.endsWith('.c')).toSorted()
    const inputs = [...files.map((file) => join(source, file)), ...(bpf ? [generated] : [])]
    const own = headers.flatMap((header) => ['-I', join(source, header)])
    for (const { arch, target, cpu } of builds) {
      const to = ['-o', join(into, `${program}-${arch}`)]
      await compiler.run(['-target', target, `-mcpu=${cpu}`, ...options, ...own, ...inputs, ...to])
    }
  }
  const profiler = join(sources, 'profiler')
  const [target] = targets
  const shared = [
    '-std=c11',
    '-D_GNU_SOURCE',
    '-O2',
    '-g0',
    '-s',
    '-shared',
    '-fPIC',
    '-nostdlib',
    '-fvisibility=hidden',
  ]
  const declarations = compiler.library.flatMap((folder) => ['-isystem', folder])
  const library = ['-target', target.target, `-mcpu=${target.cpu}`, ...strict, ...shared, ...declarations]
  await compiler.run([
    ...library,
    ...['profiler.c', 'wire.c'].map((file) => join(profiler, file)),
    '-o',
    join(into, PROFILER),
  ])
  rmSync(object)
  rmSync(generated)
}

/** The digests of the last build. */
const record = join(sources, 'digests.json')

/** @param {readonly string[]} files */
function digestOf(files) {
  const hash = createHash('sha256')
  for (const file of files)
    hash
      .update(`${file.slice(root.length)}\0`)
      .update(readFileSync(file))
      .update('\0')
  return hash.digest('hex')
}

/** The digest of everything that a build reads, and of every program that it made. */
function digests() {
  const folders = [
    ...programs.map(({ folder }) => join(sources, folder)),
    join(sources, 'bpf'),
    join(sources, 'profiler'),
    inRoot('scripts', 'native'),
  ]
  const files = folders.flatMap((folder) => {
    const inside = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    return inside.map((entry) => join(entry.parentPath, entry.name))
  })
  return {
    sources: digestOf(files.toSorted()),
    programs: digestOf(names.map((name) => join(committed, name))),
  }
}

/** Builds the programs that are committed, and records the digests. @param {Machine} machine */
export async function buildNative({ env }) {
  await buildInto(committed, env, 2)
  writeFileSync(record, `${JSON.stringify(digests(), null, 2)}\n`)
}

/** Neither the sources nor the programs have changed since the last build. */
function isUnchanged() {
  return existsSync(record) && isDeepStrictEqual(JSON.parse(readFileSync(record, 'utf8')), digests())
}

/**
 * The committed programs belong to these sources: one test. Where the recorded digests do not say so, it builds the programs
 * elsewhere and compares.
 *
 * @param {Machine} machine
 * @returns {import('../testing/stages.mjs').Stage}
 */
export const nativeChecked = (machine) => async (output) => {
  if (!isUnchanged()) return await nativeRebuilt(machine)(output)
  output.say('ok     native programs: unchanged since they were built')
  return one('the native programs', true)
}

/**
 * Builds the programs elsewhere and compares: one test.
 *
 * @param {Machine} machine
 * @returns {import('../testing/stages.mjs').Stage}
 */
export const nativeRebuilt =
  ({ env }) =>
  async ({ fd, say }) => {
    const begun = performance.now()
    const built = join(cache, 'native-built')
    let ok = false
    try {
      await buildInto(built, env, fd)
      const different = names.filter(
        (name) => !readFileSync(join(built, name)).equals(readFileSync(join(committed, name))),
      )
      ok = different.length === 0
      if (!ok) say(`${different.join(' and ')} are not what these sources give; npm run native builds them again.`)
    } catch (error) {
      if (!(error instanceof FrameError)) throw error
      say(`${error.message} ${error.remedy}`)
    }
    rmSync(built, { recursive: true, force: true })
    say(`${ok ? 'ok    ' : 'FAILED'} native programs (${((performance.now() - begun) / 1000).toFixed(1)} s)`)
    return one('the native programs are not what their sources give', ok)
  }
