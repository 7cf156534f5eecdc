import { readFile } from 'node:fs/promises'
import { formatRecording, parseRecording } from '@expresslane/shared/recordings/recording'
import type { Page } from '@playwright/test'
import { expect, test, type App } from '../support/app.ts'
import { LabPage } from '../support/lab-page.ts'
import { shipped } from '../support/shipped.ts'

const says = (page: Page) => page.getByRole('complementary', { name: 'A recording' })
const card = (page: Page) => page.getByRole('article', { name: 'Recordings' })

/** Drops a file onto the page with the events of a browser. */
async function drop(page: Page, name: string, text: string): Promise<void> {
  await expect(card(page).getByRole('button', { name: 'Import a recording' })).toBeVisible()
  const transfer = await page.evaluateHandle(
    ({ file, content }) => {
      const carried = new DataTransfer()
      carried.items.add(new File([content], file, { type: 'application/json' }))
      return carried
    },
    { file: name, content: text },
  )
  await page.dispatchEvent('h1', 'dragenter', { dataTransfer: transfer })
  await expect(page.getByText('Drop the recording to import it')).toBeVisible()
  await page.dispatchEvent('h1', 'drop', { dataTransfer: transfer })
  await expect(page.getByText('Drop the recording to import it')).toBeHidden()
}

async function chooseShipped(page: Page, app: App): Promise<LabPage> {
  await page.goto(app.link)
  await card(page).getByRole('button', { name: 'Choose: BIG TCP over IPv4' }).click()
  await card(page).getByRole('button', { name: 'Play back: BIG TCP over IPv4' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'BIG TCP over IPv4' })).toBeVisible()
  return new LabPage(page)
}

/** No text of the verdict's box leaves it, at any width and with the longest words. */
async function expectVerdictHolds(page: Page): Promise<void> {
  const box = page.getByRole('group', { name: 'Verdict' })
  await box.getByText('TPS', { exact: true }).evaluate((unit) => {
    unit.textContent = 'retransmitted segments per gigabit'
  })
  for (const width of [1440, 1280, 1024, 390]) {
    await page.setViewportSize({ width, height: 900 })
    const over = await box.evaluate((element) => {
      const right = element.getBoundingClientRect().right
      const texts = [...element.querySelectorAll('*')]
      return texts.map((one) => one.getBoundingClientRect().right - right).filter((past) => past > 0)
    })
    expect(over, `at ${width} px`).toEqual([])
  }
  await page.setViewportSize({ width: 1440, height: 900 })
}

test('a recording that came with Expresslane, played back through Solve', async ({ page, app }) => {
  const lab = await chooseShipped(page, app)
  await expect(says(page)).toContainText('Nothing is measured now')
  await lab.goTo('Compare')
  await page.getByLabel('Speed').selectOption('20')
  await lab.press('Solve')
  await expect(says(page)).toContainText('played back at 20×')
  await lab.expectPassed()
  await expect(lab.result).toContainText('95 % interval')
  await expect(lab.result).toContainText(/Improved|Worse|No difference seen/)
  await expectVerdictHolds(page)
  await expect(says(page)).toContainText(/measured on a machine with kernel \d.* on \d+ \w+ 20\d\d/)

  await page.getByRole('link', { name: 'History' }).click()
  await expect(page.getByText('No runs yet')).toBeVisible()
  await page.getByRole('checkbox', { name: 'Show playbacks' }).check()
  await expect(says(page)).toContainText('were played back')
  await page.getByRole('row').filter({ hasText: 'Baseline' }).getByRole('link').click()
  await expect(page.getByRole('heading', { level: 1, name: 'Baseline' })).toBeVisible()
  await expect(says(page)).toContainText('Nothing is measured now')

  // Each lab has a recording of its own, whichever is chosen below.
  await page.getByRole('link', { name: 'Expresslane' }).click()
  await page.getByRole('radio', { name: 'A recording' }).check()
  await page.getByRole('button', { name: 'Start: BIG TCP over IPv6 on a recording' }).click()
  await expect(says(page)).toContainText('Nothing is measured now')
})

