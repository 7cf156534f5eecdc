/** Kernels and programs that the set-up has prepared for the counted machine (scripts/counted). */
import { readFile } from 'node:fs/promises'
import { LabError } from '@expresslane/shared/base/errors'
import { z } from 'zod'

/** The command that gets a kernel if there is none, and packs the programs of this machine. */
export const PACK = 'npm run kernel -- newest'
/** The command that gets the machine's needs. */
export const INSTALL = 'npm run tools -- counted'

const prepared = z.object({
  /** As `uname -r` prints it. */
  release: z.string(),
  /** The version of the kernel's package. */
  version: z.string(),
  /** The digest of the kernel's package. */
  sha256: z.string(),
  vmlinux: z.string(),
  initrd: z.string(),
  /** The digest of the programs, which all kernels share; null if an older set-up did not note it. */
  programsSha256: z.string().nullable().default(null),
})

/** A kernel, and the programs in the machine, by the paths of their files. */
export type Prepared = z.infer<typeof prepared>

const listed = z.object({ machines: z.array(prepared) })

const list = new URL('../../../../.cache/counted/machines.json', import.meta.url)

/**
 * The machines that can be booted here, the newest kernel first.
 *
 * @param file the list that the set-up wrote
 * @returns none where nothing is prepared, or by another version of the set-up: then it has to be done again
 */
export async function preparedMachines(file: URL = list): Promise<readonly Prepared[]> {
  return preparedFrom(await readFile(file, 'utf8').catch(() => ''))
}

/** @param text of such a list @returns none if it is not one */
export function preparedFrom(text: string): readonly Prepared[] {
  try {
    return listed.parse(JSON.parse(text)).machines
  } catch {
    return []
  }
}

/** The machine that boots. @param kernel its release; null for the newest @returns null if it is not among the machines */
export function chosenOf(machines: readonly Prepared[], kernel: string | null): Prepared | null {
  return (kernel === null ? machines[0] : machines.find(({ release }) => release === kernel)) ?? null
}

/** The releases of the machines, the default first. @returns none if the default is not among them */
export function releasesOf(machines: readonly Prepared[], kernel: string | null): string[] {
  const first = chosenOf(machines, kernel)
  return first === null ? [] : [...new Set([first, ...machines].map(({ release }) => release))]
}

/** The command that prepares a machine that {@link chosenOf} did not find. @param kernel its release; null for the newest */
export function packOf(kernel: string | null): string {
  return kernel === null ? PACK : `npm run kernel -- ${kernel}`
}

/**
 * @param kernel the release to boot; null for the newest
 * @throws LabError `testbed_unavailable` where it is not prepared
 */
export async function findPrepared(kernel: string | null): Promise<Prepared> {
  const chosen = chosenOf(await preparedMachines(), kernel)
  if (chosen !== null) return chosen
  const what = kernel === null ? 'has no kernel here' : `does not have the kernel ${kernel} here`
  throw new LabError('testbed_unavailable', `The counted machine ${what}.`, 'Get it, then try again.', {
    remedyCommand: packOf(kernel),
  })
}
