/** The list of tools that are still being fetched while the server runs, which says so (server/src/testbeds/coming.ts). */
import { join } from 'node:path'
import { cache } from '../base/paths.mjs'
import { removeStamp, writeStamp } from './stamp.mjs'

const file = join(cache, 'coming.json')

/**
 * @param {readonly string[]} packages
 * @param {() => Promise<void>} work that gets them
 * @returns {() => Promise<void>} the work, at whose end the list goes
 */
export function announced(packages, work) {
  if (packages.length === 0) return work
  writeStamp(file, { pid: String(process.pid), packages: packages.join(' ') })
  return () => work().finally(() => removeStamp(file))
}
