import { expect, test } from '../support/app.ts'
import { expectAccessible } from '../support/accessible.ts'
import { LabPage } from '../support/lab-page.ts'
import { playBack } from '../support/slides.ts'

test('a guess, its verdict, the summary, the palette and the history', async ({ page, app }) => {
  await page.goto(app.link)
  const address = await playBack(app, 'big-tcp-ipv4', 'big-tcp-ipv4', [])
  await page.goto(`${address}/baseline`)
  const lab = new LabPage(page)
  const guess = page.getByRole('region', { name: /^Guess first: 80 kB requests over IPv4/ })
  await guess.getByRole('button', { name: 'Faster' }).click()
  await expect(guess).toContainText('You guessed: faster.')

  await lab.goTo('Compare')
  await page.getByLabel('Speed').selectOption('20')
  await lab.press('Solve')
  await lab.expectPassed()
  await expect(page.getByText(/^You guessed: faster\. Measured: \d.* % (faster|slower)\.$/)).toBeVisible()
  await lab.goTo('Baseline')
  await expect(guess).toHaveCount(0)

  await page.getByRole('link', { name: 'Summary', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'What you found out' })).toBeVisible()
  await expect(page.getByRole('group', { name: 'Verdict' })).toContainText('95 % interval')
  await expect(page.getByText(/^Isovalent/).first()).toBeVisible()
  await expect(page.getByRole('region', { name: 'On your cluster' })).toContainText('enableIPv4BIGTCP')
  await expect(page.getByRole('link', { name: /^Next lab: / })).toBeVisible()

  await page.keyboard.press('ControlOrMeta+k')
  const search = page.getByRole('combobox', { name: /^Lab, step/ })
  await expect(search).toBeFocused()
  await expectAccessible(page, 'the palette')
  await page.keyboard.type('baseline')
  await expect(page.getByRole('option', { selected: true })).toContainText('Baseline')
  await page.keyboard.press('Escape')
  await expect(search).toHaveCount(0)
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('history')
  await page.keyboard.press('Enter')

  await expect(page.getByText('No runs yet')).toBeVisible()
  await page.getByRole('checkbox', { name: 'Show playbacks' }).check()
  const head = page.getByRole('rowheader').filter({ has: page.getByRole('link', { name: 'BIG TCP over IPv4' }) })
  await expect(head).toHaveCount(1)
  await expect(head).toContainText(/recording.*% (faster|slower)/)

  // Nothing was measured here.
  await page.getByRole('link', { name: 'What you found out on this machine' }).click()
  await expect(page.getByText('No lab has a verdict yet')).toBeVisible()
})

test('the tour plays the recording of a lab, and is offered once', async ({ page, app }) => {
  await page.goto(app.link)
  const offer = page.getByRole('region', { name: 'New here?' })
  await offer.getByRole('button', { name: 'Watch how a lab works (60 s)' }).click()
  const tour = page.getByRole('complementary', { name: 'Tour' })
  await expect(tour).toContainText('1 of 3')
  await tour.getByRole('button', { name: 'See it measure' }).click()
  await expect(tour).toContainText('2 of 3')
  // The page follows the step that plays.
  await expect(page.getByRole('heading', { level: 2, name: 'Baseline' })).toBeVisible()
  await expect(page.getByRole('complementary', { name: 'A recording' })).toContainText('Nothing is measured now')
  await expectAccessible(page, 'the tour')
  await tour.getByRole('link', { name: 'End the tour' }).click()
  await expect(page.getByRole('radio', { name: 'A recording' })).toBeVisible()
  await expect(offer).toHaveCount(0)
})
