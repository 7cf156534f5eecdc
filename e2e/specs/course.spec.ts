import { expect, test } from '@playwright/test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPlatform } from '@expresslane/shared/test/learning-platform'
import config from '../playwright.config.ts'
import { App } from '../support/app.ts'

const { launchOptions = {} } = config.use ?? {}
// The server makes its own certificate. Playwright's `ignoreHTTPSErrors` forgets WebSockets in a frame of another site.
test.use({ launchOptions: { ...launchOptions, args: [...(launchOptions.args ?? []), '--ignore-certificate-errors'] } })

test('a course of another site shows a lab in a frame, and the person is logged in there', async ({ page }) => {
  const folder = await mkdtemp(join(tmpdir(), 'expresslane-course-'))
  // Another site than the server's, which has an address.
  const platform = await startPlatform(folder, 'localhost')
  const app = await App.create()
  const tool = app.origin.replace('http:', 'https:')
  platform.meets(tool, Date.now)
  try {
    await app.start({
      EXPRESSLANE_WORKSHOP: '1',
      EXPRESSLANE_HTTPS: '1',
      EXPRESSLANE_LTI: platform.file,
      EXPRESSLANE_ORIGINS: tool,
      HOST: '127.0.0.1',
    })
    await page.goto(platform.course)
    const frame = page.frameLocator('iframe')
    await expect(frame.getByRole('heading', { level: 1, name: 'BIG TCP over IPv4' })).toBeVisible()
    await expect(frame.getByText('You are Ada')).toBeVisible()
    await expect(frame.getByRole('status', { name: 'Connection' })).toHaveText('live')
    await frame.getByRole('button', { name: 'Next' }).click()
    await frame.getByRole('button', { name: 'Run preflight' }).click()
    await expect(frame.getByRole('region', { name: 'Result' })).toContainText('Passed')

    // A site that the file does not name may show nothing.
    await page.goto('about:blank')
    await page.setContent(`<iframe src="${tool}/"></iframe>`)
    await expect.poll(() => page.frames().map((one) => one.url())).toContain('chrome-error://chromewebdata/')
  } finally {
    await app.remove()
    platform.close()
    await rm(folder, { recursive: true })
  }
})
