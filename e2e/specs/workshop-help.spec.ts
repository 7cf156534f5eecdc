/** Help in a workshop: hands in order, and an instructor who looks at a terminal, and types in it, with consent. */
import type { Page } from '@playwright/test'
import { colorRules, expectAccessible } from '../support/accessible.ts'
import { LabPage, type LabTitle } from '../support/lab-page.ts'
import { expect, test, type Workshop } from '../support/workshop.ts'

const lab: LabTitle = 'BIG TCP over IPv4'
/** The counted machine starts on processors that other tests use, too. */
const HANG_MS = 180_000

async function begin(page: Page, on: string): Promise<LabPage> {
  await page.getByRole('button', { name: `Start: ${lab} on own testbed on ${on}`, exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: lab })).toBeVisible()
  return new LabPage(page)
}

const hands = ({ board }: Workshop) => board.getByRole('list', { name: 'Hands up' }).getByRole('listitem')

async function expectAccessibleInBothThemes(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expectAccessible(page, colorScheme, colorScheme === 'light' ? undefined : colorRules)
  }
}

test('hands are up in order, through a reload and a killed server, until either lowers them', async ({ workshop }) => {
  const [bob, ada] = [await workshop.join('Bob'), await workshop.join('Ada')]
  await begin(bob, 'this machine')
  await bob.getByRole('button', { name: 'I’m stuck' }).click()
  await expect(bob.getByText('Hand up, nobody before you.')).toBeVisible()
  const walk = await begin(ada, 'this machine')
  await walk.goTo('Preflight')
  await ada.getByRole('button', { name: 'I’m stuck' }).click()
  await expect(ada.getByText('Hand up, 1 before you.')).toBeVisible()
  await ada.getByRole('button', { name: 'Let the instructor look' }).click()
  await expect(workshop.board.getByRole('button', { name: 'Look at the session of Ada' })).toBeVisible()
  await ada.reload()
  await expect(ada.getByText('Hand up, 1 before you. The instructor may look')).toBeVisible()
  await workshop.app.end('SIGKILL')
  await workshop.app.start({ EXPRESSLANE_WORKSHOP: '1', HOST: '127.0.0.1' })
  // The consent is gone, and the hand is not.
  await expect(ada.getByText('Hand up, 1 before you. Only you see your terminals.')).toBeVisible()

  await expect(hands(workshop)).toContainText([/Bob.*BIG TCP over IPv4/, /Ada.*BIG TCP over IPv4: Preflight/])
  await expect(workshop.board.getByRole('button', { name: 'Look at the session of' })).toHaveCount(0)
  await workshop.board.getByRole('button', { name: 'Lower the hand of Bob' }).click()
  await expect(ada.getByText('Hand up, nobody before you.')).toBeVisible()
  await expect(bob.getByRole('button', { name: 'I’m stuck' })).toBeVisible()
  await ada.getByRole('button', { name: 'Lower my hand' }).click()
  await expect(workshop.board.getByText('Nobody is stuck.')).toBeVisible()
})

test('the instructor looks at a terminal and types in it, each with consent, until the participant ends it', async ({
  workshop,
}) => {
  test.setTimeout(4 * HANG_MS)
  const { board } = workshop
  const ada = await workshop.join('Ada')
  const walk = await begin(ada, 'the counted machine')
  await walk.pass('Preflight', 'Run preflight', HANG_MS)
  await ada.getByRole('button', { name: 'Terminal', exact: true }).click()
  const own = ada.getByRole('region', { name: 'Terminals' })
  await own.getByRole('button', { name: 'Open a terminal at node1' }).click()
  await expect(own.locator('.xterm-rows')).toContainText('node1 / #', { timeout: HANG_MS })
  await ada.keyboard.type('echo hers $((40 + 2))\n')
  await expect(own.locator('.xterm-rows')).toContainText('hers 42')

  await ada.getByRole('button', { name: 'I’m stuck' }).click()
  await expect(hands(workshop)).toContainText('Does not let you look.')
  const consent = ada.getByRole('button', { name: 'Let the instructor look' })
  await consent.click()
  await board.getByRole('button', { name: 'Look at the session of Ada' }).click()
  await expect(board.getByRole('heading', { level: 2, name: 'Preflight' })).toBeVisible()
  await expect(new LabPage(board).result.getByText('Passed', { exact: true })).toBeVisible()
  const watched = board.getByRole('region', { name: 'Terminals of the participant' })
  const screen = watched.locator('.xterm-rows')
  await expect(screen).toContainText('hers 42')
  const banner = ada.getByText('The instructor sees your step and terminals')
  await expect(banner).toBeVisible()
  await expectAccessibleInBothThemes(board)
  await expectAccessibleInBothThemes(ada)

  await watched.getByText('Read-only').waitFor()
  await watched.locator('.xterm-screen').click()
  await board.keyboard.type('refused')
  await board.getByRole('button', { name: 'Ask to type' }).click()
  await ada.getByRole('button', { name: 'Allow typing' }).click()
  await expect(watched.getByText('You can type.')).toBeVisible()
  await watched.locator('.xterm-screen').click()
  await board.keyboard.type('echo theirs $((50 + 5))\n')
  for (const rows of [screen, own.locator('.xterm-rows')]) {
    await expect(rows).toContainText('theirs 55')
    await expect(rows).not.toContainText('refused')
  }

  await ada.getByRole('button', { name: 'End', exact: true }).click()
  await expect(board.getByText('The sharing has ended.')).toBeVisible()
  await expect(watched).toHaveCount(0)
  await expect(banner).toHaveCount(0)
  await expect(consent).toBeVisible()

  await consent.click()
  await board.getByRole('button', { name: 'Look', exact: true }).click()
  await expect(watched.getByText('Read-only')).toBeVisible()
  await board.getByRole('link', { name: 'Room' }).click()
  await expect(banner).toHaveCount(0)
  await board.getByRole('link', { name: 'Audit log' }).click()
  for (const action of ['begins typing', 'stops typing', 'PUT /api/sessions/:id/sharing']) {
    await expect(board.getByRole('row').filter({ hasText: action }).first()).toBeVisible()
  }
})
