/** Builds the emulated computer: its file system, the state in which it is saved, and what is told about it. */
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { constants, zstdCompressSync } from 'node:zlib'
import { inRoot } from '../base/paths.mjs'
import { cpio } from '../counted/cpio.mjs'
import { entriesOf } from './contents.mjs'
import { ensureKernel } from './kernel.mjs'
import { machineFolder, wasmFile } from './machine.mjs'
import { inFolder, locked, unpack } from './packages.mjs'
import { sourcesText } from './sources.mjs'
import { MEMORY_MB, savedState } from './state.mjs'

const BEST = { params: { [constants.ZSTD_c_compressionLevel]: 19 } }

/** @param {Uint8Array} bytes */
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex')

/** @param {string} file @returns {ArrayBuffer} */
const bufferOf = (file) => new Uint8Array(readFileSync(file)).buffer

/** @param {NodeJS.ProcessEnv} env */
export async function build(env) {
  const kernel = await ensureKernel(env)
  await inFolder(async (work) => {
    const [root, out] = [join(work, 'root'), join(work, 'out')]
    await unpack(locked('i386'), root, env)
    mkdirSync(out)
    const initrd = cpio(entriesOf(root, readdirSync(join(root, 'usr', 'lib', 'i386-linux-gnu'))))
    const files = { wasm: bufferOf(wasmFile), bios: bufferOf(join(kernel, 'bios.bin')) }
    const image = bufferOf(join(kernel, 'bzImage'))
    const { state, said, clockMs, bootInstructions } = await savedState(files, image, new Uint8Array(initrd).buffer)
    const packed = zstdCompressSync(new Uint8Array(state), BEST)
    writeFileSync(join(out, 'state.zst'), packed)
    copyFileSync(join(kernel, 'bios.bin'), join(out, 'bios.bin'))
    copyFileSync(wasmFile, join(out, 'v86.wasm'))
    const { version: v86 } = JSON.parse(readFileSync(inRoot('server', 'node_modules', 'v86', 'package.json'), 'utf8'))
    const about = {
      clockMs,
      memoryMb: MEMORY_MB,
      said: Buffer.from(said).toString('base64'),
      kernel: readFileSync(join(kernel, 'release'), 'utf8').trim(),
      v86,
      bootInstructions,
      sha256: {
        kernel: sha256(readFileSync(join(kernel, 'bzImage'))),
        initrd: sha256(initrd),
        v86: sha256(new Uint8Array(files.wasm)),
      },
      bytes: { bios: files.bios.byteLength, v86: files.wasm.byteLength, state: packed.length },
    }
    writeFileSync(join(out, 'machine.json'), `${JSON.stringify(about, null, 2)}\n`)
    writeFileSync(join(out, 'SOURCES.md'), sourcesText(v86))
    renameSync(out, machineFolder())
  })
}
