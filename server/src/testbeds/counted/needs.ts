/** What the counted machine needs of the machine that it runs on, checked without starting it. */
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import type { Check } from '@expresslane/shared/testbed/testbed'
import { failed, passed } from '../check.ts'
import { INSTALL, PACK, preparedMachines } from './prepared.ts'
import { QEMU } from './qemu.ts'

async function isIn(folder: string, program: string): Promise<boolean> {
  try {
    await access(join(folder, program), constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** @param path the folders where programs are looked for */
export async function checkNeeds(path: string): Promise<Check[]> {
  const found = async (program: string): Promise<boolean> =>
    (await Promise.all(path.split(delimiter).map((folder) => isIn(folder, program)))).includes(true)
  const [qemu, machines] = await Promise.all([found(QEMU), preparedMachines()])
  const [newest] = machines
  const [qemuTitle, kernelTitle] = ['QEMU is installed', 'A kernel and programs are packed for it']
  return [
    qemu
      ? passed('qemu', qemuTitle, `${QEMU} is here.`)
      : failed(
          'qemu',
          qemuTitle,
          `${QEMU} is not in ${path}`,
          {
            remedy: 'Install it, and prepare the machine. Everything else works without it.',
            remedyCommand: newest === undefined ? `${INSTALL} && ${PACK}` : INSTALL,
          },
          'all',
        ),
    newest === undefined
      ? failed(
          'counted-kernel',
          kernelTitle,
          'None is prepared.',
          {
            remedy: 'Get one: a package of the distribution, which is unpacked and not installed.',
            remedyCommand: PACK,
          },
          'all',
        )
      : passed('counted-kernel', kernelTitle, `Linux ${newest.release}, package version ${newest.version}`),
  ]
}
