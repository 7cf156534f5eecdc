/** The lab about encryption, on the counted machine: a message becomes unreadable. */
import { expect, test } from '../support/app.ts'
import { LabPage } from '../support/lab-page.ts'

test('the lab of encryption: a message is read on the wire, and then not', async ({ page, app }) => {
  test.setTimeout(600_000)
  const lab = await LabPage.start(page, app, 'What encryption costs', 'the counted machine')
  const diagram = page.getByRole('figure', { name: 'A request of 80,000 bytes' })
  await diagram.getByRole('button', { name: 'WireGuard' }).click()
  await expect(diagram).toContainText('cuts into 56 packets, and encrypts each')
  await lab.pass('Preflight', 'Run preflight', 180_000)
  await lab.pass('Read a message', 'Send and listen')
  await expect(lab.result).toContainText('Everybody on the wire can read the message.')
  await lab.pass('Encrypt', 'Choose WireGuard')
  await lab.pass('Try to read it', 'Send and listen')
  await expect(lab.result).toContainText('nobody without the key can read it')
  await expect(lab.path).toContainText('tunnel0')

  // `server/test/features/tunnel-path/tunnels-contract.ts` sends the packets, and the recording has the price.
  await lab.goTo('Restore')
  await lab.press('Restore')
  await lab.expectPassed()
})
