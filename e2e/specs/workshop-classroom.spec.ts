import type { Page } from '@playwright/test'
import { LabPage, type LabTitle } from '../support/lab-page.ts'
import { colorRules, expectAccessible } from '../support/accessible.ts'
import { expect, test } from '../support/workshop.ts'

const lab: LabTitle = 'BIG TCP over IPv4'

/** Begins the lab on the participant's own testbed. */
async function begin(page: Page): Promise<LabPage> {
  await page.getByRole('button', { name: `Start: ${lab} on own testbed on this machine`, exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: lab })).toBeVisible()
  return new LabPage(page)
}

/** @param button `Measure` where all steps before are done */
async function measure(walk: LabPage, seconds: number, button: 'Solve' | 'Measure' = 'Solve'): Promise<void> {
  await walk.goTo('Baseline')
  await walk.setRepeats(1, seconds)
  await walk.press(button)
}

async function expectAccessibleInBothThemes(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expectAccessible(page, colorScheme, colorScheme === 'light' ? undefined : colorRules)
  }
}

/** How many pixels the page is wider than its window. */
function excess(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
}

test('a participant waits while another one measures, and each sees the place and the wait', async ({ workshop }) => {
  const { board } = workshop
  const ada = await begin(await workshop.join('Ada'))
  const bob = await begin(await workshop.join('Bob'))
  // Only the measurement is left to do. Solve joins the queue again for each step, so Bob could overtake Ada between two steps.
  for (const walk of [ada, bob]) {
    await walk.goTo('Read the sizes')
    await walk.press('Solve')
    await walk.expectPassed()
  }
  // Ada and Bob wait before either measures, however slow the machine is.
  await board.getByRole('button', { name: 'Pause' }).click()
  // Longer than this test takes, so that Ada measures until she cancels.
  await measure(ada, 120, 'Measure')
  await expect(board.getByRole('list', { name: 'Waiting' })).toContainText('Ada')
  await measure(bob, 1, 'Measure')
  await expect(board.getByRole('list', { name: 'Waiting' })).toContainText('Bob')
  await board.getByRole('button', { name: 'Resume' }).click()
  await expect(workshop.line('Ada').getByText('running')).toBeVisible()
  await expect(bob.progress).toContainText(/next in line/)
  await expect(workshop.line('Bob')).toContainText(/next in line, (about|a few)/)
  await expect(workshop.board.getByRole('list', { name: 'Waiting' })).toContainText('Bob')
  await ada.progress.getByRole('button', { name: 'Cancel' }).click()
  await expect(ada.result.getByText('Cancelled', { exact: true })).toBeVisible()
  await bob.expectPassed()
  await expect(workshop.board.getByText('Nobody is waiting.')).toBeVisible()
})

test('a paused queue starts nothing until it is resumed', async ({ workshop }) => {
  const { board } = workshop
  await board.getByRole('button', { name: 'Pause' }).click()
  await expect(board.getByRole('button', { name: 'Resume' })).toBeVisible()
  const ada = await begin(await workshop.join('Ada'))
  await measure(ada, 1)
  await expect(ada.progress).toContainText('The instructor paused the queue')
  await expect(board.getByRole('list', { name: 'Waiting' })).toContainText('Ada')
  await board.getByRole('button', { name: 'Resume' }).click()
  await ada.expectPassed()
})

test('the instructor unsticks, writes to and removes a participant', async ({ workshop }) => {
  const page = await workshop.join('Ada')
  const ada = await begin(page)
  await expect(workshop.line('Ada')).toContainText('2 of 12: Preflight')

  const help = await workshop.help('Ada')
  await help.getByLabel('Run their steps up to').selectOption({ label: '4: Deploy netperf' })
  await help.getByRole('button', { name: 'Unstick' }).click()
  await ada.goTo('Deploy netperf')
  await ada.expectPassed()

  await help.getByLabel('Message to Ada').fill('Look at the path now.')
  await help.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText('Look at the path now.')).toBeVisible()

  await help.getByRole('button', { name: 'Remove from the room' }).click()
  await help.getByRole('button', { name: 'Remove Ada' }).click()
  await expect(workshop.line('Ada')).toHaveCount(0)
  await expect(page.getByRole('status', { name: 'Connection' })).not.toHaveText('live')
  expect((await page.request.get(`${workshop.app.origin}/api/sessions`)).status()).toBe(401)

  await workshop.board.getByRole('link', { name: 'Audit log' }).click()
  const removal = workshop.board.getByRole('row').filter({ hasText: 'DELETE /api/room/participants/:id' })
  await expect(removal).toContainText('Instructor')
})

test('a reload and another device find the session again', async ({ workshop }) => {
  const page = await workshop.join('Ada')
  const walk = await begin(page)
  await walk.goTo('Preflight')
  await walk.press('Run preflight')
  await walk.expectPassed()
  await page.reload()
  await walk.expectPassed()

  await page.getByRole('button', { name: 'Use another device' }).click()
  const link = await page
    .getByRole('dialog')
    .getByText(/^https?:/)
    .innerText()
  const phone = await workshop.device()
  await phone.goto(link)
  await expect(phone.getByText('You are Ada')).toBeVisible()
  expect(new URL(phone.url()).pathname).toBe('/')
  await phone.getByRole('link', { name: `Continue: ${lab}` }).click()
  await expect(phone).toHaveURL(page.url().replace(/\/[^/]*$/, ''))
})

test('the board and a participant’s page are accessible, and no wider than a small phone', async ({ workshop }) => {
  const { board } = workshop
  const page = await workshop.join('Wolfeschlegelsteinhausenbergerdorff Hub.')
  await begin(page)
  await workshop.door('followers')
  await expectAccessibleInBothThemes(board)
  await expectAccessibleInBothThemes(page)
  const help = await workshop.help('Wolfeschlegelsteinhausenbergerdorff Hub.')
  await help.getByRole('button', { name: 'Remove from the room' }).click()
  await expectAccessibleInBothThemes(board)
  await board.setViewportSize({ width: 360, height: 740 })
  expect(await excess(board)).toBeLessThanOrEqual(0)
  await help.getByRole('button', { name: 'Keep' }).click()
  await help.getByRole('button', { name: 'Close' }).click()
  expect(await excess(board)).toBeLessThanOrEqual(0)
  await page.setViewportSize({ width: 360, height: 740 })
  expect(await excess(page)).toBeLessThanOrEqual(0)
  await board.getByRole('link', { name: 'Audit log' }).click()
  await expect(board.getByRole('table')).toBeVisible()
  expect(await excess(board)).toBeLessThanOrEqual(0)
  await expectAccessibleInBothThemes(board)
})
