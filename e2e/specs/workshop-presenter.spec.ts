import { formatRecording, type Recording } from '@expresslane/shared/recordings/recording'
import type { Outcome } from '@expresslane/shared/run/events'
import type { BrowserContext, Page } from '@playwright/test'
import { z } from 'zod'
import { expect, test, type App } from '../support/app.ts'
import { LabPage } from '../support/lab-page.ts'
import { shipped } from '../support/shipped.ts'
import { colorRules, expectAccessible } from '../support/accessible.ts'
import { expectReadable, playBack } from '../support/slides.ts'

const steps: readonly (readonly [title: string, check: 'read' | 'passes' | 'measures' | 'compares'])[] = [
  ['Why bigger packets?', 'read'],
  ['Preflight', 'passes'],
  ['Verify that BIG TCP is off', 'passes'],
  ['Deploy netperf', 'passes'],
  ['Read the sizes', 'passes'],
  ['Baseline', 'measures'],
  ['Switch BIG TCP on', 'passes'],
  ['Read again: nodes changed, pods not yet', 'passes'],
  ['Redeploy the pods', 'passes'],
  ['Measure again', 'measures'],
  ['Compare', 'compares'],
  ['Restore', 'passes'],
]

/** The heading of the presenter's view: while its code loads, the lab's page is hidden and has the same heading. */
const shown = (page: Page) => page.locator('[data-stage]').getByRole('heading', { level: 2 }).first()
const result = (page: Page) => page.getByRole('region', { name: 'Result' })
const expectStep = (page: Page, title: string) => expect(shown(page)).toHaveText(title)
const expectSpeakerAt = (speaker: Page, title: string) =>
  expect(speaker.getByRole('heading', { level: 2 }).first()).toHaveText(title)

/** Opens a session of the lab's recording. */
async function chooseRecording(page: Page, app: App): Promise<void> {
  await page.goto(app.link)
  const card = page.getByRole('article', { name: 'Recordings' })
  await card.getByRole('button', { name: 'Choose: BIG TCP over IPv4' }).click()
  await card.getByRole('button', { name: 'Play back: BIG TCP over IPv4' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'BIG TCP over IPv4' })).toBeVisible()
}

async function openSpeaker(page: Page): Promise<Page> {
  const opening = page.context().waitForEvent('page')
  await page.keyboard.press('s')
  const speaker = await opening
  await expect(speaker.getByRole('heading', { level: 1 })).toContainText('Speaker')
  return speaker
}

/** Refuses the page's requests to any other server, and keeps their addresses. */
async function cutOff(context: BrowserContext, app: App): Promise<string[]> {
  const outside: string[] = []
  await context.route(
    (url) => url.origin !== app.origin,
    (route) => {
      outside.push(route.request().url())
      return route.abort()
    },
  )
  return outside
}

test('the whole IPv4 lab, presented by a clicker’s keys alone', async ({ page, app }) => {
  test.setTimeout(600_000)
  await page.setViewportSize({ width: 1280, height: 720 })
  await LabPage.start(page, app, 'BIG TCP over IPv4')
  await page.keyboard.press('p')
  for (const [title, check] of steps) {
    await expectStep(page, title)
    await expectReadable(page)
    if (check !== 'read') await page.keyboard.press('PageDown')
    if (check === 'measures') {
      await expect(result(page).getByText('now', { exact: true })).toBeVisible()
      await expectReadable(page)
      // Presses while it measures do nothing.
      await page.keyboard.press('PageDown')
    }
    if (check === 'compares') {
      await expect(result(page).getByRole('group', { name: 'Verdict' })).toContainText(
        /Improved|Worse|No difference seen/,
      )
    } else if (check !== 'read') {
      await expect(result(page).getByText('Passed.', { exact: true })).toBeVisible({ timeout: 180_000 })
    }
    await expectReadable(page)
    await page.keyboard.press('PageDown')
  }
  await expect(page.getByRole('status', { name: 'Progress' })).toHaveText('The end')
  await page.keyboard.press('PageUp')
  await expectStep(page, 'Compare')
  await page.keyboard.press('.')
  await expect(shown(page)).toBeHidden()
  await page.keyboard.press('.')
  await expectStep(page, 'Compare')
  await page.keyboard.press('l')
  await expect(page.getByRole('region', { name: 'The path, live' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('navigation', { name: 'Steps' })).toBeVisible()
})

test('presenter and speaker stay in step, either leads, and closing one breaks nothing', async ({ page, app }) => {
  await LabPage.start(page, app, 'BIG TCP over IPv4')
  await page.keyboard.press('p')
  await expectStep(page, 'Why bigger packets?')
  const presented = page.url()
  const speaker = await openSpeaker(page)
  await expectSpeakerAt(speaker, 'Why bigger packets?')
  await expect(speaker.getByRole('timer')).toContainText('of')

  await speaker.keyboard.press('PageDown')
  await expectStep(page, 'Preflight')
  await page.bringToFront()
  await page.keyboard.press('PageDown')
  await expect(speaker.getByText('Passed.', { exact: true })).toBeVisible()
  // Each window has its own stream: this window can be later.
  await expect(result(page).getByText('Passed.', { exact: true })).toBeVisible()
  await page.keyboard.press('PageDown')
  await expectSpeakerAt(speaker, 'Verify that BIG TCP is off')
  await speaker.getByRole('button', { name: 'Blank' }).click()
  await expect(shown(page)).toBeHidden()
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: /^The screen is blank/ })).toBeAttached()
  await page.keyboard.press('PageDown')
  await expectStep(page, 'Verify that BIG TCP is off')
  await expect(speaker.getByRole('button', { name: 'Blank', pressed: false })).toBeVisible()

  await page.close()
  await speaker.getByRole('button', { name: 'Next press' }).click()
  await expect(speaker.getByText('Passed.', { exact: true })).toBeVisible()
  await speaker.getByRole('button', { name: 'Next press' }).click()
  await expectSpeakerAt(speaker, 'Deploy netperf')

  const again = await speaker.context().newPage()
  await again.goto(presented)
  await expectStep(again, 'Deploy netperf')
  await speaker.close()
  await again.keyboard.press('Home')
  await expectStep(again, 'Why bigger packets?')
  const reopened = await openSpeaker(again)
  await reopened.getByRole('button', { name: 'End the talk' }).click()
  await expect(again.getByText('This session is not presented')).toBeVisible()
})

