/** A workshop on a real cluster, which everybody shares. */
import type { Page } from '@playwright/test'
import { ciliumConfig, currentContext, expect, test } from '../../support/cluster.ts'
import { LabPage } from '../../support/lab-page.ts'

const lab = 'BIG TCP over IPv4'
/** The time limit of a whole lab on a cluster, in case something hangs. */
const HANG_MS = 200_000

async function begin(page: Page): Promise<LabPage> {
  await page.getByRole('button', { name: `Start: ${lab} on cluster ${await currentContext()}`, exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: lab })).toBeVisible()
  const walk = new LabPage(page)
  await walk.goTo('Preflight')
  return walk
}

/** The page's line about the driver. */
const wheel = (page: Page) => page.getByRole('status').filter({ hasText: /driv(es|ing) this cluster/ })

test('a person drives the cluster; other people ask, are let in or refused, and an instructor takes over', async ({
  workshop,
}) => {
  const ada = await workshop.join('Ada')
  const bob = await workshop.join('Bob')
  const adasLab = await begin(ada)
  const bobsLab = await begin(bob)
  await expect(wheel(ada)).toContainText('Nobody drives this cluster')

  await adasLab.press('Run preflight')
  await expect(wheel(ada)).toContainText('You have been driving this cluster since')
  await adasLab.expectPassed()

  // Bob's page may not have read yet that somebody drives: the server refuses his step with her name.
  await bobsLab.press('Run preflight')
  await expect(bob.getByText(/^Ada has been driving this cluster since .* UTC\.$/)).toBeVisible()
  await expect(wheel(bob)).toContainText('Ada has been driving this cluster since')

  await bob.getByRole('button', { name: 'Ask to take over' }).click()
  await expect(wheel(bob)).toContainText('You asked to drive')
  await expect(ada.getByText('Bob asks to drive cluster')).toBeVisible()
  await ada.getByRole('button', { name: 'Keep driving' }).click()
  await expect(bob.getByText('Ada still drives the cluster.')).toBeVisible()

  await bob.getByRole('button', { name: 'Ask to take over' }).click()
  await ada.getByRole('button', { name: 'Let them drive' }).click()
  await expect(bob.getByText('You drive the cluster now.')).toBeVisible()
  await expect(wheel(ada)).toContainText('Bob has been driving this cluster since')
  await bobsLab.press('Run preflight')
  await bobsLab.expectPassed()

  await workshop.board.goto(workshop.app.link)
  await workshop.board.getByRole('button', { name: 'Take over' }).click()
  await expect(wheel(workshop.board)).toContainText('You have been driving this cluster since')
  await expect(wheel(bob)).toContainText('Instructor has been driving this cluster since')
})

test('a rehearsal on the cluster reports what will work, and autopilot runs its steps', async ({ page, app }) => {
  test.setTimeout(2 * HANG_MS)
  const before = await ciliumConfig()
  await page.goto(app.link)
  await begin(page)
  await page.getByRole('link', { name: 'Present' }).click()
  await expect(page.locator('[data-stage]')).toBeVisible()
  const opening = page.context().waitForEvent('page')
  await page.keyboard.press('s')
  const speaker = await opening

  await speaker.getByRole('button', { name: 'Rehearse', exact: true }).click()
  await expect(speaker.getByRole('button', { name: 'Cancel the rehearsal' })).toBeVisible()
  const report = speaker.getByRole('region', { name: 'Rehearsal' })
  await expect(report.getByRole('button', { name: 'Rehearse again' })).toBeVisible({ timeout: HANG_MS })
  await expect(report).toContainText('steps work here')
  expect(await ciliumConfig()).toEqual(before)

  await speaker.getByLabel('Pauses').selectOption({ index: 0 })
  await speaker.getByRole('button', { name: 'Start autopilot' }).click()
  await expect(page.getByRole('heading', { level: 2, name: 'Read the sizes' })).toBeVisible({ timeout: HANG_MS })
  await speaker.getByRole('button', { name: 'Take over' }).click()
  await expect(speaker.getByRole('button', { name: 'Start autopilot' })).toBeVisible()
})
