/** A person who has no mouse. */
import type { Locator, Page } from '@playwright/test'

/** More than any page has. */
export const MOST_TABS = 80

/** Tab until the focus is on this button of the step, or on this element, as a person would. */
export async function tabTo(page: Page, to: string | Locator): Promise<void> {
  const target = typeof to === 'string' ? page.getByRole('article').getByRole('button', { name: to, exact: true }) : to
  for (let pressed = 0; pressed < MOST_TABS; pressed += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`${typeof to === 'string' ? to : to.toString()} can't be reached with Tab`)
}

/** Opens the design of the step's experiment, and types these values into its fields. */
export async function typeDesign(page: Page, values: Readonly<Record<string, number>>): Promise<void> {
  await tabTo(page, page.getByRole('article').locator('summary', { hasText: 'Change' }))
  await page.keyboard.press('Enter')
  for (const [label, value] of Object.entries(values)) {
    await tabTo(page, page.getByLabel(label, { exact: true }))
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type(`${value}`)
  }
}
