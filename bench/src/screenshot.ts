/**
 * `npm run screenshot [-- DIRECTORY]`: takes the README's pictures into docs/: the IPv4 lab, played back from the recording
 * that comes with the page, so that other work on this machine does not change its figures, and a workshop with people in
 * it. With a directory it walks the lab with real measurements, and takes every step and page there, in both themes and
 * widths, to be looked at, and the workshop's pictures.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { takeWorkshop } from './pictures/workshop.ts'
import { openApp } from './support/app.ts'
import { openBrowser } from './support/browser.ts'

const docs = join(import.meta.dirname, '../../docs')
const desk = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }
const [directory] = process.argv.slice(2)

async function settle(page: Page): Promise<void> {
  await page.getByRole('status', { name: 'Connection' }).getByText('live').waitFor()
  await page.waitForLoadState('networkidle')
}

async function takeAll(page: Page, into: string, addresses: ReadonlyMap<string, string>): Promise<void> {
  await mkdir(into, { recursive: true })
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const viewport of [desk, phone]) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize(viewport)
      for (const [name, address] of addresses) {
        await page.goto(address)
        await settle(page)
        await page.screenshot({ path: join(into, `${name}-${colorScheme}-${viewport.width}.png`), fullPage: true })
      }
    }
  }
}

const app = await openApp()
const browser = await openBrowser()
try {
  const plays = directory === undefined
  const session = await app.session('big-tcp-ipv4', plays ? 'recording:big-tcp-ipv4' : 'netns')
  await app.run(session, 'compare', { solve: true, params: plays ? { speed: 20 } : { repeats: 4, seconds: 2 } })
  const walk = `${app.origin}/labs/big-tcp-ipv4/sessions/${session}`
  const page = await browser.newPage({ viewport: desk })
  await page.goto(app.link)
  if (directory === undefined) {
    await page.goto(`${walk}/compare`)
    await settle(page)
    await page.screenshot({ path: join(docs, 'lab.png') })
  } else {
    const measured = (await app.runs(session)).filter((run) => run.repeats.length > 0).map((run) => run.id)
    const steps = ['why', 'preflight', 'deploy', 'read-switched', 'baseline', 'measure-on', 'compare', 'restore']
    await takeAll(
      page,
      directory,
      new Map([
        ['labs', `${app.origin}/`],
        ['history', `${app.origin}/history`],
        ['run', `${app.origin}/runs/${measured[0]}`],
        ['two-runs', `${app.origin}/compare?a=${measured[0]}&b=${measured[1]}`],
        ...steps.map((step): [string, string] => [step, `${walk}/${step}`]),
      ]),
    )
  }
  await takeWorkshop(browser, directory ?? docs)
} finally {
  await browser.close()
  await app.close()
}