test('a replay that is cancelled, and a step that was not recorded', async ({ page, app }) => {
  const made = await shipped(app)
  await page.goto(app.link)
  // Slowed down, so that it is still running when it is cancelled.
  const slow = made.runs
    .filter(({ stepId }) => stepId === 'baseline')
    .map((run) => ({ ...run, events: run.events.map((one) => ({ ...one, at: one.at * 100 })) }))
  await drop(page, 'one.jsonl', formatRecording({ ...made, runs: slow }))
  await expect(card(page).getByText('Imported: BIG TCP over IPv4')).toBeVisible()
  await card(page).getByRole('button', { name: 'Play back: BIG TCP over IPv4' }).click()
  const lab = new LabPage(page)
  await lab.goTo('Baseline')
  await lab.press('Measure')
  await lab.progress.getByRole('button', { name: 'Cancel' }).click()
  await expect(lab.result.getByText('Cancelled', { exact: true })).toBeVisible()
  await lab.goTo('Preflight')
  await lab.press('Run preflight')
  await expect(lab.result).toContainText('This step was not recorded.')
})

test('a recording of this server is imported by drag and drop, and removed again', async ({ page, app }) => {
  const lab = await LabPage.start(page, app, 'BIG TCP over IPv4')
  await lab.goTo('Preflight')
  await lab.press('Run preflight')
  await lab.expectPassed()
  await page.getByText('Export', { exact: true }).click()
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: /^Record/ }).click()
  const file = await downloading
  expect(file.suggestedFilename()).toMatch(/^expresslane-big-tcp-ipv4-\d{4}-\d\d-\d\d\.jsonl$/)
  const text = await readFile(await file.path(), 'utf8')
  expect(parseRecording(text).runs.map(({ stepId }) => stepId)).toEqual(['preflight'])

  await page.goto(`${app.origin}/`)
  await expect(card(page).getByRole('button', { name: 'Import a recording' })).toBeVisible()
  await drop(page, file.suggestedFilename(), text)
  await expect(card(page).getByText('Imported: BIG TCP over IPv4')).toBeVisible()
  await card(page).getByRole('button', { name: 'Remove: BIG TCP over IPv4' }).click()
  await expect(card(page).getByRole('button', { name: 'Remove: BIG TCP over IPv4' })).toBeHidden()
  await expect(card(page).getByRole('button', { name: /^Play back/ })).toBeHidden()
})

test('the error of a broken file names its line and its field', async ({ page, app }) => {
  const made = await shipped(app)
  const text = formatRecording(made)
  const broken = text.replace('"stepId":"baseline"', '"stepId":7')
  const line = broken.split('\n').findIndex((one) => one.includes('"stepId":7')) + 1
  await page.goto(app.link)
  await expect(card(page).getByRole('button', { name: 'Import a recording' })).toBeVisible()
  await drop(page, 'broken.jsonl', broken)
  const alert = card(page).getByRole('alert')
  await expect(alert).toContainText(`Line ${line}, field run.stepId: `)
  await drop(page, 'cut.jsonl', text.slice(0, 400))
  await expect(alert).toContainText('Line 1 of this file is not valid JSON')
})

test('a recording with profiles says why its arms differ, by mouse and by keyboard', async ({ page, app }) => {
  await page.goto(app.link)
  await card(page).getByRole('button', { name: 'Choose: At the socket or in the packet?' }).click()
  await card(page).getByRole('button', { name: 'Play back: At the socket or in the packet?' }).click()
  const lab = new LabPage(page)
  await lab.goTo('Requests on one connection')
  await page.getByLabel('Speed').selectOption('20')
  await lab.press('Measure')
  await lab.expectPassed(120_000)
  const why = lab.result.getByRole('region', { name: 'Why?' })
  await expect(why).toContainText(/A transaction takes [\d,]+ instructions (fewer|more)/)
  await expect(why).toContainText('exactly counted')
  await expect(why.getByRole('region', { name: 'Groups of functions' }).getByRole('row')).not.toHaveCount(0)

  const graph = why.getByRole('button', { name: /^tasks: / })
  await graph.click()
  await expect(why.getByRole('navigation', { name: 'Callers' })).toContainText('everything')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(why.getByRole('navigation', { name: 'Callers' })).toContainText('tasks')
  await page.keyboard.press('Escape')
  await expect(why.getByRole('navigation', { name: 'Callers' })).toBeHidden()
  await why.getByRole('searchbox', { name: 'Search for a function' }).fill('tcp_sendmsg')
  await expect(why.getByRole('status')).toContainText(/functions?: [\d,]+ → [\d,]+ instructions/)
})
