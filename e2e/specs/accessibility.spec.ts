import type { Page } from '@playwright/test'
import { runsResponse } from '@expresslane/shared/wire/protocol'
import { expect, test, type App } from '../support/app.ts'
import { LabPage } from '../support/lab-page.ts'
import { expectAccessible, playBack } from '../support/slides.ts'

/** A session that has been walked to its comparison, and addresses of every page. */
async function everyPage(page: Page, app: App): Promise<string[]> {
  const lab = await LabPage.start(page, app, 'BIG TCP over IPv4')
  await lab.goTo('Measure again')
  // Enough repeats for intervals, and for their marks.
  await lab.setRepeats(4, 1)
  await lab.press('Solve')
  await lab.expectPassed()
  await lab.goTo('Compare')
  await lab.press('Compare')
  await lab.expectPassed()
  const compare = lab.address
  const { runs } = runsResponse.parse(await app.get('/api/runs?measured=true'))
  const [on, off] = runs
  const measured = compare.replace(/[^/]+$/, 'measure-on')
  return [
    `${app.origin}/`,
    compare,
    measured,
    compare.replace(/[^/]+$/, 'read-off'),
    `${app.origin}/history`,
    `${app.origin}/runs/${on?.id}`,
    `${app.origin}/compare?a=${off?.id}&b=${on?.id}`,
    `${app.origin}/nowhere`,
  ]
}

/** The Bench page, a map and captured packets: each drawn from runs that were really made. */
async function everyResult(page: Page, app: App): Promise<string[]> {
  const packets = await LabPage.start(page, app, 'See the packets')
  await packets.goTo('IPv4 with BIG TCP')
  await packets.press('Solve')
  await packets.expectPassed()
  const captured = packets.address
  const sweep = await LabPage.start(page, app, 'How big is big enough?')
  await sweep.goTo('Sweep')
  await sweep.setRepeats(1, 1)
  await page.getByLabel('Warm-ups').fill('0')
  await sweep.press('Solve')
  await sweep.expectPassed(420_000)
  return [captured, sweep.address, `${app.origin}/bench`]
}

async function settled(page: Page): Promise<void> {
  await expect(page.getByRole('status', { name: 'Connection' })).toHaveText('live')
  await page.waitForLoadState('networkidle')
  // On a busy machine the page's own part can need longer than the network is idle.
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
}

/** The two themes on a desktop, where most elements are shown; a phone once, because its layout is the same in both themes. */
const views = [
  { colorScheme: 'light', width: 1440, height: 900 },
  { colorScheme: 'dark', width: 1440, height: 900 },
  { colorScheme: 'dark', width: 390, height: 844 },
] as const

async function expectAllAccessible(page: Page, addresses: readonly string[]): Promise<void> {
  for (const { colorScheme, width, height } of views) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height })
    for (const address of addresses) {
      await page.goto(address)
      await settled(page)
      await expectAccessible(page, `${address} in ${colorScheme} at ${width} px`)
      const scrolled = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(scrolled, `${address} at ${width} px`).toBeLessThanOrEqual(width)
    }
  }
}

test('every page passes axe in both themes, and fits a phone', async ({ page, app }) => {
  test.setTimeout(600_000)
  await expectAllAccessible(page, await everyPage(page, app))
})

test('so do the Bench page, a sweep and captured packets', async ({ page, app }) => {
  test.setTimeout(900_000)
  await expectAllAccessible(page, await everyResult(page, app))
})

test('so do tables, pages, addresses and packets that probes found', async ({ page, app }) => {
  test.setTimeout(600_000)
  const steps = ['names', 'ipv4-page']
  const address = await playBack(app, 'nat64', 'nat64', steps)
  await page.goto(app.link)
  for (const [step, kinds] of [
    ['names', ['table', 'address']],
    ['ipv4-page', ['page', 'packets']],
  ] as const) {
    await page.goto(`${address}/${step}`)
    const result = page.getByRole('region', { name: 'Result' })
    for (const kind of kinds) await expect(result.locator(`li[data-kind="${kind}"]`).first()).toBeVisible()
  }
  await expectAllAccessible(
    page,
    steps.map((step) => `${address}/${step}`),
  )
})
