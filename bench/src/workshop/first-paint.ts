/** A follower's page on a phone over a 3G connection: its size, when it paints, and when it shows the step. */
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from '@playwright/test'
import { newInvitation } from '@expresslane/shared/wire/board'
import { median } from '@expresslane/shared/measure/measurement'
import type { BenchApp } from '../support/app.ts'
import { openBrowser } from '../support/browser.ts'
import { spread, type Row } from '../support/table.ts'

const JAVASCRIPT_LIMIT = 120_000
const PAINT_LIMIT_MS = 3000
const ROUNDS = 5
const RECORDING = 'recording:big-tcp-ipv4'
const STEP = 'baseline'

/** The profile "Fast 3G" of Chromium's developer tools, with the factors that they apply to 1.6 Mbit/s and 150 ms. */
const network = {
  offline: false,
  latency: 150 * 3.75,
  downloadThroughput: ((1.6 * 1000 * 1000) / 8) * 0.9,
  uploadThroughput: ((750 * 1000) / 8) * 0.9,
}
/** How much slower a phone's processor is. */
const SLOWER = 4

/** A presented session with everything up to the baseline measured. @returns the link of a follower, as a path */
async function present(app: BenchApp): Promise<string> {
  const sessionId = await app.session('big-tcp-ipv4', RECORDING)
  await app.run(sessionId, STEP, { solve: true, params: { speed: 20 } })
  await app.ask('PUT', '/api/presentation', { sessionId, stepId: STEP })
  const { link } = newInvitation.parse(await app.ask('POST', '/api/room/invitations', { role: 'viewer' }))
  return new URL(link).pathname
}

async function openPhone(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true })
  return context.newPage()
}

/** The step with the measurements from before the phone came. */
async function showsStep(page: Page): Promise<void> {
  await page.getByText('Passed', { exact: true }).waitFor()
}

/** Bytes of every script that the page loads, gzipped. */
async function javaScript(browser: Browser, link: string): Promise<number> {
  const page = await openPhone(browser)
  const scripts: Promise<number>[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() !== 'script') return
    scripts.push(response.body().then((body) => gzipSync(body, { level: 9 }).length))
  })
  await page.goto(link)
  await showsStep(page)
  const sizes = await Promise.all(scripts)
  await page.context().close()
  return sizes.reduce((sum, size) => sum + size, 0)
}

interface Times {
  readonly paint: number
  readonly step: number
}

/** Milliseconds from the tap on the link, redirection included. */
async function openOver3G(browser: Browser, link: string): Promise<Times> {
  const page = await openPhone(browser)
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', network)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  await page.goto(link, { waitUntil: 'commit' })
  await showsStep(page)
  const times = await page.evaluate(() => ({
    paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
    step: performance.now(),
  }))
  await page.context().close()
  return times
}

/** Needs an app in workshop mode. */
export async function firstPaint(app: BenchApp): Promise<Row[]> {
  const link = new URL(await present(app), app.origin).href
  const browser = await openBrowser()
  try {
    const size = await javaScript(browser, link)
    const times: Times[] = []
    for (let round = 0; round < ROUNDS; round += 1) times.push(await openOver3G(browser, link))
    const paints = times.map(({ paint }) => paint)
    const steps = times.map(({ step }) => step)
    return [
      {
        what: 'JavaScript of a follower’s page, gzipped',
        bound: `<= ${JAVASCRIPT_LIMIT / 1000} kB`,
        measured: `${Math.round(size / 1000)} kB`,
        how: 'every script that it loads until it shows a measured step',
        holds: size > 0 && size <= JAVASCRIPT_LIMIT,
      },
      {
        what: 'First paint of a follower’s page over 3G',
        bound: `<= ${PAINT_LIMIT_MS / 1000} s`,
        measured: spread(
          paints.map((paint) => paint / 1000),
          2,
          ' s',
        ),
        how: `${ROUNDS} first visits from the link on: 1.6 Mbit/s, ${network.latency} ms for each request, a processor ${SLOWER} times slower; the presenter's step with its result after ${spread(
          steps.map((step) => step / 1000),
          2,
          ' s',
        )}`,
        holds: median(paints) <= PAINT_LIMIT_MS,
      },
    ]
  } finally {
    await browser.close()
  }
}
