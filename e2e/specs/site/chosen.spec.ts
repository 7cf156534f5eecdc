/** A chosen dot in the static viewer: the page's link restores it. */
import type { Page } from 'puppeteer-core'
import { expect, test } from '../../support/built-site.ts'
import { textOf } from '../../support/drop.ts'

/** The choice in the list of repeats, and its values below. */
const shown = (tab: Page): Promise<{ repeat: string | undefined; dots: number; values: string | null | undefined }> =>
  tab.evaluate(() => {
    const list = [...document.querySelectorAll('select')].find(
      ({ labels }) => labels[0]?.textContent === 'Values of a single repeat',
    )
    return {
      repeat: list?.selectedOptions[0]?.text,
      dots: document.querySelectorAll('circle[data-chosen=true]').length,
      values: list?.closest('.row')?.nextElementSibling?.textContent,
    }
  })

/** Chooses the last dot of the charts: a new page with the same address shows it, too. */
async function chosenAndLinked(tab: Page): Promise<void> {
  await expect
    .poll(() => tab.evaluate(() => document.querySelectorAll('circle[data-chosen]').length))
    .toBeGreaterThan(9)
  await tab.evaluate(() => {
    const dots = document.querySelectorAll('circle[data-chosen]')
    dots[dots.length - 1]?.dispatchEvent(new MouseEvent('click', { bubbles: true }))
  })
  await expect.poll(() => tab.url()).toMatch(/[?&]dot=on\.\d+/)
  await expect.poll(async () => (await shown(tab)).dots).toBeGreaterThan(1)
  const chosen = await shown(tab)
  expect(chosen.repeat).toMatch(/, repeat \d+ of \d+$/)
  expect(chosen.values).toMatch(/\d TPS/)
  const other = await tab.browser().newPage()
  await other.goto(tab.url())
  await expect.poll(() => shown(other)).toEqual(chosen)
  expect(other.url()).toBe(tab.url())
  await other.close()
}

test('a link restores the dot of a step, with its time', async ({ tab, served }) => {
  const step = '#/labs/big-tcp-ipv6/sessions/s_bigtcpipv6/compare'
  await tab.goto(`${served.address}?recording=big-tcp-ipv6${step}`)
  await expect.poll(() => textOf(tab)).toContain('Step 11 of 12')
  // A later time than that of the result, which needs no place in the address.
  await tab.focus('input[type=range]')
  await tab.keyboard.press('End')
  await expect.poll(() => tab.url()).toContain('at=')
  await tab.goto(tab.url().replace(/#.*\?/, `${step}?`))
  await chosenAndLinked(tab)
  expect(tab.url()).toContain('at=')
})

test('a link restores the dot of a comparison', async ({ tab, served }) => {
  await tab.goto(`${served.address}?recording=big-tcp-ipv4&recording=big-tcp-ipv6`)
  await tab.locator('::-p-aria([name="Compare"][role="link"])').click()
  await chosenAndLinked(tab)
})
