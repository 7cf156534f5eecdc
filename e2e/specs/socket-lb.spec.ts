/** The lab about a cluster IP, by mouse: its address changes at the socket or on the node, and each place counts its connections. */
import { expect, test } from '../support/app.ts'
import { LabPage } from '../support/lab-page.ts'

test('the lab of socket load balancing: from the start page to Restore', async ({ page, app }) => {
  test.skip(process.getuid?.() !== 0, 'Only root may load the BPF programs of this lab.')
  test.setTimeout(600_000)
  const lab = await LabPage.start(page, app, 'At the socket or in the packet?')
  const diagram = page.getByRole('figure', { name: 'A call of a service' })
  await diagram.getByRole('button', { name: 'Socket' }).click()
  await expect(diagram.getByRole('listitem').first()).toContainText('becomes the backend’s')
  await expect(lab.path).toContainText('No pods are deployed')
  await lab.pass('Preflight', 'Run preflight')
  await lab.pass('Choose the socket', 'Choose the socket')
  await expect(lab.path).toContainText('Chosen for the next pods: Socket')
  await lab.pass('Build the path', 'Build')
  const stages = lab.path.getByRole('list', { name: /^What a packet meets on/ }).getByRole('listitem')
  await expect(stages).toHaveText([
    /^connect\(\).*translates.*has 1 service/,
    /^TC.*no program/,
    /^netfilter.*no rules/,
  ])
  await lab.pass('Read where it is', 'Read')

  await lab.pass('Follow a call at the socket', 'Follow a call')
  await expect(lab.result).toContainText('The packets leave the client with the backend’s address.')
  await lab.pass('Follow a call in the packet', 'Follow a call')
  await expect(lab.result).toContainText('The packets leave the client with the service’s address')
  await expect(stages).toHaveText([/^connect\(\).*no program/, /^TC.*no program/, /^nftables.*translates/])

  await lab.next('Requests on one connection')
  await lab.setRepeats(1, 0.5)
  await lab.press('Measure')
  await lab.expectPassed(240_000)
  await lab.result.getByText(/All \d+ values are as expected/).click()
  await expect(lab.result).toContainText('connections that the program at the client’s sockets translated')
  const verdicts = lab.result.getByRole('region', { name: 'All comparisons' })
  // A single run per side can't support a verdict, and the page says so.
  await expect(verdicts.getByRole('row', { name: /^Socket/ })).toContainText('Too few repeats')
  await lab.goTo('Restore')
  await lab.press('Restore')
  await lab.expectPassed()
  await expect(lab.path).toContainText('No pods are deployed')
})
