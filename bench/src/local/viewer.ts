/** The static viewer in Chromium, from a host, with recordings of the reader's: how long a file takes, and what it keeps waiting. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { makeSite } from '../../../e2e/support/site-folder.ts'
import { serve } from '../../../e2e/support/static.ts'
import { openBrowser } from '../support/browser.ts'
import { spread, type Bench, type Row } from '../support/table.ts'

const recording = join(import.meta.dirname, '../../../recordings/pod-devices.jsonl')
const TASK_MS = 100
const ROUNDS = 5
const STEPS = 30
const STEP_MS = 100

/** In the page: `done` resolves with the milliseconds from the choice of a file to the words of its verdict. */
interface Watch {
  /** The longest task since the last look, in milliseconds; 0 if none took 50 ms. */
  longest(): number
  done: Promise<number>
}

declare global {
  var watch: Watch
}

function beginWatch(): void {
  let longest = 0
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longest = Math.max(longest, duration)
  }).observe({ type: 'longtask' })
  const done = new Promise<number>((resolve) => {
    const onChange = (): void => {
      const began = performance.now()
      const look = (): void => {
        if (/Improved|▲ \+/.test(document.querySelector('article')?.textContent ?? ''))
          resolve(performance.now() - began)
        else requestAnimationFrame(look)
      }
      look()
    }
    addEventListener('change', onChange, { capture: true, once: true })
  })
  globalThis.watch = {
    done,
    longest() {
      const found = longest
      longest = 0
      return found
    },
  }
}

/** In the page: drags the bar from the end to the start. */
async function scrub([steps, ms]: readonly [number, number]): Promise<void> {
  const bar = document.querySelector<HTMLInputElement>('input[type=range]')
  const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
  if (bar === null || setValue === undefined) throw new Error('there is no bar')
  for (let step = steps - 1; step >= 0; step -= 1) {
    // Past React, which ignores an event without a change.
    setValue.call(bar, `${Math.round((Number(bar.max) * step) / steps)}`)
    bar.dispatchEvent(new Event('input', { bubbles: true }))
    await new Promise((resolve) => setTimeout(resolve, ms))
  }
}

/** The longest task. The browser reports a task after its end, and has no event for a page that has become idle. */
async function longestOf(page: Page): Promise<number> {
  await page.waitForTimeout(1_000)
  return page.evaluate(() => watch.longest())
}

interface Round {
  readonly usable: number
  readonly opening: number
  readonly scrubbing: number
}

async function measured(browser: Browser, address: string, file: string): Promise<Round> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  try {
    await page.goto(address)
    await page.getByText('Open a file').waitFor()
    // The service worker gets the site's files first: it would take the processor away.
    await page.evaluate(async () => void (await navigator.serviceWorker.ready))
    await page.evaluate(beginWatch)
    await page.locator('input[type=file]').setInputFiles(file)
    const usable = await page.evaluate(() => watch.done)
    const opening = await longestOf(page)
    await page.evaluate(scrub, [STEPS, STEP_MS] as const)
    return { usable, opening, scrubbing: await longestOf(page) }
  } finally {
    await page.close()
  }
}

/** The head, and then all runs over and over. */
async function repeated(times: number): Promise<string> {
  const text = (await readFile(recording, 'utf8')).trimEnd()
  const head = text.indexOf('\n')
  return text.slice(0, head) + text.slice(head).repeat(times)
}

const task = (ms: number): string => (ms === 0 ? 'none over 50 ms' : `${Math.round(ms)} ms`)

async function rowOf(browser: Browser, address: string, file: string, megabytes: number, most: number): Promise<Row> {
  const rounds: Round[] = []
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await measured(browser, address, file))
  const best = (of: keyof Round): number => Math.min(...rounds.map((round) => round[of]))
  const longest = Math.max(best('opening'), best('scrubbing'))
  return {
    what: `The viewer: a recording of ${megabytes.toFixed(1)} MB is usable`,
    bound: `<= ${most / 1_000} s, no task over ${TASK_MS} ms`,
    measured: `${spread(
      rounds.map(({ usable }) => usable / 1_000),
      2,
      ' s',
    )}; longest task ${task(best('opening'))} while opening, ${task(best('scrubbing'))} while scrubbing`,
    how: `from choosing the file to the verdict's words; ${STEPS} steps of the bar, ${STEP_MS} ms apart; PerformanceObserver; the best of ${ROUNDS} rounds counts`,
    holds: best('usable') <= most && longest <= TASK_MS,
  }
}

export const viewer: Bench = async () => {
  const site = await makeSite()
  const host = await serve(site.folder, '/some/folder/')
  const made = await mkdtemp(join(tmpdir(), 'expresslane-viewer-'))
  const browser = await openBrowser()
  try {
    const rows: Row[] = []
    for (const [times, most] of [
      [1, 1_000],
      [9, 5_000],
    ] as const) {
      const file = join(made, `${times}.jsonl`)
      const text = await repeated(times)
      await writeFile(file, text)
      rows.push(await rowOf(browser, host.address, file, Buffer.byteLength(text) / 1e6, most))
    }
    return rows
  } finally {
    await browser.close()
    await rm(made, { recursive: true })
    await host.end()
    await site.remove()
  }
}
