/** The lab page as a learner uses it: by its texts, not by its markup. */
import { expect, type Locator, type Page } from '@playwright/test'
import type { App } from './app.ts'

export type LabTitle =
  | 'BIG TCP over IPv4'
  | 'BIG TCP over IPv6'
  | 'How big is big enough?'
  | 'One stream at full speed'
  | 'Jumbo frames or BIG TCP?'
  | 'See the packets'
  | 'BIG TCP in a tunnel'
  | 'How large is a segment?'
  | 'How many services?'
  | 'What lies between pod and node?'
  | 'Who keeps the flows?'
  | 'A pod’s limit'
  | 'Long paths'
  | 'What encryption costs'
  | 'At the socket or in the packet?'
  | 'From a bare cluster to BIG TCP'
  | 'IPv6 only, and still reaching IPv4'

export class LabPage {
  readonly page: Page
  readonly steps: Locator
  readonly result: Locator
  readonly path: Locator
  readonly progress: Locator

  constructor(page: Page) {
    this.page = page
    this.steps = page.getByRole('navigation', { name: 'Steps' })
    this.result = page.getByRole('region', { name: 'Result' })
    this.path = page.getByRole('region', { name: 'The path, live' })
    this.progress = page.getByRole('status', { name: 'Progress' })
  }

  /** Opens the printed link and starts a session of the lab. @param on the testbed's name on the page */
  static async start(page: Page, app: Pick<App, 'link'>, title: LabTitle, on = 'this machine'): Promise<LabPage> {
    await page.goto(app.link)
    await page.getByRole('button', { name: `Start: ${title} on ${on}`, exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
    return new LabPage(page)
  }

  /** The page of a session. */
  get address(): string {
    return this.page.url()
  }

  async expectStep(title: string): Promise<void> {
    await expect(this.page.getByRole('heading', { level: 2, name: title, exact: true })).toBeVisible()
  }

  async next(title: string): Promise<void> {
    await this.page.getByRole('button', { name: 'Next' }).click()
    await this.expectStep(title)
  }

  async goTo(title: string): Promise<void> {
    await this.steps.getByRole('link', { name: title }).click()
    await this.expectStep(title)
  }

  action(label: string): Locator {
    return this.page.getByRole('article').getByRole('button', { name: label, exact: true })
  }

  async press(label: string): Promise<void> {
    await this.action(label).click()
  }

  async setRepeats(repeats: number, seconds: number | null = null): Promise<void> {
    // An experiment's design is collapsed at first.
    const change = this.page.getByRole('article').getByText('Change', { exact: true })
    if (await change.isVisible()) await change.click()
    await this.page.getByLabel('Repeats').fill(`${repeats}`)
    if (seconds !== null) await this.page.getByLabel(/Seconds/).fill(`${seconds}`)
  }

  /** @param timeout a limit in case something hangs */
  async expectPassed(timeout = 120_000): Promise<void> {
    await expect(this.result.getByText('Passed', { exact: true })).toBeVisible({ timeout })
  }

  /** Goes on to the next step, presses its button and waits until it has passed. @param timeout as for {@link expectPassed} */
  async pass(title: string, label: string, timeout?: number): Promise<void> {
    await this.next(title)
    await this.press(label)
    await this.expectPassed(timeout)
  }

  /** Goes on to the next step and measures four times for a second. @returns its data packets per request */
  async measure(title: string): Promise<number> {
    await this.next(title)
    await this.setRepeats(4, 1)
    await this.press('Measure')
    await this.expectPassed()
    return Number(await this.seen('data packets per request'))
  }

  /** The observed value of a check for a device or a value. */
  async seen(label: string): Promise<string> {
    const row = this.result.getByRole('region', { name: 'Observations' }).getByRole('row').filter({ hasText: label })
    return row.getByRole('cell').nth(1).innerText()
  }

  /** The size that the live path shows for a device, such as `64K`. */
  device(name: string): Locator {
    // The item of the device, and not of the place around it.
    return this.path.getByRole('listitem').filter({ hasText: name }).last()
  }
}
