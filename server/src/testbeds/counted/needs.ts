/** Checks the needs of the counted machine on the machine that it runs on, without starting it. */
import type { Check } from '@expresslane/shared/testbed/testbed'
import { failed, passed } from '../check.ts'
import { isComing, WAIT } from '../coming.ts'
import { chosenOf, INSTALL, packOf, preparedMachines } from './prepared.ts'
import { hasQemu, QEMU } from './qemu.ts'

/**
 * @param path the folders where programs are looked for
 * @param kernel the release that it boots; null for the newest that is prepared
 */
export async function checkNeeds(path: string, kernel: string | null = null): Promise<Check[]> {
  const [qemu, machines] = await Promise.all([hasQemu(path), preparedMachines()])
  const isWaiting = await isComing('kernel')
  const chosen = chosenOf(machines, kernel)
  const pack = packOf(kernel)
  const [qemuTitle, kernelTitle] = ['QEMU is installed', 'A kernel and programs are packed for it']
  return [
    qemu
      ? passed('qemu', qemuTitle, `${QEMU} is here.`)
      : failed(
          'qemu',
          qemuTitle,
          `${QEMU} is not in ${path}`,
          isWaiting
            ? { remedy: WAIT }
            : {
                remedy: 'Get it, and prepare the machine. Everything else works without it.',
                remedyCommand: chosen === null ? `${INSTALL} && ${pack}` : INSTALL,
              },
          'all',
        ),
    chosen === null
      ? failed(
          'counted-kernel',
          kernelTitle,
          kernel === null ? 'None is prepared.' : `${kernel} (EXPRESSLANE_COUNTED_KERNEL) is not prepared.`,
          isWaiting && kernel === null
            ? { remedy: WAIT }
            : {
                remedy: 'Get one: a package of Debian, which is unpacked and not installed.',
                remedyCommand: pack,
              },
          'all',
        )
      : passed('counted-kernel', kernelTitle, `Linux ${chosen.release}, package version ${chosen.version}`),
  ]
}
