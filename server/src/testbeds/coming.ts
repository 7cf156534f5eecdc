/** The tools that `npm start` still gets while the server runs (scripts/setup/coming.mjs). */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { z } from 'zod'

const written = z.object({ pid: z.string(), packages: z.string() })

const list = new URL('../../../.cache/coming.json', import.meta.url)

/** The remedy for a tool that the set-up is still getting. */
export const WAIT = {
  remedy: 'The set-up is getting it in the background. Check again in a moment.',
  remedyCommand: null,
  coming: true,
} as const

/**
 * @param name a Debian package, or `kernel` for that of the counted machine
 * @param file the list that the set-up keeps
 * @returns false if the set-up has ended
 */
export async function isComing(name: string, file: URL = list): Promise<boolean> {
  try {
    const { pid, packages } = written.parse(JSON.parse(await readFile(file, 'utf8')))
    return packages.split(' ').includes(name) && existsSync(`/proc/${pid}`)
  } catch {
    return false
  }
}
