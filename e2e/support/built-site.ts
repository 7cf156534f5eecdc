/** The static site, built once for all tests of a browser. */
import { makeSite } from './site-folder.ts'
import { serve } from './static.ts'
import { test as base } from './visitor.ts'

interface Served {
  readonly address: string
  end(): Promise<void>
}

/** `test` with the folder of the site, and the site as a host serves it from a folder of its own. */
export const test = base.extend<{ served: Served }, { folder: string }>({
  folder: [
    async ({}, use) => {
      const { folder, remove } = await makeSite()
      await use(folder)
      await remove()
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
