import type { Page } from '@playwright/test'
import { runsResponse } from '@expresslane/shared/wire/protocol'
import { expect, test, type App } from '../support/app.ts'
import { LabPage } from '../support/lab-page.ts'
import { expectAllAccessible } from '../support/accessible.ts'
import { playBack } from '../support/slides.ts'

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
    `${app.origin}/bench`,
    `${app.origin}/history`,
    `${app.origin}/found`,
    compare.replace(/[^/]+$/, 'summary'),
    `${app.origin}/runs/${on?.id}`,
    `${app.origin}/compare?a=${off?.id}&b=${on?.id}`,
    `${app.origin}/nowhere`,
  ]
}

test('every page passes axe in both themes, and fits a phone', async ({ page, app }) => {
  test.setTimeout(600_000)
  await expectAllAccessible(page, await everyPage(page, app))
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
