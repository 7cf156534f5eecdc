/** Checks with axe, which takes some two seconds of a processor for a page. */
import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** The rules of axe that depend on colours: the others hold in a second theme if they hold in the first. */
export const colorRules = ['color-contrast', 'link-in-text-block']

/**
 * No rule of axe is broken.
 *
 * @param what the shown page, for the message
 * @param rules the rules to check, if not all
 */
export async function expectAccessible(page: Page, what: string, rules?: string[]): Promise<void> {
  // Legacy mode opens no second page to merge the results of frames from other origins: there are none.
  const axe = new AxeBuilder({ page }).setLegacyMode()
  const { violations } = await (rules === undefined ? axe : axe.withRules(rules)).analyze()
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join('\n')}`)
  expect(found, what).toEqual([])
}

async function settled(page: Page): Promise<void> {
  await expect(page.getByRole('status', { name: 'Connection' })).toHaveText('live')
  await page.waitForLoadState('networkidle')
  // On a busy machine the page's own part can need longer than the network is idle.
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
}

/** Both themes on a desktop, where most elements are shown; a phone once, because its layout is the same in both. */
const views = [
  { colorScheme: 'light', width: 1440, height: 900, rules: undefined },
  { colorScheme: 'dark', width: 1440, height: 900, rules: colorRules },
  { colorScheme: 'dark', width: 390, height: 844, rules: undefined },
] as const

/** Every page passes axe in both themes, and is no wider than its window, also on a phone. */
export async function expectAllAccessible(page: Page, addresses: readonly string[]): Promise<void> {
  for (const address of addresses) {
    await page.goto(address)
    await settled(page)
    for (const { colorScheme, width, height, rules } of views) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height })
      const scrolled = () => page.evaluate(() => document.documentElement.scrollWidth)
      await expect.poll(scrolled, { message: `${address} at ${width} px` }).toBeLessThanOrEqual(width)
      await expectAccessible(page, `${address} in ${colorScheme} at ${width} px`, rules)
    }
  }
}