test('autopilot plays a recording with no network, is taken over and given back', async ({ page, app }) => {
  test.setTimeout(600_000)
  await page.setViewportSize({ width: 1920, height: 1080 })
  const outside = await cutOff(page.context(), app)
  await chooseRecording(page, app)
  await page.keyboard.press('p')
  await expectStep(page, 'Why bigger packets?')
  const speaker = await openSpeaker(page)
  await speaker.getByLabel('Pauses').selectOption('0.1')
  await page.bringToFront()
  await page.keyboard.press('a')
  await expectStep(page, 'Preflight')

  // The presenter takes over, explains the step before, and gives back.
  await page.keyboard.press('PageUp')
  await expectStep(page, 'Why bigger packets?')
  await expect(speaker.getByText('You lead')).toBeVisible()
  await speaker.getByRole('button', { name: 'Start autopilot' }).click()
  await expect(page.getByText('Autopilot: finished')).toBeVisible({ timeout: 300_000 })
  await expectStep(page, 'Restore')
  await page.keyboard.press('PageUp')
  await expect(result(page).getByRole('group', { name: 'Verdict' })).toBeVisible()
  expect(outside).toEqual([])

  // Every slide with its result, and everything around it.
  for (const colorScheme of ['light', 'dark'] as const) {
    const rules = colorScheme === 'light' ? undefined : colorRules
    await page.emulateMedia({ colorScheme })
    await speaker.emulateMedia({ colorScheme })
    await page.keyboard.press('Home')
    for (const [title] of steps) {
      await expectStep(page, title)
      await expectReadable(page)
      await expectAccessible(page, `${title} in ${colorScheme}`, rules)
      await page.keyboard.press('Shift+ArrowRight')
    }
    for (const [key, name] of [
      ['?', 'Keys'],
      ['f', 'Join'],
    ] as const) {
      await page.keyboard.press(key)
      await expect(page.getByRole('dialog', { name })).toBeVisible()
      await expectReadable(page)
      await expectAccessible(page, `${name} in ${colorScheme}`, rules)
      await page.keyboard.press('Escape')
    }
    await page.keyboard.press('l')
    await expect(page.getByRole('region', { name: 'The path, as recorded' })).toBeVisible()
    await expectAccessible(page, `the path in ${colorScheme}`, rules)
    await page.keyboard.press('l')
    await expectAccessible(speaker, `the speaker's window in ${colorScheme}`, rules)
  }
})

