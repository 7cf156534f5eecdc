/** Checks pages of the static site with axe. They are driven by Puppeteer, so axe comes as its script. */
import axe from 'axe-core'
import type { Page } from 'puppeteer-core'
import { colorRules } from './accessible.ts'
import { expect } from './visitor.ts'

/** Both themes on a desktop, and a phone once, as for the app's pages. */
const views = [
  { scheme: 'light', width: 1440, height: 900, rules: undefined },
  { scheme: 'dark', width: 1440, height: 900, rules: colorRules },
  { scheme: 'dark', width: 390, height: 844, rules: undefined },
] as const

/** The page as it is now passes axe in both themes, and is no wider than its window. @param what the page, for messages */
export async function expectSiteAccessible(tab: Page, what: string): Promise<void> {
  await tab.evaluate(axe.source)
  for (const { scheme, width, height, rules } of views) {
    await tab.setViewport({ width, height })
    const scrolled = () =>
      tab.evaluate((wanted) => {
        // As the switch of the page does.
        document.documentElement.dataset['colorScheme'] = wanted
        return document.documentElement.scrollWidth
      }, scheme)
    await expect.poll(scrolled, { message: `${what} at ${width} px` }).toBeLessThanOrEqual(width)
    const found = await tab.evaluate(async (values) => {
      const { axe: checker } = globalThis as unknown as { axe: typeof axe }
      const { violations } = await checker.run(document, values === null ? {} : { runOnly: { type: 'rule', values } })
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n')}`)
    }, rules ?? null)
    expect(found, `${what} in ${scheme} at ${width} px`).toEqual([])
  }
}
