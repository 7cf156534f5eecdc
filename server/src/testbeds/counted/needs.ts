/** Checks the needs of the counted machine on the machine that it runs on, without starting it. */
import type { Check } from '@expresslane/shared/testbed/testbed'
import { failed, passed } from '../check.ts'
import { isComing, WAIT } from '../coming.ts'
import { chosenOf, INSTALL, packOf, preparedMachines } from './prepared.ts'
import { hasQemu } from './qemu.ts'
import { QEMU } from './qemu-argv.ts'

/**
 * @param path the folders where programs are looked for
 * @param kernel the release that it boots; null for the newest that is prepared
 * @param list the list of tools that the set-up keeps; its usual place if it is left out
 */
export async function checkNeeds(path: string, kernel: string | null = null, list?: URL): Promise<Check[]> {
  const [qemu, machines] = await Promise.all([hasQemu(path), preparedMachines()])
  const isWaiting = kernel === null && (await isComing('kernel', list))
  const fix = (remedy: string, remedyCommand: string) => (isWaiting ? WAIT : { remedy, remedyCommand })
  const chosen = chosenOf(machines, kernel)
  const pack = packOf(kernel)
  const [qemuTitle, kernelTitle] = ['QEMU is installed', 'A kernel and programs are packed for it']
  return [
    qemu
      ? passed('qemu', qemuTitle, `${QEMU} is here.`)
      : failed(
          'qemu',
          qemuTitle,
          isWaiting ? `${QEMU} is not here yet.` : `${QEMU} is not in ${path}`,
          fix(
            'Get it, and prepare the machine. Everything else works without it.',
            chosen === null ? `${INSTALL} && ${pack}` : INSTALL,
          ),
          'all',
        ),
    chosen === null
      ? failed(
          'counted-kernel',
          kernelTitle,
          kernel === null ? 'None is prepared.' : `${kernel} (EXPRESSLANE_COUNTED_KERNEL) is not prepared.`,
          fix('Get one: a package of Debian, which is unpacked and not installed.', pack),
          'all',
        )
      : passed('counted-kernel', kernelTitle, `Linux ${chosen.release}, package version ${chosen.version}`),
  ]
}
