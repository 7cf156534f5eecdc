import { profilesResponse } from '@expresslane/shared/wire/profiles'
import { runsResponse } from '@expresslane/shared/wire/protocol'
import type { Page } from '@playwright/test'
import { expect, test, type App } from '../support/app.ts'

async function openBench(page: Page, app: App): Promise<void> {
  await page.goto(app.link)
  await page.getByRole('link', { name: 'Bench' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Bench' })).toBeVisible()
  // The page waits for the testbed's abilities before it offers to run.
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeEnabled()
}

async function setDesign(page: Page, repeats: number, seconds: number): Promise<void> {
  await page.getByLabel('Repeats').fill(`${repeats}`)
  await page.getByLabel('Seconds each').fill(`${seconds}`)
}

test('a quick A/B: chosen, run, and its verdict shown, also after a reload', async ({ page, app }) => {
  await openBench(page, app)
  await setDesign(page, 4, 1)
  await expect(page.getByText(/^10 measurements of 1 s, about/)).toBeVisible()
  await page.getByRole('button', { name: 'Run', exact: true }).press('Enter')
  const result = page.getByRole('region', { name: 'Result' })
  await expect(result.getByRole('region', { name: 'Measurements by arm and benchmark' })).toBeVisible()
  await expect(result.getByText('passed', { exact: true })).toBeVisible({ timeout: 240_000 })
  const verdict = result.getByText(/^(Improved|Worse|No difference seen)$/).first()
  await expect(verdict).toBeVisible()
  await expect(result.getByText('8 measurements, 2 warm-ups')).toBeVisible()
  const table = result.getByRole('region', { name: 'Comparison' })
  const packets = table.getByRole('row').filter({ hasText: 'Packets per request' }).getByRole('cell')
  expect(Math.round(Number(await packets.nth(0).innerText()))).toBe(2)
  expect(Math.round(Number(await packets.nth(1).innerText()))).toBe(1)
  const text = await verdict.innerText()
  await page.reload()
  await expect(result.getByText(text, { exact: true }).first()).toBeVisible()
  await expect(page.getByLabel('Repeats')).toHaveValue('4')
})

test('a plan is saved, loaded in another browser, and deleted', async ({ page, app, browser }) => {
  await openBench(page, app)
  await page.getByLabel('Request sizes').fill('1, 16k')
  await page.getByRole('checkbox', { name: 'IPv6' }).check()
  await page.getByText('Save this plan').click()
  await page.getByLabel('Name of the plan').fill('From the third row')
  await page.getByLabel('Name of the plan').press('Enter')
  await expect(page.getByText('Saved as “From the third row”.')).toBeVisible()
  const other = await (await browser.newContext()).newPage()
  await openBench(other, app)
  await other.getByLabel('Start from').selectOption('From the third row')
  await expect(other.getByLabel('Request sizes')).toHaveValue('1, 16k')
  await expect(other.getByRole('checkbox', { name: 'IPv6' })).toBeChecked()
  await page.getByRole('button', { name: 'Delete “From the third row”' }).click()
  await expect(page.getByLabel('Start from').getByRole('option', { name: 'From the third row' })).toHaveCount(0)
  expect(profilesResponse.parse(await app.get('/api/profiles')).profiles).toEqual([])
})

test('errors in the form appear while typing', async ({ page, app }) => {
  await openBench(page, app)
  const run = page.getByRole('button', { name: 'Run', exact: true })
  await page.getByLabel('Request sizes').fill('80x')
  await expect(page.getByText('“80x” is not a size.')).toBeVisible()
  await expect(run).toBeDisabled()
  await page.getByLabel('Request sizes').fill('80k')
  await expect(run).toBeEnabled()
  await page
    .getByRole('group', { name: /^Arm 2/ })
    .getByLabel('Send limit')
    .fill('9M')
  await expect(page.getByText('“9M” is not a limit.')).toBeVisible()
  await expect(run).toBeDisabled()
})

test('cancel stops a run and restores the path; a second page shows that the testbed is in use', async ({
  page,
  app,
  context,
}) => {
  await openBench(page, app)
  await setDesign(page, 2, 60)
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  const result = page.getByRole('region', { name: 'Result' })
  await expect(result.getByText(/TPS$/).first()).toBeVisible()
  const other = await context.newPage()
  await other.goto(`${app.origin}/bench`)
  await expect(other.getByText('The testbed is in use')).toBeVisible()
  await expect(other.getByRole('button', { name: 'Run', exact: true })).toBeEnabled()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(result.getByText('Cancelled', { exact: true })).toBeVisible()
  await expect(other.getByText('The testbed is in use')).toBeHidden()
  await expect(other.getByRole('button', { name: 'Run', exact: true })).toBeEnabled()
  const { runs } = runsResponse.parse(await app.get('/api/runs?limit=1'))
  expect(runs[0]?.state).toBe('cancelled')
})
