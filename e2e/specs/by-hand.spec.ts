/** A walk with buttons and by hand: the datapath decides, a hint says what is missing, and Restore undoes what was typed. */
import { expect, test } from '../support/app.ts'
import { expectAccessible } from '../support/accessible.ts'
import { LabPage } from '../support/lab-page.ts'

test('a step done in a terminal passes its check, and Restore names and undoes the rest', async ({ page, app }) => {
  const lab = await LabPage.start(page, app, 'BIG TCP over IPv4')
  const byHand = page.locator('details', { hasText: 'Do it yourself' })
  const dock = page.getByRole('region', { name: 'Terminals' })
  const screen = dock.locator('.xterm-rows')
  const check = async () => byHand.getByRole('button', { name: 'Check' }).click()
  const type = async (line: string) => {
    await page.locator('.xterm-helper-textarea').focus()
    await page.keyboard.type(`${line}\n`)
  }

  await lab.goTo('Read the sizes')
  await page.getByRole('button', { name: 'Solve' }).click()
  await expect(page.getByText('Passed', { exact: true })).toBeVisible()

  await lab.goTo('Switch BIG TCP on')
  await byHand.getByText('Do it yourself').click()
  await expect(byHand.getByText('Runs ip in a named network namespace.')).toBeVisible()
  await byHand.getByRole('button', { name: 'Open the terminals' }).click()
  await dock.getByRole('button', { name: 'Open a terminal at node1' }).click()
  await expect(screen).toContainText('node1 / #')
  await expectAccessible(page, 'a step by hand')
  // The size of IPv6, which is not this lab's.
  await type('ip link set dev eth0 gso_max_size 196608 gro_max_size 196608')
  await check()
  await expect(page.getByText('which is for IPv6. For IPv4 it is gso_ipv4_max_size')).toBeVisible()
  await type('for n in 1 2; do ip -n node$n link set dev eth0 gso_ipv4_max_size 196608 gro_ipv4_max_size 196608; done')
  await expect(page.getByText('192K', { exact: true })).toHaveCount(2)
  await check()
  await expect(page.getByText(/^Done by hand\. BIG TCP is on for IPv4/)).toBeVisible()

  await lab.goTo('Redeploy the pods')
  await byHand.getByText('Do it yourself').click()
  await check()
  await expect(page.getByText(/pod1 still has 65,536: it was created before the switch/)).toBeVisible()
  await type(await byHand.locator('code', { hasText: 'lxc$n' }).innerText())
  await expect(page.getByText('192K', { exact: true })).toHaveCount(6)
  await check()
  await expect(page.getByText('Done by hand. The pods have the expected settings.')).toBeVisible()

  await lab.goTo('Measure again')
  await byHand.getByText('Do it yourself').click()
  await type('ip netns exec pod1 netperf -H 10.31.2.2 -t TCP_RR -l -200 -P 0 -- -r 80000,80000 -k THROUGHPUT')
  const measured = byHand.getByRole('region', { name: 'Measured by hand' })
  await expect(measured.getByRole('listitem')).toContainText(/^[\d,]+ transactions\/s: ip netns exec pod1 netperf/)
  // By the button, on the path that was set by hand.
  await lab.setRepeats(1, 1)
  await lab.press('Measure')
  await lab.expectPassed()

  await type('ip route add 198.51.100.0/24 dev eth0')
  await lab.goTo('Restore')
  await lab.press('Restore')
  await lab.expectPassed()
  await expect(lab.result.getByText(/original settings again\. \d+ changes? by hand (is|are) undone\./)).toBeVisible()
  await expect(lab.result.getByRole('row', { name: /node1 added 198\.51\.100\.0\/24/ })).toBeVisible()
  await expect(page.getByText('64K', { exact: true })).toHaveCount(2)
  await expect(dock.getByRole('button', { name: 'node1', exact: true })).toHaveCount(0)
})
