/** The emulated computer of the site: where it is once it is built, and what it is built from. Runs on every Node. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { inRoot } from '../base/paths.mjs'
import { hashOf } from '../setup/stamp.mjs'
import { home } from './packages.mjs'

/** The WebAssembly of v86. */
export const wasmFile = inRoot('server', 'node_modules', 'v86', 'build', 'v86.wasm')

/** @returns {string} the folder of a computer that is built from the present sources, built or not */
export function machineFolder() {
  const inputs = [
    'scripts/machine',
    'scripts/counted/cpio.mjs',
    'scripts/counted/contents.mjs',
    'server/native/bin/agent-x86',
    'server/src/testbeds/agent',
    'server/src/testbeds/emulated',
  ]
  return join(home, hashOf([...inputs.map((path) => inRoot(path)), wasmFile]).slice(0, 16))
}

/** @returns {string | null} the folder of the built computer: `bios.bin`, `v86.wasm`, `state.zst`, `machine.json`, `SOURCES.md` */
export function readyMachine() {
  const folder = machineFolder()
  return existsSync(folder) ? folder : null
}
