/** Builds `server/native/bin` from its sources, bit for bit the same everywhere. */
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cache, inRoot } from '../base/paths.mjs'
import { FrameError } from '../base/say.mjs'
import { one } from '../testing/tally.mjs'
import { bpfToC } from './bpf.mjs'
import { ensureCompiler } from './compiler.mjs'

/** @typedef {{env: NodeJS.ProcessEnv}} Machine */

const sources = inRoot('server', 'native')
const committed = join(sources, 'bin')

const targets = /** @type {const} */ ([
  { name: 'nodeport-x64', target: 'x86_64-linux-musl', cpu: 'baseline' },
  { name: 'nodeport-arm64', target: 'aarch64-linux-musl', cpu: 'baseline' },
])

/** Folders of `src` with headers. */
const headers = ['base', 'commands']

const strict = ['-Wall', '-Wextra', '-Werror', '-Wno-missing-field-initializers']

/**
 * @param {string} to a folder, which gets the programs
 * @param {NodeJS.ProcessEnv} env
 * @param {number} fd for the compiler's output
 */
async function buildInto(to, env, fd) {
  const compiler = await ensureCompiler(env, fd)
  const object = join(to, 'programs.o')
  const generated = join(to, 'programs.c')
  mkdirSync(to, { recursive: true })
  // Instructions of Linux 5.1 and newer; no debugging information: nothing here needs BTF.
  const forBpf = ['-target', 'bpfel-freestanding', '-mcpu=v3', '-O2', '-g0', ...strict]
  const kernel = compiler.headers.flatMap((folder) => ['-isystem', folder])
  await compiler.run([...forBpf, ...kernel, '-c', join(sources, 'bpf', 'programs.c'), '-o', object])
  writeFileSync(generated, bpfToC(readFileSync(object)))
  const all = readdirSync(join(sources, 'src'), { recursive: true, encoding: 'utf8' })
  // In one order everywhere: the linker keeps it.
  const files = all.filter((name) => name.endsWith('.c')).toSorted()
  for (const { name, target, cpu } of targets) {
    const options = [...strict, '-std=c11', '-D_GNU_SOURCE', '-Os', '-g0', '-static', '-s']
    const own = headers.flatMap((folder) => ['-I', join(sources, 'src', folder)])
    const inputs = [...files.map((file) => join(sources, 'src', file)), generated]
    await compiler.run(['-target', target, `-mcpu=${cpu}`, ...options, ...own, ...inputs, '-o', join(to, name)])
  }
  rmSync(object)
  rmSync(generated)
}

/** Builds the programs that are committed. @param {Machine} machine */
export async function buildNative({ env }) {
  await buildInto(committed, env, 2)
}

/**
 * Builds them elsewhere and compares: one test.
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
      const different = targets
        .map(({ name }) => name)
        .filter((name) => !readFileSync(join(built, name)).equals(readFileSync(join(committed, name))))
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
