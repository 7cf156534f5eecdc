/** A workshop in the middle of a lab, as the presenter, a follower and the instructor see it. */
import { join } from 'node:path'
import type { APIRequestContext, Browser, Page } from '@playwright/test'
import { door, roomView } from '@expresslane/shared/wire/board'
import { me, type GuestRole } from '@expresslane/shared/wire/room'
import { sessionView, type RunStepBody } from '@expresslane/shared/wire/protocol'
import { setTimeout } from 'node:timers/promises'
import { openApp, type BenchApp } from '../support/app.ts'

const LAB = 'big-tcp-ipv4'
const POLL_MS = 1000
/** The participants, by their progress when the picture is taken. */
const names = {
  finished: ['Ada', 'Grace', 'Linus'],
  compared: ['Çağla', 'Edsger', 'Katherine', 'Margaret'],
  measuring: ['Radia', 'Vint'],
  failed: ['Ken'],
  reading: ['Barbara'],
} as const
/** Each follower's answer. */
const answers = ['Faster', 'Faster', 'No difference', 'Faster', 'Slower']

const projector = { width: 1920, height: 1080 }
const desk = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }

interface Participant {
  run(step: string, body: RunStepBody): Promise<void>
}

async function openDoor(app: BenchApp, role: GuestRole): Promise<string> {
  await app.ask('POST', '/api/room/networks', { network: '127.0.0.1' })
  const { link, code } = door.parse(await app.ask('PUT', `/api/room/doors/${role}`, { open: true }))
  if (link === null || code === null) throw new Error(`the door for ${role} is closed`)
  return link
}

async function send(request: APIRequestContext, origin: string, path: string, data: object): Promise<unknown> {
  const answer = await request.post(`${origin}${path}`, { headers: { origin }, data })
  if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`)
  return answer.json()
}

async function enter(app: BenchApp, browser: Browser, code: string, name: string): Promise<Participant> {
  const context = await browser.newContext()
  const { request } = context
  me.parse(await send(request, app.origin, '/api/join', { code, name }))
  const page = await context.newPage()
  await page.goto(app.origin)
  const { session } = sessionView.parse(await send(request, app.origin, '/api/sessions', { labId: LAB }))
  return {
    async run(step, body) {
      await send(request, app.origin, `/api/sessions/${session.id}/steps/${step}/run`, body)
    },
  }
}

async function until(app: BenchApp, holds: (room: ReturnType<typeof roomView.parse>) => boolean): Promise<void> {
  while (!holds(roomView.parse(await app.ask('GET', '/api/room')))) await setTimeout(POLL_MS)
}

/** People at different steps, most of them with a result. */
async function fill(app: BenchApp, browser: Browser): Promise<void> {
  const link = await openDoor(app, 'participant')
  const code = link.slice(link.lastIndexOf('/') + 1)
  const people = new Map<string, Participant>()
  for (const name of Object.values(names).flat()) people.set(name, await enter(app, browser, code, name))
  const all = (who: readonly string[], step: string, body: RunStepBody = { solve: true }) =>
    Promise.all(who.map(async (name) => people.get(name)?.run(step, body)))
  const allEnded = () =>
    until(app, ({ participants }) => participants.every(({ seats }) => seats.every(({ run }) => run === null)))
  const quick = { solve: true, params: { repeats: 4, seconds: 1 } }
  await all([...names.finished, ...names.compared], 'compare', quick)
  await all(names.failed, 'enable', { solve: true, params: { repeats: 1, seconds: 1 } })
  await all(names.reading, 'deploy')
  await allEnded()
  await all(names.finished, 'restore')
  // With BIG TCP on, the check that it is off fails.
  await all(names.failed, 'verify-off', {})
  await allEnded()
  await all(names.measuring, 'baseline', { solve: true, params: { repeats: 3, seconds: 30 } })
  await until(app, ({ queue }) => queue.waiting.length > 0)
}

async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  await setTimeout(POLL_MS)
}

/** Takes `presenter.png`, `follower.png` and `board.png`. */
export async function takeWorkshop(browser: Browser, into: string): Promise<void> {
  const app = await openApp({ EXPRESSLANE_WORKSHOP: '1', HOST: '127.0.0.1' })
  try {
    // Played back: other work on this machine does not change the verdict.
    const session = await app.session(LAB, `recording:${LAB}`)
    await app.run(session, 'measure-on', { solve: true, params: { speed: 20 } })
    const presenter = await (await browser.newContext({ viewport: projector })).newPage()
    await presenter.goto(app.link)
    await presenter.goto(`${app.origin}/labs/${LAB}/sessions/${session}/compare?present`)
    const link = await openDoor(app, 'viewer')
    const followers: Page[] = []
    for (const answer of answers) {
      const follower = await (await browser.newContext({ viewport: phone, deviceScaleFactor: 2 })).newPage()
      await follower.goto(link)
      await follower.getByRole('button', { name: answer }).click()
      followers.push(follower)
    }
    const [follower] = followers
    if (follower === undefined) throw new Error('nobody follows')
    await app.run(session, 'compare', {})
    await settle(follower)
    // Past the prose, to the answers and the result.
    await follower.evaluate((pixels) => window.scrollTo(0, pixels), phone.height * 0.75)
    await presenter.screenshot({ path: join(into, 'presenter.png') })
    await follower.screenshot({ path: join(into, 'follower.png') })
    await fill(app, browser)
    const board = await presenter.context().newPage()
    await board.setViewportSize(desk)
    await board.goto(`${app.origin}/room`)
    await settle(board)
    await board.screenshot({ path: join(into, 'board.png'), fullPage: true })
  } finally {
    await app.close()
  }
}
