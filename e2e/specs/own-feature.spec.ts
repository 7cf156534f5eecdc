import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseRecording } from '@expresslane/shared/recordings/recording'
import { labResult } from '@expresslane/shared/wire/headless'
import { runsResponse } from '@expresslane/shared/wire/protocol'
import { expect, test as base, type Locator, type Page } from '@playwright/test'
import { addedFiles, copyWithFeature, registries, type Checkout } from '../own-feature/checkout.ts'
import { App } from '../support/app.ts'
import { LabPage } from '../support/lab-page.ts'

const LAB = 'How large is a segment?'
const METRIC = 'Payload of a segment'
/** What Linux leaves of 1,500 and of 536 bytes for data: TCP's time stamps take 12. */
const [LARGE, SMALL] = [1448, 524]

/** The feature is built once and goes through everything: each test begins where the one before ended. */
const test = base.extend<object, { checkout: Checkout; app: App }>({
  checkout: [
    async ({}, use) => {
      const checkout = await copyWithFeature()
      await use(checkout)
      await checkout.remove()
    },
    { scope: 'worker', timeout: 480_000 },
  ],
  app: [
    async ({ checkout }, use) => {
      await checkout.run(process.execPath, ['node_modules/vite/bin/vite.js', 'build'], {}, 'web')
      const app = await App.create(checkout.path)
      await app.start()
      await use(app)
      await app.remove()
    },
    { scope: 'worker', timeout: 480_000 },
  ],
})

test.describe.configure({ mode: 'serial', timeout: 480_000 })

test('a feature needs new files and an entry in each registry, and all packages compile', async ({ checkout }) => {
  for (const name of ['shared', 'server', 'web']) await checkout.run('node_modules/.bin/tsc', ['-p', name])
  expect(await checkout.differences()).toEqual({ changed: registries, added: addedFiles })
})

test('its lab runs without a browser', async ({ checkout }) => {
  const data = await mkdtemp(join(tmpdir(), 'expresslane-e2e-'))
  const file = join(data, 'result.json')
  try {
    const argv = ['server/src/headless.ts', 'segment-size', '--repeats', '4', '--duration', '1', '--json', file]
    // Progress is on stderr.
    const both = ['-c', 'exec "$@" 2>&1', 'sh', process.execPath, ...argv]
    const printed = await checkout.run('sh', both, { HOME: data, KUBECONFIG: '', EXPRESSLANE_DATA: data })
    expect(printed).toContain(`   What ss says\n      Connection  Segment\n      1           ${LARGE}\n`)
    expect(printed).toMatch(/ {3}The first packet on both nodes\n +Field .*\n +version +4 +4 +stayed\n/)
    const { arms, comparison } = labResult.parse(JSON.parse(await readFile(file, 'utf8')))
    const values = arms.map(({ measurements }) => measurements.map((one) => one.values['segmentPayload']))
    expect(values).toEqual([Array<number>(4).fill(LARGE), Array<number>(4).fill(SMALL)])
    expect(arms.map(({ settings }) => settings)).toEqual([{ 'segment-limit': null }, { 'segment-limit': 536 }])
    expect(arms[1]?.measurements[0]?.fingerprint?.settings).toMatchObject({ 'segment-limit': 536 })
    expect(comparison).toMatchObject({ metric: 'segmentPayload', off: LARGE, on: SMALL, verdict: 'worse' })
  } finally {
    await rm(data, { recursive: true })
  }
})

async function expectVerdict(page: Page): Promise<void> {
  const verdict = page.getByRole('group', { name: 'Verdict' })
  await expect(verdict).toContainText('Worse')
  await expect(verdict).toContainText('−63.8 %')
  await expect(verdict).toContainText('the payload of a segment')
}

/** The files that the menu of a page offers, by the names of its links. */
async function download(page: Page, name: RegExp): Promise<string> {
  const link = page.getByRole('link', { name })
  if (!(await link.isVisible())) await page.getByText('Export', { exact: true }).click()
  const downloading = page.waitForEvent('download')
  await link.click()
  return readFile(await (await downloading).path(), 'utf8')
}

async function expectReports(page: Page): Promise<void> {
  const [html, json, csv, markdown] = [
    await download(page, /^HTML/),
    await download(page, /^JSON/),
    await download(page, /^CSV/),
    await download(page, /^Markdown/),
  ]
  for (const text of [html, markdown]) {
    expect(text).toContain(METRIC)
    expect(text).toContain(`${SMALL} octets`)
  }
  expect(JSON.stringify(JSON.parse(json))).toContain(`"segmentPayload":${SMALL}`)
  const [head, ...rows] = csv.trim().split('\r\n').join('\n').split('\n')
  const column = (head ?? '').split(',').indexOf('segment_payload_octets')
  expect(new Set(rows.map((row) => row.split(',')[column]))).toEqual(new Set([`${LARGE}`, `${SMALL}`]))
}

