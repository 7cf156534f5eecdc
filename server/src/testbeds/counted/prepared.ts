/** What the set-up has prepared for the counted machine (scripts/counted). */
import { readFile } from 'node:fs/promises'
import { LabError } from '@expresslane/shared/wire/errors'
import { z } from 'zod'

/** The command that gets a kernel if there is none, and packs the programs of this machine. */
export const PACK = 'npm run kernel -- newest'
/** The command that installs what the machine needs. */
export const INSTALL = 'sudo apt-get install --no-install-recommends qemu-system-x86 kmod xz-utils'

const prepared = z.object({
  /** As `uname -r` prints it. */
  release: z.string(),
  /** Of the kernel's package. */
  version: z.string(),
  /** Of the kernel's package. */
  sha256: z.string(),
  vmlinux: z.string(),
  initrd: z.string(),
  initrdSha256: z.string(),
})

/** A kernel, and what is in the machine besides it, by the paths of their files. */
export type Prepared = z.infer<typeof prepared>

const list = new URL('../../../../.cache/counted/machines.json', import.meta.url)

/**
 * The machines that can be booted here, the newest kernel first.
 *
 * @returns none where nothing is prepared
 */
export async function preparedMachines(): Promise<readonly Prepared[]> {
  let text: string
  try {
    text = await readFile(list, 'utf8')
  } catch {
    return []
  }
  return z.object({ machines: z.array(prepared) }).parse(JSON.parse(text)).machines
}

/** @throws LabError `testbed_unavailable` where nothing is prepared */
export async function newestPrepared(): Promise<Prepared> {
  const [newest] = await preparedMachines()
  if (newest !== undefined) return newest
  throw new LabError('testbed_unavailable', 'The counted machine has no kernel here.', 'Get one, then try again.', {
    remedyCommand: PACK,
  })
}
