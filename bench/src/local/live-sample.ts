import { median } from '@expresslane/shared/measure/measurement'
import { openBrowser } from '../support/browser.ts'
import { spread, type Bench } from '../support/table.ts'

const LIMIT_MS = 500
const ROUNDS = 5

/** In the page: presses Measure and resolves with the milliseconds until a chart shows its first sample. */
async function clickToSample(): Promise<number> {
  const measure = [...document.querySelectorAll('button')].find((button) => button.textContent === 'Measure')
  if (measure === undefined) throw new Error('there is no Measure button')
  const began = performance.now()
  measure.click()
  return new Promise((resolve) => {
    const look = (): void => {
      const chart = document.querySelector('[role="img"][aria-label*="running: about"]')
      if (chart === null) requestAnimationFrame(look)
      else resolve(performance.now() - began)
    }
    requestAnimationFrame(look)
  })
}

/** From the click on Measure to the first live sample in the page's chart, by the page's clock. */
export const liveSample: Bench = async (app) => {
  const browser = await openBrowser()
  try {
    const session = await app.session('big-tcp-ipv4')
    await app.run(session, 'read-off', { solve: true })
    const page = await browser.newPage()
    await page.goto(app.link)
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      await app.run(session, 'read-off', {})
      await page.goto(`${app.origin}/labs/big-tcp-ipv4/sessions/${session}/baseline`)
      await page.getByLabel('Repeats').fill('1')
      await page.getByLabel(/Seconds/).fill('1')
      times.push(await page.evaluate(clickToSample))
      await page.getByText('Passed', { exact: true }).waitFor()
    }
    return {
      what: 'Click to the first live sample on the page',
      bound: '<= 500 ms',
      measured: spread(times, 0, ' ms'),
      how: `${ROUNDS} clicks, the page's own clock; netperf's first interim result takes 200 ms of it`,
      holds: median(times) <= LIMIT_MS,
    }
  } finally {
    await browser.close()
  }
}
