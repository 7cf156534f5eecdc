import { expect, test } from '../support/app.ts'
import { expectAccessible } from '../support/accessible.ts'
import { LabPage } from '../support/lab-page.ts'

test('a shell at a place of the path: what it changes shows there, and it outlives a reload', async ({ page, app }) => {
  await LabPage.start(page, app, 'BIG TCP over IPv4')
  await page.getByRole('button', { name: 'Terminal', exact: true }).click()
  const dock = page.getByRole('region', { name: 'Terminals' })

  // Pods are not there yet.
  await dock.getByRole('button', { name: 'Open a terminal at pod1' }).click()
  await expect(dock.getByText('There are no pods on the testbed.')).toBeVisible()

  await dock.getByRole('button', { name: 'Open a terminal at node1' }).click()
  const screen = dock.locator('.xterm-rows')
  await expect(screen).toContainText('node1 / #')
  await page.keyboard.type(
    'ip link set dev eth0 gso_ipv4_max_size 81920 gro_ipv4_max_size 81920; echo left $((40 + 2))\n',
  )
  await expect(screen).toContainText('left 42')
  await expect(page.getByText('80K', { exact: true })).toBeVisible()
  await expectAccessible(page, 'a terminal')

  await page.reload()
  await expect(screen).toContainText('left 42')
  await page.keyboard.type('echo again $((50 + 5))\n')
  await expect(screen).toContainText('again 55')

  // No trap: the focus leaves, and nothing is typed.
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(dock.getByRole('button', { name: 'node1', exact: true })).toBeFocused()

  await dock.getByRole('button', { name: 'End the terminal at node1' }).click()
  await expect(dock.getByRole('button', { name: 'node1', exact: true })).toHaveCount(0)
})

test('in a presentation a terminal has the size of the slides, and leaves the keys to the talk', async ({
  page,
  app,
}) => {
  const lab = await LabPage.start(page, app, 'BIG TCP over IPv4')
  await lab.goTo('Preflight')
  await page.goto(`${lab.address}?present`)
  const dock = page.getByRole('region', { name: 'Terminals' })
  await expect(page.getByRole('heading', { name: 'Preflight' })).toBeVisible()
  await page.keyboard.press('x')
  await dock.getByRole('button', { name: 'Open a terminal at node1' }).click()
  const screen = dock.locator('.xterm-rows')
  await expect(screen).toContainText('node1 / #')
  const size = await screen.evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize))
  expect(size).toBeGreaterThanOrEqual(24)
  // Keys of the talk, which are typed here.
  await page.keyboard.type('echo xx.$((40 + 2))\n')
  await expect(screen).toContainText('xx.42')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(dock.getByRole('button', { name: 'node1', exact: true })).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByText('The lab can run here')).toBeVisible()
  await page.keyboard.press('x')
  await expect(dock).toHaveCount(0)
})

test('output types nothing and takes no title or clipboard, and a paste is only text', async ({ page, app }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await LabPage.start(page, app, 'BIG TCP over IPv4')
  await page.getByRole('button', { name: 'Terminal', exact: true }).click()
  const dock = page.getByRole('region', { name: 'Terminals' })
  await dock.getByRole('button', { name: 'Open a terminal at node1' }).click()
  const screen = dock.locator('.xterm-rows')
  await expect(screen).toContainText('node1 / #')
  await page.evaluate(() => navigator.clipboard.writeText('mine'))
  const title = await page.title()

  // Reports, a title, a clipboard, and a link.
  await page.keyboard.type(
    "printf '\\033[6n\\033[c\\033P$qm\\033\\\\\\033]2;theirs\\007\\033]52;c;dGhlaXJz\\007\\033]8;;http://127.0.0.1/\\007press\\033]8;;\\007'\n",
  )
  await page.keyboard.type('read -rt 1 line; echo "typed ${#line}"\n')
  await expect(screen).toContainText('typed 0')
  await page.reload()
  await expect(screen).toContainText('press')
  await page.locator('.xterm-helper-textarea').focus()
  await page.keyboard.type('read -rt 1 line; echo "again ${#line}"\n')
  // With its prompt, the shell asks for a paste in one piece.
  await expect(screen).toContainText(/again 0\s*node1 \/ #/)
  expect(await page.title()).toBe(title)
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('mine')

  await page.locator('.xterm-helper-textarea').evaluate((element) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', 'echo one\u001b[201~\necho t\u0003wo$((40 + 2))\n')
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })
  // In one piece, which nothing has run.
  await expect(screen).toContainText('echo one[201~')
  await expect(screen).toContainText('echo two$((40 + 2))')
  await page.keyboard.press('Control+C')
  await page.keyboard.type('echo three$((50 + 5))\n')
  await expect(screen).toContainText('three55')
  await expect(screen).not.toContainText('two42')
})
