/** The experiment in a browser's tab, in Chromium and Firefox: from the page to the verdict, and how far their figures differ. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { median } from '@expresslane/shared/measure/measurement'
import { makeSite } from '../../../e2e/support/site-folder.ts'
import { serve } from '../../../e2e/support/static.ts'
import { openVisitor } from '../../../e2e/support/visitor.ts'
import { inPath } from '../support/browser.ts'
import { spread, type Bench, type Row } from '../support/table.ts'

/** Seconds from the page to the verdict of 4 + 4 repeats, on two cores. */
const browsers = [
  { name: 'Chromium', program: 'chromium', browserName: 'chromium', most: 20 },
  { name: 'Firefox', program: 'firefox-esr', browserName: 'firefox', most: 12 },
] as const
const ROUNDS = 3
const MOST_APART = 0.005

interface Round {
  /** Seconds since the page was asked for. */
  readonly lab: number
  readonly verdict: number
  /** Transactions per billion instructions. */
  readonly figures: readonly number[]
}

/** In the page: a driver from outside would wait for the page between the presses. */
async function tryHere(): Promise<Round> {
  async function until<T>(look: () => T | null | undefined): Promise<T> {
    for (;;) {
      const found = look()
      if (found !== null && found !== undefined) return found
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  const text = (): string => document.getElementById('root')?.textContent ?? ''
  const button = (name: string): Promise<HTMLButtonElement> =>
    until(() => [...document.querySelectorAll('button')].find((one) => one.textContent === name && !one.disabled))
  const seconds = (): number => performance.now() / 1000
  ;(await button('BIG TCP over IPv4')).click()
  await until(() => /Step 1 of/.exec(text()))
  const lab = seconds()
  location.hash += '/compare'
  ;(await button('Solve')).click()
  const found = await until(() => /Without BIG TCP: ([\d,]+) trans.*? With BIG TCP: ([\d,]+) trans/.exec(text()))
  return { lab, verdict: seconds(), figures: found.slice(1).map((figure) => Number(figure.replaceAll(',', ''))) }
}

async function roundsIn(address: string, { browserName, program }: (typeof browsers)[number]): Promise<Round[]> {
  const rounds: Round[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const executablePath = inPath(program)
    const args = browserName === 'chromium' && process.getuid?.() === 0 ? ['--no-sandbox'] : []
    // A new browser has nothing in its cache.
    const visitor = await openVisitor(browserName, { args, ...(executablePath !== undefined && { executablePath }) })
    try {
      const page = await visitor.newPage()
      await page.setViewport({ width: 1440, height: 900 })
      await page.goto(address)
      rounds.push(await page.evaluate(tryHere))
    } finally {
      await visitor.close()
    }
  }
  return rounds
}

export const tab: Bench = async () => {
  const site = await makeSite()
  if (!existsSync(join(site.folder, 'machine'))) {
    await site.remove()
    throw new Error('The emulated computer is not built. Build it first: npm run site -- --machine')
  }
  const host = await serve(site.folder, '/some/folder/')
  try {
    const rows: Row[] = []
    /** The figures of both arms, for each browser. */
    const figures: number[][] = []
    for (const browser of browsers) {
      const rounds = await roundsIn(host.address, browser)
      figures.push([0, 1].map((arm) => median(rounds.map((round) => round.figures[arm] ?? Number.NaN))))
      const verdicts = rounds.map(({ verdict }) => verdict)
      rows.push({
        what: `In the tab: from the page to the verdict, ${browser.name}`,
        bound: `<= ${browser.most} s on two cores`,
        measured: `${spread(verdicts, 1, ' s')}; the lab is open after ${spread(
          rounds.map(({ lab }) => lab),
          1,
          ' s',
        )}`,
        how: `the whole lab with 4 + 4 repeats in a new browser, ${ROUNDS} times; the best counts`,
        holds: Math.min(...verdicts) <= browser.most,
      })
    }
    const [here = [], there = []] = figures
    const apart = here.map((figure, arm) => Math.abs(figure / (there[arm] ?? Number.NaN) - 1))
    rows.push({
      what: 'In the tab: Chromium and Firefox show the same figures',
      bound: `<= ${MOST_APART * 100} % apart`,
      measured: `without BIG TCP ${here[0]} and ${there[0]}, with it ${here[1]} and ${there[1]}: ${apart
        .map((share) => `${(share * 100).toFixed(2)} %`)
        .join(' and ')}`,
      how: `transactions per billion instructions, the median of ${ROUNDS} rounds in each browser`,
      holds: apart.every((share) => share <= MOST_APART),
    })
    return rows
  } finally {
    await host.end()
    await site.remove()
  }
}
