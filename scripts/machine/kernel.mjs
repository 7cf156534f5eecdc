/** Builds the kernel of the emulated computer, with the compiler of the lock: the same bytes everywhere. */
import { copyFileSync, existsSync, mkdirSync, renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../base/child.mjs'
import { inRoot } from '../base/paths.mjs'
import { FrameError, timed } from '../base/say.mjs'
import { hashOf } from '../setup/stamp.mjs'
import { formatLock } from '../tools/lock.mjs'
import { home, inFolder, locked, unpack } from './packages.mjs'

const config = inRoot('scripts', 'machine', 'kernel.config')

/** The source is 1.5 GB: it is unpacked in memory. */
const MOST_BYTES = 6_000_000_000

const script = `set -e
cd /build
tar -xf /usr/src/linux-source-6.12.tar.xz --strip-components=1
kbuild() { make -s ARCH=i386 CC=gcc-14 HOSTCC=gcc-14 "$@"; }
kbuild tinyconfig
scripts/kconfig/merge_config.sh -m .config /out/kernel.config >/dev/null
kbuild olddefconfig
kbuild -j"$(nproc)" bzImage
kbuild kernelrelease >/out/release
cp arch/x86/boot/bzImage /out/bzImage`

/** Nothing of this machine gets into it, nor the time. */
const variables = {
  PATH: '/usr/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
  KBUILD_BUILD_TIMESTAMP: '1970-01-01',
  KBUILD_BUILD_USER: 'expresslane',
  KBUILD_BUILD_HOST: 'expresslane',
  KBUILD_BUILD_VERSION: '1',
}

/** @param {string} root of the compiler @param {string} out @param {NodeJS.ProcessEnv} env */
async function compile(root, out, env) {
  for (const name of ['build', 'out']) mkdirSync(join(root, name))
  symlinkSync('mawk', join(root, 'usr', 'bin', 'awk'))
  const set = Object.entries(variables).flatMap(([name, value]) => ['--setenv', name, value])
  const places = ['--ro-bind', root, '/', '--bind', out, '/out', '--tmpfs', '/tmp', '--dev', '/dev', '--proc', '/proc']
  const args = [...places, '--size', `${MOST_BYTES}`, '--tmpfs', '/build', '--unshare-all', '--die-with-parent']
  const command = ['nice', '-n', '10', 'bash', '-c', script]
  const { code } = await run('bwrap', [...args, '--clearenv', ...set, ...command], { env, stdio: ['ignore', 2, 2] })
  if (code === 0) return
  throw new FrameError(
    'The kernel of the emulated computer does not build.',
    'The output is above. It takes 4 GB of memory, and a system where bubblewrap may make namespaces.',
  )
}

/**
 * Builds the kernel, if it is not here: seven minutes of a processor.
 *
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string>} the folder with `bzImage`, `release` and `bios.bin`
 */
export async function ensureKernel(env) {
  const inputs = [script, JSON.stringify(variables), formatLock(locked('amd64'))]
  const folder = join(home, `kernel-${hashOf([config], inputs).slice(0, 16)}`)
  if (existsSync(folder)) return folder
  await timed('Built the kernel of the emulated computer', () =>
    inFolder(async (work) => {
      const [root, out] = [join(work, 'root'), join(work, 'out')]
      await unpack(locked('amd64'), root, env)
      mkdirSync(out)
      copyFileSync(config, join(out, 'kernel.config'))
      copyFileSync(join(root, 'usr', 'share', 'seabios', 'bios.bin'), join(out, 'bios.bin'))
      await compile(root, out, env)
      renameSync(out, folder)
    }),
  )
  return folder
}
