/** The page in German: as the browser asks for it, until another language is chosen. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { z } from 'zod'
import { expect, test } from '../support/app.ts'
import { expectAccessible } from '../support/accessible.ts'
import { playBack } from '../support/slides.ts'

const file = join(import.meta.dirname, '../../web/languages/de.json')
const german = z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(file, 'utf8')))

/** The visible texts of the page that are texts of the catalogue in English. */
async function leftInEnglish(page: Page): Promise<string[]> {
  // A recording has the words that were recorded.
  const texts = await page.evaluate(() => {
    const found: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode() !== null) {
      const element = walker.currentNode.parentElement
      if (element?.checkVisibility() === true && element.closest('figure, [aria-label="Aufzeichnungen"]') === null)
        found.push(walker.currentNode.textContent?.trim() ?? '')
    }
    return found
  })
  return texts.filter((text) => (german[text] ?? text) !== text)
}

test.use({ locale: 'de-DE' })

test('a German browser gets the page, the labs and the figures in German, until English is chosen', async ({
  page,
  app,
}) => {
  const heading = page.getByRole('heading', { level: 1 })
  await page.goto(app.link)
  await expect(heading).toHaveText('Benchmark-Labs auf einem echten Datenpfad')
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  await expect(page.getByRole('heading', { level: 3, name: 'BIG TCP über IPv4' })).toBeVisible()
  expect(await leftInEnglish(page)).toEqual([])
  await expectAccessible(page, 'the start page in German')

  const address = await playBack(app, 'big-tcp-ipv4', 'big-tcp-ipv4', [])
  await page.goto(`${address}/compare`)
  await page.getByLabel('Geschwindigkeit').selectOption('20')
  await page.getByRole('button', { name: 'Lösen' }).click()
  const verdict = page.getByRole('group', { name: 'Urteil' })
  await expect(verdict).toContainText('Besser')
  await expect(verdict).toContainText(/\+\d+,\d %/)
  await expect(verdict).toContainText('95-%-Intervall')
  await expect(page.getByText(/^Ohne BIG TCP: [\d.]+ TPS\. Mit BIG TCP: [\d.]+ TPS\./)).toBeVisible()
  expect(await leftInEnglish(page)).toEqual([])
  for (const room of ['/bench', '/history', '/found']) {
    await page.goto(`${app.origin}${room}`)
    await expect(heading).toBeVisible()
    expect(await leftInEnglish(page), room).toEqual([])
  }

  await page.goto(app.origin)
  await page.getByLabel('Sprache').selectOption('English')
  await expect(heading).toHaveText('Benchmark labs on a real datapath')
  await page.reload()
  await expect(heading).toHaveText('Benchmark labs on a real datapath')
  await expect(page.getByRole('heading', { level: 3, name: 'BIG TCP over IPv4' })).toBeVisible()
})
