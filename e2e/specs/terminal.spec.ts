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
