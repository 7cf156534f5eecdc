import { expect, test } from '../support/app.ts'
import { LabPage } from '../support/lab-page.ts'

test('without the token the page explains itself, and the token lets in', async ({ page, app }) => {
  await page.goto(app.origin)
  await expect(page.getByText(/npm start/).first()).toBeVisible()
  await page.goto(app.link)
  await expect(page.getByRole('button', { name: 'Start: BIG TCP over IPv4' })).toBeVisible()
})

test('another tab and another day find the walk where it was', async ({ page, app, context }) => {
  const lab = await LabPage.start(page, app, 'BIG TCP over IPv4')
  await lab.next('Preflight')
  await lab.press('Run preflight')
  await lab.expectPassed()
  await app.end('SIGTERM')
  await app.start()
  const other = await context.newPage()
  await other.goto(app.origin)
  await other.getByRole('link', { name: 'Continue: BIG TCP over IPv4' }).click()
  await new LabPage(other).expectStep('Verify that BIG TCP is off')
})

test('reset asks first, then begins again and keeps the history', async ({ page, app }) => {
  const lab = await LabPage.start(page, app, 'BIG TCP over IPv6')
  await lab.goTo('Switch BIG TCP on')
  await lab.goTo('Deploy netperf')
  await lab.press('Solve')
  await lab.expectPassed()
  await page.getByRole('button', { name: 'Reset', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Reset the lab' }).click()
  await lab.expectStep('Why bigger packets?')
  await lab.goTo('Deploy netperf')
  await expect(lab.result).toHaveCount(0)
  await page.getByRole('link', { name: 'History' }).click()
  await expect(page.getByRole('row').filter({ hasText: 'Deploy netperf' }).first()).toBeVisible()
})
