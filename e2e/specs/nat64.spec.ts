/** The lab about translation between IPv4 and IPv6, by mouse and by keyboard: names, pages, and its cost. */
import { measurementsOf } from '@expresslane/shared/run/run-state'
import { sessionView, testbedsResponse } from '@expresslane/shared/wire/protocol'
import { valueOf } from '@expresslane/shared/measure/measurement'
import { expect, test } from '../support/app.ts'
import { tabTo, typeDesign } from '../support/keyboard.ts'
import { LabPage } from '../support/lab-page.ts'

const TITLE = 'IPv6 only, and still reaching IPv4'

const experiments = ['What a request costs', 'Short connections', 'One stream'] as const

test('translation between IPv4 and IPv6 by mouse: from the start page to Restore', async ({ page, app }) => {
  test.skip(process.getuid?.() !== 0, 'Only root may load the BPF programs of this lab.')
  test.setTimeout(900_000)
  const lab = await LabPage.start(page, app, TITLE)
  await lab.pass('Preflight', 'Run preflight')
  await lab.pass('Start without a translator', 'Choose no translator')
  await lab.pass('Build the gateway', 'Build')
  await expect(lab.result).toContainText('a call over IPv6')

  await lab.pass('Ask for names', 'Ask both resolvers')
  await expect(lab.result.getByRole('table', { name: 'What the client asked in lab.example' })).toContainText(
    'no such record',
  )
  await expect(lab.result).toContainText('DNS64 made one: fd64:ff9b::a2e:202')

  await lab.pass('Open the IPv4-only page', 'Open the page')
  await expect(lab.result).toContainText("You've reached an IPv4-only page")
  await expect(lab.result).toContainText('This server sees you as 10.99.0.2')
  const headers = lab.result.getByRole('row').filter({ hasText: 'hop limit' })
  await expect(headers).toContainText(/changed/)

  await lab.pass('Open the IPv6-only page', 'Open the page')
  await expect(lab.result).toContainText('This server sees you as fd64:ff9b::a2e:102')
  await lab.next('Block one client')
  await lab.pass('The same with sessions', 'Open the page')
  await expect(lab.result).toContainText('This server sees you as fd46:64::9')
  await expect(lab.result.getByRole('table', { name: /The translator’s map/ })).toContainText('10.99.0.3:80')
  await lab.pass('The 1,500-byte ping', 'Send the pings')
  await expect(lab.result).toContainText('too big, 1,480 bytes fit, says 10.46.1.1')

  // The least that the form offers. `gateway-contract.ts` of the server makes connections with each translator, too.
  const [requests, ...others] = experiments
  await lab.next(requests)
  await lab.setRepeats(1, 0.5)
  await page.getByLabel('Warm-ups').fill('0')
  await lab.press('Measure')
  await lab.expectPassed(600_000)
  const id = /\/sessions\/([^/]+)/.exec(lab.address)?.[1] ?? ''
  const { runs } = sessionView.parse(await app.get(`/api/sessions/${id}`))
  const run = runs.findLast(({ stepId }) => stepId === 'measure')
  const taken = run === undefined ? [] : measurementsOf(run)
  expect(taken.map(({ arm }) => arm).toSorted()).toEqual(
    ['bpf-stateful', 'bpf-stateless', 'native', 'tayga'].flatMap((arm) => [arm, arm]),
  )
  for (const one of taken) {
    expect(valueOf(one, 'tps')).toBeGreaterThan(0)
    expect(valueOf(one, 'gatewayPackets')).toBeGreaterThan(0)
    expect((valueOf(one, 'bpfTranslations') ?? 0) > 0).toBe(one.arm.startsWith('bpf-'))
    expect((valueOf(one, 'taygaTranslations') ?? 0) > 0).toBe(one.arm === 'tayga')
  }
  for (const title of others) await lab.next(title)

  // The findings of a probe are still there after a reload.
  await lab.goTo('The same with sessions')
  await page.reload()
  await expect(lab.result).toContainText('This server sees you as fd46:64::9')
  await lab.goTo('Restore')
  await lab.press('Restore')
  await lab.expectPassed()
  await expect(lab.path).toContainText('No pods are deployed')
  const { testbeds } = testbedsResponse.parse(await app.get('/api/testbeds'))
  expect(testbeds[0]?.datapath?.placement).toBeNull()
})

test('the whole lab by keyboard alone', async ({ page, app }) => {
  test.skip(process.getuid?.() !== 0, 'Only root may load the BPF programs of this lab.')
  test.setTimeout(600_000)
  const lab = await LabPage.start(page, app, TITLE)
  const walk: [title: string, label: string | null][] = [
    ['Preflight', 'Run preflight'],
    ['Start without a translator', 'Choose no translator'],
    ['Build the gateway', 'Build'],
    ['Ask for names', 'Ask both resolvers'],
    ['Open the IPv4-only page', 'Open the page'],
    ['Open the IPv6-only page', 'Open the page'],
    ['Block one client', null],
    ['The same with sessions', 'Open the page'],
    ['The 1,500-byte ping', 'Send the pings'],
  ]
  for (const [title, label] of walk) {
    await page.keyboard.press('ArrowRight')
    await lab.expectStep(title)
    await expect(page.getByRole('heading', { level: 2, name: title })).toBeFocused()
    if (label === null) continue
    await tabTo(page, label)
    await page.keyboard.press('Enter')
    await lab.expectPassed()
  }
  for (const title of experiments) {
    await page.keyboard.press('ArrowRight')
    await lab.expectStep(title)
    await expect(page.getByRole('heading', { level: 2, name: title })).toBeFocused()
    await typeDesign(page, { Repeats: 1, 'Warm-ups': 0 })
    await tabTo(page, 'Measure')
    await page.keyboard.press('Enter')
    // The walk by mouse measures.
    await tabTo(page, 'Cancel')
    await page.keyboard.press('Enter')
    await expect(lab.result.getByText('Cancelled', { exact: true })).toBeVisible()
  }
  for (const title of ['Which one when?', 'Restore']) {
    await page.keyboard.press('ArrowRight')
    await lab.expectStep(title)
  }
  await tabTo(page, 'Restore')
  await page.keyboard.press('Enter')
  await lab.expectPassed()
})
