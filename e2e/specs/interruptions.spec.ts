import { runsResponse } from '@expresslane/shared/wire/protocol'
import type { Page } from '@playwright/test'
import { expect, test } from '../support/app.ts'
import { LabPage } from '../support/lab-page.ts'

/** A walk up to the baseline, whose measurement is under way and has shown its first sample. */
async function measuring(lab: LabPage, repeats: number, seconds: number): Promise<void> {
  await lab.goTo('Read the sizes')
  await lab.press('Solve')
  await lab.expectPassed()
  await lab.goTo('Baseline')
  await lab.setRepeats(repeats, seconds)
  await lab.press('Measure')
  await expect(lab.result.getByRole('img', { name: /running: about [\d,]+ TPS/ })).toBeVisible()
}

test('a reload in the middle of a measurement loses nothing', async ({ page, app }) => {
  const lab = await LabPage.start(page, app, 'BIG TCP over IPv4')
  await measuring(lab, 2, 10)
  await page.reload()
  await lab.expectStep('Baseline')
  await expect(lab.progress.getByRole('button', { name: 'Cancel' })).toBeVisible()
  await lab.expectPassed()
  expect(Math.round(Number(await lab.seen('data packets per request')))).toBe(2)
})

test('cancel stops the measurement, says so, and the testbed stays usable', async ({ page, app }) => {
  const lab = await LabPage.start(page, app, 'BIG TCP over IPv6')
  await measuring(lab, 1, 60)
  await lab.progress.getByRole('button', { name: 'Cancel' }).click()
  await expect(lab.result.getByText('Cancelled', { exact: true })).toBeVisible()
  const { runs } = runsResponse.parse(await app.get('/api/runs?limit=1'))
  expect(runs[0]?.state).toBe('cancelled')
  await lab.setRepeats(1, 1)
  await lab.press('Measure')
  await lab.expectPassed()
})

/** Holds each page's next request to run something until both have sent theirs. */
async function atOnce(pages: readonly Page[]): Promise<void> {
  let arrived = 0
  const all = Promise.withResolvers<void>()
  for (const page of pages) {
    await page.route('**/run', async (route) => {
      arrived += 1
      if (arrived === pages.length) all.resolve()
      await all.promise
      await route.continue()
    })
  }
}

async function expectOneTold(tabs: readonly LabPage[], words: string): Promise<void> {
  const shown = async (): Promise<boolean[]> => Promise.all(tabs.map((tab) => tab.page.getByText(words).isVisible()))
  await expect.poll(async () => (await shown()).filter(Boolean).length).toBe(1)
}

test('two tabs of one session press Solve at once: it runs once, and both show it', async ({ page, app, context }) => {
  const first = await LabPage.start(page, app, 'BIG TCP over IPv4')
  await first.goTo('Baseline')
  const other = await context.newPage()
  await other.goto(first.address)
  const second = new LabPage(other)
  await second.expectStep('Baseline')
  for (const tab of [first, second]) await tab.setRepeats(1, 3)
  await atOnce([page, other])
  await Promise.all([first.press('Solve'), second.press('Solve')])
  await Promise.all([first.expectPassed(), second.expectPassed()])
  const { runs } = runsResponse.parse(await app.get('/api/runs?measured=true'))
  expect(runs).toHaveLength(1)
})

test('two sessions press Solve at once: one runs, the other waits in the queue', async ({ page, app, context }) => {
  const first = await LabPage.start(page, app, 'BIG TCP over IPv4')
  const other = await context.newPage()
  const second = await LabPage.start(other, app, 'BIG TCP over IPv6')
  for (const tab of [first, second]) {
    await tab.goTo('Baseline')
    await tab.setRepeats(1, 60)
  }
  await atOnce([page, other])
  await Promise.all([first.press('Solve'), second.press('Solve')])
  await expectOneTold([first, second], 'Waiting, next in line')
  const { runs } = runsResponse.parse(await app.get('/api/runs?state=running'))
  expect(runs).toHaveLength(1)
})

test('a server killed during a run and started again: the run is interrupted and the walk continues', async ({
  page,
  app,
}) => {
  const lab = await LabPage.start(page, app, 'BIG TCP over IPv4')
  await measuring(lab, 1, 60)
  await app.end('SIGKILL')
  const badge = page.getByRole('status', { name: 'Connection' })
  await expect(badge).not.toHaveText('live')
  await app.start()
  await expect(badge).toHaveText('live', { timeout: 90_000 })
  await expect(lab.result.getByText('Interrupted', { exact: true })).toBeVisible()
  await lab.setRepeats(1, 1)
  await lab.press('Measure')
  await expect(page.getByText('This testbed has no pods.')).toBeVisible()
  await lab.press('Solve')
  await lab.expectPassed()
})