/** The recording of a busy machine: its measurements are slow, noisy and not proven. */
function spoiled(made: Recording): Recording {
  const ok = false
  const measured = {
    passed: false,
    sentence:
      'Measured: 84 TPS, 53.1 Mbit/s each way (median of 12). But 2 of the values are not as expected for this arm.',
    hint: null,
    observations: [
      { label: 'data packets per request', expected: 'about 1', seen: '1.41', ok },
      { label: 'data packets per response', expected: 'about 1', seen: '1.38', ok },
    ],
  }
  const compared = {
    passed: false,
    sentence: 'The arms were not measured in the same way, so their settings may not explain the difference.',
    hint: 'Measure every arm again in the same way on the same testbed, then compare.',
    observations: [{ label: 'measurement with BIG TCP', expected: 'proven', seen: 'not proven', ok }],
  }
  const warnings = new Map([
    ['cpus', 'netperf shares the only CPU with everything else here, so expect lower and noisier numbers.'],
    [
      'governor',
      'The CPU frequency changes with the load, and the numbers change with it. Set the performance governor.',
    ],
    ['load', 'Other work takes CPU time from the measurement. Stop it, or wait until it is done.'],
  ])
  const outcomes = new Map<string, Outcome>([
    ['measure-on', measured],
    ['compare', compared],
  ])
  const runs = made.runs.map((run) => ({
    ...run,
    events: run.events.map(({ at, event }) => {
      if (event.type === 'preflight.checked') {
        const remedy = warnings.get(event.check.id)
        if (remedy === undefined) return { at, event }
        return { at, event: { ...event, check: { ...event.check, status: 'warning' as const, remedy } } }
      }
      if (event.type === 'measurement.taken') {
        const { tps, p50, p99 } = event.measurement.values
        const slow = { tps: (tps ?? 0) / 130, p50: (p50 ?? 0) * 130, p99: (p99 ?? 0) * 130 }
        const values = { ...event.measurement.values, ...slow }
        return { at, event: { ...event, measurement: { ...event.measurement, values } } }
      }
      if (event.type === 'cases.compared') {
        const verdict = 'no-difference' as const
        const comparisons = event.comparisons.map((one) => {
          const rows = one.comparison.rows.map((row) => {
            const [off, on] = [row.off * 130, row.on * 130]
            return { ...row, off, on, interval: { low: 0.304, high: 67.8 }, changePercent: 1234.5, verdict }
          })
          return { ...one, comparison: { ...one.comparison, verdict, rows } }
        })
        return { at, event: { ...event, comparisons } }
      }
      const outcome = outcomes.get(run.stepId)
      return { at, event: event.type === 'step.checked' && outcome !== undefined ? { ...event, outcome } : event }
    }),
  }))
  return { ...made, runs }
}

test('the slides of what a busy machine spoiled are readable, too', async ({ page, app }) => {
  const made = spoiled(await shipped(app))
  const { id } = z
    .looseObject({ id: z.string() })
    .parse(await app.send('POST', '/api/recordings', formatRecording(made)))
  const passed = made.runs
    .flatMap(({ events }) => events)
    .filter(({ event }) => event.type === 'preflight.checked' && event.check.status === 'passed')
  const address = await playBack(app, 'big-tcp-ipv4', id, ['preflight', 'baseline', 'measure-on', 'compare'])
  await page.setViewportSize({ width: 1280, height: 720 })
  await page.goto(app.link)
  await page.goto(`${address}/preflight?present`)
  await expectStep(page, 'Preflight')
  await expect(result(page).getByText(`${passed.length} other checks passed.`)).toBeVisible()
  await expectReadable(page)
  for (const title of ['Verify that BIG TCP is off', 'Deploy netperf', 'Read the sizes', 'Baseline']) {
    await page.keyboard.press('Shift+ArrowRight')
    await expectStep(page, title)
  }
  await expect(result(page).getByText('Passed.', { exact: true })).toBeVisible()
  await expectReadable(page)
  for (const title of ['Switch BIG TCP on', 'Read again: nodes changed, pods not yet', 'Redeploy the pods']) {
    await page.keyboard.press('Shift+ArrowRight')
    await expectStep(page, title)
  }
  for (const title of ['Measure again', 'Compare']) {
    await page.keyboard.press('Shift+ArrowRight')
    await expectStep(page, title)
    await expect(result(page).getByText('Not passed.', { exact: true })).toBeVisible()
    await expectReadable(page)
  }
})

test('the slides of what probes found are readable, too: tables, pages, addresses and packets', async ({
  page,
  app,
}) => {
  const probes = [
    ['names', 'Ask for names'],
    ['ipv4-page', 'Open the IPv4-only page'],
    ['ipv6-page', 'Open the IPv6-only page'],
    ['ipv6-page-stateful', 'The same with sessions'],
    ['large-packets', 'The 1,500-byte ping'],
  ] as const
  const [[first]] = probes
  const played = probes.map(([id]) => id)
  const address = await playBack(app, 'nat64', 'nat64', played)
  await page.setViewportSize({ width: 1280, height: 720 })
  await page.goto(app.link)
  await page.goto(`${address}/${first}?present`)
  const kinds = new Set<string | null>()
  for (const [id, title] of probes) {
    if (id !== first) await page.keyboard.press('Shift+ArrowRight')
    if (id === 'ipv6-page-stateful') {
      // A step without a button comes first.
      await expectStep(page, 'Block one client')
      await expectReadable(page)
      await page.keyboard.press('Shift+ArrowRight')
    }
    await expectStep(page, title)
    await expect(result(page).getByText('Passed.', { exact: true })).toBeVisible()
    // The part of the page that draws them loads after the rest.
    const shownKinds = result(page).locator('li[data-kind]')
    await expect(shownKinds.first()).toBeVisible()
    for (const one of await shownKinds.all()) kinds.add(await one.getAttribute('data-kind'))
    await expectReadable(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    await expectAccessible(page, `${title} in the dark theme`)
    await page.emulateMedia({ colorScheme: 'light' })
    await expectAccessible(page, `${title} in the light theme`, colorRules)
  }
  expect(kinds).toEqual(new Set(['table', 'page', 'address', 'packets']))
})
