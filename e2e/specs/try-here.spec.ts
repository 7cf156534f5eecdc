import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { App, expect, test } from '../support/app.ts'
import { makeSite } from '../support/site-folder.ts'

/** An emulator takes several times longer on a busy machine. */
const PATIENCE = { timeout: 300_000 }

test('where nothing can run, the start page leads to the experiment in the browser’s tab', async ({ page }) => {
  // It builds the site, too.
  test.slow()
  const { folder, remove } = await makeSite()
  const noTools = await mkdtemp(join(tmpdir(), 'expresslane-tools-'))
  const app = await App.create()
  try {
    test.skip(!existsSync(join(folder, 'machine')), 'the computer is not built: npm run site -- --machine')
    await app.start({ PATH: noTools, EXPRESSLANE_SITE: folder })
    await page.goto(app.link)
    const card = page.getByRole('region', { name: 'Try it here' })
    await card.getByRole('link', { name: 'Go to the emulated computer' }).click()

    await expect(page.getByRole('heading', { name: 'See how it was measured' })).toBeVisible()
    await card.getByRole('button', { name: 'BIG TCP over IPv4' }).click()
    await expect(page.getByText('Step 1 of 12')).toBeVisible(PATIENCE)
    // The page's policy lets the computer run, and its worker fetch it.
    await page.goto(page.url().replace(/(sessions\/[^/]+).*/, '$1/preflight'))
    await page.getByRole('button', { name: 'Run preflight' }).click()
    await expect(page.getByText('The lab can run here')).toBeVisible(PATIENCE)

    // The site's service worker keeps the site's files alone.
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready
    })
    await page.goto(`${app.origin}/`)
    await expect(page.getByRole('heading', { name: 'Benchmark labs on a real datapath' })).toBeVisible()
    expect(await page.evaluate(() => navigator.serviceWorker.controller)).toBeNull()
    const kept = await page.evaluate(async () => {
      const caches = await Promise.all((await globalThis.caches.keys()).map((name) => globalThis.caches.open(name)))
      const requests = await Promise.all(caches.map((cache) => cache.keys()))
      return requests.flat().map(({ url }) => new URL(url).pathname)
    })
    expect(kept).toContain('/site/boot.js')
    expect(kept.filter((path) => !path.startsWith('/site/'))).toEqual([])
  } finally {
    await app.remove()
    await remove()
    await rm(noTools, { recursive: true })
  }
})
