/** A person who has no mouse. */
import type { Page } from '@playwright/test'

/** More than any page has. */
export const MOST_TABS = 80

/** Tab until the focus is on what has this name, as a person would. */
export async function tabTo(page: Page, name: string): Promise<void> {
  const target = page.getByRole('article').getByRole('button', { name, exact: true })
  for (let pressed = 0; pressed < MOST_TABS; pressed += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`${name} can't be reached with Tab`)
}
