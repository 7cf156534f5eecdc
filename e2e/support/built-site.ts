/** The static site, built once for all tests of a browser. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { serve } from './static.ts'
import { test as base } from './visitor.ts'

const run = promisify(execFile)
const builder = join(import.meta.dirname, '../../scripts/site/build.mjs')

interface Served {
  readonly address: string
  end(): Promise<void>
}

/** `test` with the folder of the site, and the site as a host serves it from a folder of its own. */
export const test = base.extend<{ served: Served }, { folder: string }>({
  folder: [
    async ({}, use) => {
      const made = await mkdtemp(join(tmpdir(), 'expresslane-site-'))
      const folder = join(made, 'site')
      const build = `const { buildSite } = await import(process.argv[1])
        await buildSite({ node: process.execPath, env: process.env }, process.argv[2])`
      await run(process.execPath, ['--input-type=module', '-e', build, builder, folder])
      await use(folder)
      await rm(made, { recursive: true })
    },
    { scope: 'worker' },
  ],
  served: async ({ folder }, use) => {
    const { address, end } = await serve(folder, '/some/folder/')
    let ended = false
    const endOnce = async (): Promise<void> => {
      if (!ended) await end()
      ended = true
    }
    await use({ address, end: endOnce })
    await endOnce()
  },
})

export { expect } from './visitor.ts'