/** What the feature's probe found, as exhibits that the page knows. */
async function expectFound(result: Locator): Promise<void> {
  const sizes = result.getByRole('table', { name: 'What ss says' })
  await expect(sizes.getByRole('row').last()).toHaveText(`1${LARGE}`)
  const headers = result.getByRole('region', { name: 'The first packet on both nodes' })
  await expect(headers.getByRole('columnheader')).toHaveText(['Field', 'node1', 'node2', 'What happened'])
  await expect(headers.getByRole('row', { name: /^source address/ })).toContainText('stayed')
}

test('its lab is walked on the page, compared, reported, recorded and played back', async ({ page, app }) => {
  const lab = await LabPage.start(page, app, LAB)
  for (const [step, action] of [
    ['Preflight', 'Run preflight'],
    ['Look', 'Look'],
    ['Deploy', 'Deploy'],
  ] as const) {
    await lab.next(step)
    await lab.press(action)
    await lab.expectPassed()
  }
  await lab.pass('See a handshake', 'Connect')
  await expectFound(lab.result)
  const found = [await download(page, /^HTML/), await download(page, /^Markdown/)]
  for (const text of found) expect(text).toContain('The first packet on both nodes')
  await lab.next('Measure')
  await lab.setRepeats(4, 1)
  await lab.press('Measure')
  await lab.expectPassed()
  await expect(lab.result).toContainText('Segment payload')
  await expect(lab.result).toContainText(`${LARGE} octets`)
  await lab.pass('Set the limit', 'Set')
  expect(await lab.seen('segment limit, intended')).toBe('at most 536 bytes')
  await lab.pass('Deploy again', 'Deploy again')
  await lab.pass('See the limit', 'Read')
  expect(await lab.seen('segment limit of the pods')).toBe('at most 536 bytes')
  await lab.next('Measure again')
  await lab.setRepeats(4, 1)
  await lab.press('Measure again')
  await lab.expectPassed()
  await expect(lab.result).toContainText(`${SMALL} octets`)
  await lab.pass('Compare', 'Compare')
  await expectVerdict(page)
  await expect(lab.result.getByRole('row').filter({ hasText: METRIC })).toContainText(`${SMALL} octets`)
  await lab.pass('Restore', 'Restore')
  await lab.goTo('Compare')
  await expectReports(page)
  const text = await download(page, /^Record/)
  expect(parseRecording(text).runs).toHaveLength(11)

  const { runs } = runsResponse.parse(await app.get('/api/runs'))
  const run = (step: string): string => runs.find(({ stepId }) => stepId === step)?.id ?? ''
  await page.goto(`${app.origin}/compare?a=${run('measure-own')}.own&b=${run('measure-small')}.small`)
  await expect(page.getByRole('heading', { level: 1, name: 'Compare' })).toBeVisible()
  await expectVerdict(page)
  await expectReports(page)

  await page.goto(`${app.origin}/`)
  const card = page.getByRole('article', { name: 'Recordings' })
  await card.locator('input[type=file]').setInputFiles({
    name: 'segments.json',
    mimeType: 'application/json',
    buffer: Buffer.from(text),
  })
  await expect(card.getByText(`Imported: ${LAB}`)).toBeVisible()
  await card.getByRole('button', { name: `Play back: ${LAB}` }).click()
  await expect(page.getByRole('heading', { level: 1, name: LAB })).toBeVisible()
  await lab.goTo('Compare')
  await page.getByLabel('Speed').selectOption('20')
  await lab.press('Solve')
  await lab.expectPassed()
  await expectVerdict(page)
  await lab.goTo('See a handshake')
  await expectFound(lab.result)
  await lab.goTo('See the limit')
  expect(await lab.seen('segment limit of the pods')).toBe('at most 536 bytes')
})

test('the Bench page offers its setting and its tool', async ({ page, app }) => {
  await page.goto(app.link)
  await page.getByRole('link', { name: 'Bench' }).click()
  await page.getByLabel('Feature').selectOption('Segment size')
  await expect(page.getByLabel('Tool')).toHaveValue('segment-probe')
  await page
    .getByRole('group', { name: /^Arm 2/ })
    .getByLabel('Segment limit')
    .selectOption('1,000 bytes')
  await page.getByLabel('Repeats').fill('4')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  const verdict = page.getByRole('group', { name: 'Verdict' })
  const result = page.getByRole('region', { name: 'Result' })
  await expect(result.getByText('passed', { exact: true })).toBeVisible({ timeout: 240_000 })
  await expect(verdict).toContainText('Worse')
  await expect(result).toContainText(METRIC)
  await expect(result).toContainText('−31.8 %')
})
