/** The static viewer in each browser: from a folder of a web host, from the disk, and without a network. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'puppeteer-core'
import { expect, test } from '../../support/built-site.ts'
import { drop, textOf } from '../../support/drop.ts'

const NAME = 'big-tcp-ipv6'
const LAB = `#/labs/${NAME}/sessions/s_bigtcpipv6`

const timeOf = (tab: Page): Promise<string | undefined> =>
  tab.evaluate(() => document.querySelector<HTMLInputElement>('input[type=range]')?.value)

async function expectText(tab: Page, text: string): Promise<void> {
  await expect.poll(() => textOf(tab)).toContain(text)
}

/** The result of the recording: its verdict, with the path as it was then. */
async function expectResult(tab: Page): Promise<void> {
  await expectText(tab, 'Improved')
  await expectText(tab, 'Step 11 of 12')
  expect(await textOf(tab)).toContain('The path, as recorded')
}

/** The status of a fetch by the page, or null if the browser does not allow it. */
const fetched = (tab: Page, url: string): Promise<number | null> =>
  tab.evaluate(async (asked) => {
    try {
      return (await fetch(asked)).status
    } catch {
      return null
    }
  }, url)

test('opens a shipped recording from a folder of a host, and connects to nothing', async ({ tab, served }) => {
  await tab.goto(served.address)
  await expectText(tab, 'See how it was measured')
  await tab.locator('::-p-aria([name="Open: BIG TCP over IPv6"][role="button"])').click()
  await expectResult(tab)
  expect(tab.url()).toContain(`?recording=${NAME}${LAB}/compare`)
  expect(await fetched(tab, `${served.address}boot.js`)).toBeNull()
})

test('a link restores the step and the time, and a search leads to another time', async ({ tab, served }) => {
  await tab.goto(`${served.address}?recording=${NAME}${LAB}/baseline?at=6000`)
  await expectText(tab, 'Step 6 of 12')
  await expect.poll(() => timeOf(tab)).toBe('6000')
  await expectText(tab, 'Measuring')
  await tab.locator('::-p-aria([name="Search in the output"][role="button"])').click()
  await tab.locator('::-p-aria([name="Text in the output"])').fill('Netperf version')
  await tab.locator('ol button').click()
  await expectText(tab, 'Step 2 of 12')
  expect(Number(await timeOf(tab))).toBeLessThan(1_000)
})

test('two recordings are compared, with what differs, and each stays at its time', async ({ tab, served }) => {
  await tab.goto(`${served.address}?recording=big-tcp-ipv4&recording=${NAME}${LAB}/baseline?at=6000`)
  await expectText(tab, 'Step 6 of 12')
  await tab.locator('::-p-aria([name="Compare"][role="link"])').click()
  await expectText(tab, 'The two sides were measured under different conditions')
  await expectText(tab, 'Address family')
  await tab.goBack()
  await expectText(tab, 'Step 6 of 12')
  await expect.poll(() => timeOf(tab)).toBe('6000')
  await expectText(tab, 'Measuring')
})

test('a recording at an address is loaded, and nothing else can be', async ({ tab, served }) => {
  const url = `${served.address}nothing.jsonl`
  await tab.goto(`${served.address}?recording=${encodeURIComponent(url)}`)
  await expectText(tab, 'status 404')
  expect(await fetched(tab, url)).toBe(404)
  expect(await fetched(tab, `${served.address}boot.js`)).toBeNull()
})

test('a file that is no recording gets a sentence with its line', async ({ tab, served }) => {
  await tab.goto(served.address)
  await expectText(tab, 'Open a file')
  await drop(tab, '{"format":')
  await expectText(tab, 'Line 1 of this file is not valid JSON')
  await drop(tab, '['.repeat(200_000))
  await expectText(tab, 'Code recording_invalid')
})

test('a long output stands at its latest line', async ({ tab, served }) => {
  await tab.goto(`${served.address}?recording=pod-devices`)
  await expectText(tab, 'netperf')
  const toEnd = (): Promise<number | null> =>
    tab.evaluate(() => {
      const log = document.querySelector('[role=log]')
      if (log === null || log.scrollTop === 0) return null
      return Math.round(log.scrollHeight - log.scrollTop - log.clientHeight)
    })
  // Less than half a line: the groups of lines have a guessed height until they are drawn.
  await expect.poll(toEnd).toBeLessThan(10)
  await tab.evaluate(() => document.querySelector('[role=log]')?.scrollIntoView())
  await expect.poll(toEnd).toBeLessThan(10)
  expect(await textOf(tab)).not.toContain('Go to the latest line')
})

test('opens from the disk', async ({ tab, folder }) => {
  await tab.goto(`${pathToFileURL(join(folder, 'index.html')).href}?recording=${NAME}`)
  await expectResult(tab)
})

test('opens without a network after the first visit', async ({ tab, served }) => {
  await tab.goto(`${served.address}?recording=${NAME}`)
  await expectResult(tab)
  // It has its files when it is active, and answers from the next visit on.
  await tab.evaluate(async () => {
    await navigator.serviceWorker.ready
  })
  await tab.reload()
  await expectResult(tab)
  await served.end()
  await tab.reload()
  await expectResult(tab)
})
