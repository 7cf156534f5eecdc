/** Reports and comparisons in the static viewer, and its pages for everybody. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'puppeteer-core'
import { expectSiteAccessible } from '../../support/accessible-site.ts'
import { expect, test } from '../../support/built-site.ts'
import { drop, textOf } from '../../support/drop.ts'

const golden = (name: string): Promise<string> =>
  readFile(join(import.meta.dirname, '../../../shared/test/golden', name), 'utf8')

async function expectText(tab: Page, text: string): Promise<void> {
  await expect.poll(() => textOf(tab)).toContain(text)
}

/** The addresses that the page itself leads to. */
const linksIn = (tab: Page): Promise<(string | null)[]> =>
  tab.evaluate(() => [...document.querySelectorAll('main a[href^="#"]')].map((link) => link.getAttribute('href')))

const TWO = '?recording=big-tcp-ipv4&recording=big-tcp-ipv6#/labs/big-tcp-ipv6/sessions/s_bigtcpipv6/compare'

test('a report shows its verdict and its run, and stays in the list of open files', async ({ tab, served }) => {
  await tab.goto(served.address)
  await expectText(tab, 'Open a file')
  await drop(tab, await golden('run.html'), 'run.html')
  await expectText(tab, 'This file is a report as HTML')
  await drop(tab, await golden('run.json'), 'run.json')
  await expectText(tab, 'big-tcp-ipv4: compare')
  await expectText(tab, '+187.1 %')
  await expectSiteAccessible(tab, 'a report')
  await tab.setViewport({ width: 1440, height: 900 })
  await tab.locator('table a[href^="#/runs/"]').click()
  await expectText(tab, 'packet size with BIG TCP')
  // A report has no session to go to.
  expect(await linksIn(tab)).toEqual([expect.stringMatching(/^#\/reports\/file-/)])
  await tab.locator('main a[href^="#/reports"]').click()
  await expectText(tab, '+187.1 %')
  await tab.locator('::-p-aria([name="Recordings"][role="link"])').click()
  await expectText(tab, 'Open now')
  await tab.reload()
  await expectText(tab, 'This link is to a recording in a file')
})

test('a report from an address and the same report from a file are one', async ({ tab, served, folder }) => {
  await writeFile(join(folder, 'run.json'), await golden('run.json'))
  const url = encodeURIComponent(`${served.address}run.json`)
  await tab.goto(`${served.address}?recording=${url}`)
  await expectText(tab, '+187.1 %')
  await tab.locator('::-p-aria([name="Recordings"][role="link"])').click()
  await expectText(tab, 'Open now')
  await drop(tab, await golden('run.json'), 'run.json')
  await expectText(tab, '+187.1 %')
  expect(tab.url()).toContain(`?recording=${url}#/reports/http`)
  await tab.locator('::-p-aria([name="Recordings"][role="link"])').click()
  await expectText(tab, 'Open now')
  expect(await tab.evaluate(() => document.querySelectorAll('[aria-labelledby=open-recordings] li').length)).toBe(1)
})

test('a run of a recording leads to the recordings, and to its lab', async ({ tab, served }) => {
  await tab.goto(`${served.address}${TWO}`)
  await tab.locator('::-p-aria([name="Compare"][role="link"])').click()
  await tab.locator('section[aria-label="After"] a').click()
  await expect.poll(() => linksIn(tab)).toEqual(['#/', '#/labs/big-tcp-ipv6/sessions/s_bigtcpipv6'])
  await tab.locator('dd a[href^="#"]').click()
  await expectText(tab, 'of 12')
})

test('the sides of a comparison are chosen among all measurements, and the address keeps them', async ({
  tab,
  served,
}) => {
  await tab.goto(`${served.address}${TWO}`)
  await tab.locator('::-p-aria([name="Compare"][role="link"])').click()
  await expectText(tab, 'Address family')
  const chosen = () =>
    tab.evaluate(() =>
      [...document.querySelectorAll<HTMLSelectElement>('section[aria-label] select')].map(
        (one) => one.selectedOptions[0]?.text ?? '',
      ),
    )
  await expect.poll(chosen).toHaveLength(2)
  const sides = await chosen()
  expect(sides.map((side) => /^.*(?=, \d+ )/.exec(side)?.[0])).toEqual([
    'BIG TCP over IPv4 – Measure again',
    'BIG TCP over IPv6 – Measure again',
  ])
  const baseline = await tab.evaluate(
    () =>
      [...document.querySelectorAll('option')].find(({ text }) => text.startsWith('BIG TCP over IPv6 – Baseline'))
        ?.value ?? '',
  )
  await tab.select('section[aria-label="Before"] select', baseline)
  await expect.poll(() => tab.url()).toContain(`a=${baseline}`)
  // Both sides are of the same recording: only the arm differs.
  await expect.poll(() => textOf(tab)).not.toContain('Address family')
  await tab.reload()
  await expect.poll(async () => (await chosen())[0]).toContain('BIG TCP over IPv6 – Baseline')
  await expectText(tab, 'Improved')
})

test('its pages pass axe in both themes', async ({ tab, served }) => {
  await tab.goto(served.address)
  await expectText(tab, 'BIG TCP over IPv6')
  await expectSiteAccessible(tab, 'the start page')
  await tab.setViewport({ width: 1440, height: 900 })
  await tab.goto(`${served.address}${TWO}`)
  await expectText(tab, 'Step 11 of 12')
  await expectText(tab, 'Improved')
  await expectSiteAccessible(tab, 'the axis of time')
  await tab.setViewport({ width: 1440, height: 900 })
  await tab.locator('::-p-aria([name="Compare"][role="link"])').click()
  await expectText(tab, 'Address family')
  await expectSiteAccessible(tab, 'the comparison')
})
