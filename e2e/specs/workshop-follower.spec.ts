import type { Page } from '@playwright/test'
import { runAccepted, sessionView } from '@expresslane/shared/wire/protocol'
import { newInvitation } from '@expresslane/shared/wire/board'
import { colorRules, expectAccessible } from '../support/accessible.ts'
import { expect, test, type Workshop } from '../support/workshop.ts'

const LAB = 'big-tcp-ipv4'
const phone = { width: 360, height: 740 }

/** The presenter, as far as a follower sees it: a session that plays a recording, at a step. */
class Talk {
  private readonly workshop: Workshop
  private readonly session: string

  private constructor(workshop: Workshop, session: string) {
    this.workshop = workshop
    this.session = session
  }

  static async begin(workshop: Workshop, stepId: string): Promise<Talk> {
    const { app } = workshop
    const view = sessionView.parse(await app.send('POST', '/api/sessions', { labId: LAB, testbed: `recording:${LAB}` }))
    await app.send('PUT', '/api/presentation', { sessionId: view.session.id, stepId })
    return new Talk(workshop, view.session.id)
  }

  async do(command: object): Promise<void> {
    await this.workshop.app.send('POST', '/api/presentation/commands', command)
  }

  go(stepId: string): Promise<void> {
    return this.do({ do: 'go', stepId })
  }

  /** Plays the recording up to a step, and returns when that has ended. */
  async play(stepId: string): Promise<void> {
    const { app } = this.workshop
    const path = `/api/sessions/${this.session}`
    runAccepted.parse(await app.send('POST', `${path}/steps/${stepId}/run`, { params: { speed: 20 }, solve: true }))
    await expect
      .poll(async () => {
        const { runs } = sessionView.parse(await app.get(path))
        return runs.findLast((run) => run.stepId === stepId)?.state
      })
      .toBe('completed')
  }
}

const step = (page: Page, name: string) => page.getByRole('heading', { level: 2, name, exact: true })
const connection = (page: Page) => page.getByRole('status', { name: 'Connection' })
const verdict = (page: Page) => page.getByRole('group', { name: 'Verdict' })

test('a late follower sees all from the start, and then what happens', async ({ workshop }) => {
  const talk = await Talk.begin(workshop, 'baseline')
  await talk.play('baseline')
  const page = await workshop.follow()
  await expect(step(page, 'Baseline')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Result' }).getByText('Passed', { exact: true })).toBeVisible()
  await expect(page.getByRole('log', { name: 'Output' })).toContainText('netperf')
  await expect(page.getByRole('region', { name: 'The path, as recorded' })).toContainText('node1')
  expect(new URL(page.url()).pathname).toBe('/follow')
  await talk.go('compare')
  await expect(step(page, 'Compare')).toBeVisible()
  await talk.play('compare')
  await expect(verdict(page)).toContainText('Improved')
})

test('a follower loses the network, sees how old the page is, and misses nothing', async ({ workshop }) => {
  const talk = await Talk.begin(workshop, 'why')
  const page = await workshop.follow()
  await expect(step(page, 'Why bigger packets?')).toBeVisible()
  // Before it is connected it has nothing that could be old.
  await expect(connection(page)).toHaveText('live')
  const opened: string[] = []
  page.on('websocket', (socket) => opened.push(socket.url()))
  await page.context().setOffline(true)
  await expect(page.getByText('No connection')).toBeVisible()
  await expect(page.getByText(/What you see is .* old/)).toBeVisible()
  await talk.go('compare')
  await talk.play('compare')
  await expect(step(page, 'Why bigger packets?')).toBeVisible()
  await page.context().setOffline(false)
  await expect(connection(page)).toHaveText('live')
  await expect(page.getByText('No connection')).toBeHidden()
  await expect(verdict(page)).toContainText('Improved')
  expect(opened.at(-1)).toMatch(/\?after=\d+$/)
})

test('a follower looks around and comes back; the presenter blanks the screen and ends', async ({ workshop }) => {
  const talk = await Talk.begin(workshop, 'preflight')
  await talk.play('preflight')
  const page = await workshop.follow()
  await page.getByRole('button', { name: 'Look around' }).click()
  await page.getByRole('combobox', { name: 'Step' }).selectOption('why')
  await expect(step(page, 'Why bigger packets?')).toBeVisible()
  await talk.go('compare')
  await expect(step(page, 'Why bigger packets?')).toBeVisible()
  await page.getByRole('button', { name: 'Back to live' }).click()
  await expect(step(page, 'Compare')).toBeVisible()
  await talk.do({ do: 'blank', on: true })
  await expect(page.getByText(/has blanked the screen/)).toBeVisible()
  await talk.do({ do: 'blank', on: false })
  await expect(step(page, 'Compare')).toBeVisible()
  await workshop.app.send('DELETE', '/api/presentation')
  await expect(page.getByText('The talk is over')).toBeVisible()
})

test('an answer arrives in the presenter’s tally', async ({ workshop }) => {
  const talk = await Talk.begin(workshop, 'compare')
  const [one, other] = [await workshop.follow(), await workshop.follow()]
  await one.getByRole('button', { name: 'Faster' }).click()
  await other.getByRole('button', { name: 'Slower' }).click()
  await expect(other.getByRole('button', { name: /Faster\s*1/ })).toBeVisible()
  const answers = async (): Promise<unknown> => workshop.app.get('/api/presentation')
  await expect
    .poll(answers)
    .toMatchObject({ presentation: { poll: { answers: { faster: 1, slower: 1, 'no-difference': 0 } }, followers: 2 } })
  await talk.play('compare')
  await expect(one.getByText(/Answers are closed/)).toBeVisible()
  await expect(verdict(one)).toBeVisible()
})

test('a follower whose access is taken back sees that, also after a reload', async ({ workshop }) => {
  await Talk.begin(workshop, 'why')
  const { app } = workshop
  const { link, invitation } = newInvitation.parse(await app.send('POST', '/api/room/invitations', { role: 'viewer' }))
  const page = await workshop.device()
  await page.goto(`${app.origin}${new URL(link).pathname}`)
  await expect(step(page, 'Why bigger packets?')).toBeVisible()
  await app.send('DELETE', `/api/room/invitations/${invitation.id}`)
  await expect(page.getByText('This browser has no access any more')).toBeVisible()
  await page.reload()
  await expect(page.getByText('This page needs the presenter’s link')).toBeVisible()
})

test('the page passes axe in both themes, and fits 360 px', async ({ workshop }) => {
  const talk = await Talk.begin(workshop, 'compare')
  await talk.play('compare')
  const page = await workshop.follow()
  for (const stepId of ['why', 'preflight', 'baseline', 'compare']) {
    await talk.go(stepId)
    await expect(page.getByText(/^Step \d+ of 12$/)).toBeVisible()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize(phone)
      await page.reload()
      await expect(connection(page)).toHaveText('live')
      await expect(page.getByText(/^Step \d+ of 12$/)).toBeVisible()
      await expectAccessible(page, `${stepId} in ${colorScheme}`, colorScheme === 'light' ? undefined : colorRules)
      expect(await page.evaluate(() => document.documentElement.scrollWidth), stepId).toBeLessThanOrEqual(phone.width)
    }
  }
})
