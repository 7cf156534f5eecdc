/** The static site in a folder of its own, as `npm run site` builds it. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const builder = join(import.meta.dirname, '../../scripts/site/build.mjs')

/** @returns `remove` deletes it again */
export async function makeSite(): Promise<{ folder: string; remove: () => Promise<void> }> {
  const made = await mkdtemp(join(tmpdir(), 'expresslane-site-'))
  const folder = join(made, 'site')
  const build = `const { buildSite } = await import(process.argv[1])
    await buildSite({ node: process.execPath, env: process.env }, process.argv[2])`
  await run(process.execPath, ['--input-type=module', '-e', build, builder, folder])
  return { folder, remove: () => rm(made, { recursive: true }) }
}
