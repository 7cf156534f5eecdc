/** A workshop: an instructor at the board, and people who join it, each in a separate browser. */
import { type Browser, type BrowserContext, type Page, test as base, expect } from '@playwright/test'
import { App } from './app.ts'

export type Guests = 'participants' | 'followers'

export class Workshop<Server extends Pick<App, 'link'> = App> {
  readonly app: Server
  /** The instructor's browser. */
  readonly board: Page
  private readonly browser: Browser
  private readonly contexts: BrowserContext[] = []

  private constructor(app: Server, board: Page, browser: Browser) {
    this.app = app
    this.board = board
    this.browser = browser
  }

  /** @param env the server's environment variables, beside the workshop's own */
  static async open(app: App, browser: Browser, env: Record<string, string> = {}): Promise<Workshop> {
    await app.start({ ...env, EXPRESSLANE_WORKSHOP: '1', HOST: '127.0.0.1' })
    return Workshop.at(app, browser)
  }

  /** @param app a server of a workshop, which runs */
  static async at<Server extends Pick<App, 'link'>>(app: Server, browser: Browser): Promise<Workshop<Server>> {
    const context = await browser.newContext()
    const board = await context.newPage()
    await board.goto(app.link)
    await board.getByRole('link', { name: 'Room' }).click()
    await expect(board.getByRole('heading', { level: 1, name: 'The room' })).toBeVisible()
    const workshop = new Workshop(app, board, browser)
    workshop.contexts.push(context)
    return workshop
  }

  async close(): Promise<void> {
    for (const context of this.contexts) await context.close()
  }

  /** Another browser, without a login. */
  async device(): Promise<Page> {
    const context = await this.browser.newContext()
    this.contexts.push(context)
    return context.newPage()
  }

  /** Opens a door, unless it is open. @returns its link */
  async door(guests: Guests): Promise<string> {
    const door = this.board.getByRole('region', { name: `Door for ${guests}` })
    const open = door.getByRole('button', { name: `Open the door for ${guests}` })
    const close = door.getByRole('button', { name: `Close the door for ${guests}` })
    await expect(open.or(close)).toBeVisible()
    if (await open.isVisible()) await open.click()
    await expect(close).toBeVisible()
    return door.getByText(/^https?:/).innerText()
  }

  /** A person follows the door's link on another device and enters a name. */
  async join(name: string): Promise<Page> {
    const link = await this.door('participants')
    const page = await this.device()
    await page.goto(link)
    await page.getByLabel('Your name').fill(name)
    await page.getByRole('button', { name: 'Join' }).click()
    await expect(page.getByText(`You are ${name}`)).toBeVisible()
    await expect(this.line(name)).toBeVisible()
    return page
  }

  /** A person follows the talk. */
  async follow(): Promise<Page> {
    const link = await this.door('followers')
    const page = await this.device()
    await page.goto(link)
    await page.waitForURL(/\/follow$/)
    return page
  }

  /** A participant's line on the board. */
  line(name: string) {
    return this.board.getByRole('list', { name: 'Participants' }).getByRole('listitem').filter({ hasText: name })
  }

  /** Opens the instructor's actions for a participant. */
  async help(name: string) {
    await this.board.getByRole('button', { name: `Help ${name}` }).click()
    return this.board.getByRole('dialog', { name })
  }
}

/** `test` with a running workshop. */
export const test = base.extend<{ workshop: Workshop }>({
  workshop: async ({ browser }, use) => {
    const app = await App.create()
    const workshop = await Workshop.open(app, browser)
    await use(workshop)
    await workshop.close()
    await app.remove()
  },
})

export { expect } from '@playwright/test'
