/** Files that a visitor of the static site drops on it. */
import type { Page } from 'puppeteer-core'

/** Drops a file anywhere on the page. */
export const drop = (tab: Page, text: string, name = 'dropped.jsonl'): Promise<void> =>
  tab.evaluate(
    (content, as) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([content], as))
      window.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
    },
    text,
    name,
  )

/** The text that the page shows: in a page of one file the scripts are text of its body, too. */
export const textOf = (tab: Page): Promise<string> =>
  tab.evaluate(() => document.getElementById('root')?.textContent ?? '')
