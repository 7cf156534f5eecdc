/** The emulated computer of the site: its files, the worker that runs it, and all of them as a script for pages from a disk. */
import { copyFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { inRoot } from '../base/paths.mjs'

/** As in shared/src/wire/tab.ts. */
const files = { wasm: 'v86.wasm', bios: 'bios.bin', state: 'state.zst' }

/** @param {string} built the folder of the built computer */
export function aboutMachine(built) {
  /** @type {{said: string, clockMs: number, memoryMb: number, kernel: string, v86: string, sha256: Record<'kernel' | 'initrd', string>}} */
  const about = JSON.parse(readFileSync(join(built, 'machine.json'), 'utf8'))
  const { said, clockMs, memoryMb, kernel, v86, sha256 } = about
  const bytes = Object.values(files).reduce((sum, name) => sum + statSync(join(built, name)).size, 0)
  const madeOf = {
    v86,
    kernel: `${kernel}, sha256:${sha256.kernel.slice(0, 16)}`,
    programs: `sha256:${sha256.initrd.slice(0, 16)}`,
  }
  return { edition: basename(built), said, clockMs, memoryMb, madeOf, bytes }
}

/**
 * @param {string} built the folder of the built computer
 * @param {string} site
 * @param {(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv) => Promise<void>} runNode
 */
export async function addMachine(built, site, runNode) {
  const folder = join(site, 'machine')
  mkdirSync(folder, { recursive: true })
  for (const name of [...Object.values(files), 'SOURCES.md']) copyFileSync(join(built, name), join(folder, name))
  const vite = inRoot('web', 'node_modules', 'vite', 'bin', 'vite.js')
  const config = inRoot('scripts', 'site', 'tab-bundle.mjs')
  await runNode([vite, 'build', '--logLevel', 'error', '--config', config], inRoot('server'), { TAB_OUT: folder })
  // Programs of other features' labs, which do not run there.
  rmSync(join(folder, 'assets'), { recursive: true, force: true })
  const disk = Object.entries({ worker: 'worker.js', ...files }).map(([key, name]) => [
    key,
    readFileSync(join(folder, name)).toString('base64'),
  ])
  const text = `globalThis.expresslaneSite.disk = ${JSON.stringify(Object.fromEntries(disk))}\n`
  writeFileSync(join(folder, 'disk.js'), text)
}
