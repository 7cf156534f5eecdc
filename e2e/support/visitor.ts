/**
 * A visitor of the static site, with Chromium or Firefox as the project says. Puppeteer drives both: Playwright needs a
 * newer Firefox than Debian's ESR (https://github.com/microsoft/playwright/pull/38038).
 */
import { test as base } from '@playwright/test'
import { launch, type Browser, type Page } from 'puppeteer-core'

interface LaunchOptions {
  readonly executablePath?: string
  readonly args?: string[]
}

/** Starts a browser. @throws Error if it is not here */
export function openVisitor(browserName: string, { executablePath, args = [] }: LaunchOptions = {}): Promise<Browser> {
  const firefox = browserName === 'firefox'
  if (executablePath === undefined) {
    const name = firefox ? 'firefox-esr' : 'chromium'
    throw new Error(`There is no ${name} in the PATH. Install it, or run \`npm test\`, which brings it on Debian.`)
  }
  return launch({
    browser: firefox ? 'firefox' : 'chrome',
    executablePath,
    args,
    // As people have it. Puppeteer turns it off, and then a page of file:// may read its neighbours.
    ...(firefox && { extraPrefsFirefox: { 'security.fileuri.strict_origin_policy': true } }),
  })
}

/** `test` with a tab in a browser whose storage is empty. */
export const test = base.extend<{ tab: Page }, { visitor: Browser }>({
  visitor: [
    async ({ browserName, launchOptions }, use) => {
      const visitor = await openVisitor(browserName, launchOptions)
      await use(visitor)
      await visitor.close()
    },
    { scope: 'worker' },
  ],
  tab: async ({ visitor, viewport }, use, info) => {
    const context = await visitor.createBrowserContext()
    const tab = await context.newPage()
    await tab.setViewport(viewport)
    await use(tab)
    if (info.status !== info.expectedStatus) {
      await info.attach('screenshot', { body: Buffer.from(await tab.screenshot()), contentType: 'image/png' })
    }
    await context.close()
  },
})

export { expect } from '@playwright/test'
