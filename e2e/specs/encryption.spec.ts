/** The lab about encryption, on the counted machine: a message becomes unreadable, and plain packets of one MTU carry most of the price. */
import { valueOf } from '@expresslane/shared/measure/measurement'
import { measurementsOf } from '@expresslane/shared/run/run-state'
import { sessionView } from '@expresslane/shared/wire/protocol'
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

  await lab.next('Measure')
  await lab.setRepeats(1)
  await lab.press('Measure')
  await lab.expectPassed(240_000)
  await lab.result.getByText(/All \d+ values are as expected/).click()
  const id = /\/sessions\/([^/]+)/.exec(lab.address)?.[1] ?? ''
  const { runs } = sessionView.parse(await app.get(`/api/sessions/${id}`))
  const run = runs.findLast(({ stepId }) => stepId === 'measure')
  const bulk = (run === undefined ? [] : measurementsOf(run)).filter(({ caseId }) => caseId === 'bulk')
  expect(bulk.map(({ arm }) => arm).toSorted()).toEqual(['esp', 'plain', 'plain-mtu', 'wireguard'])
  // Instructions, which are the same on any machine: the lost big packets cost several times as much, with no key involved.
  const rate = (arm: string): number => {
    const one = bulk.find((each) => each.arm === arm)
    return (one && valueOf(one, 'countedTps')) ?? Number.NaN
  }
  expect(rate('plain')).toBeGreaterThan(3 * rate('plain-mtu'))
  expect(rate('plain-mtu')).toBeGreaterThan(1.5 * rate('wireguard'))
  await lab.goTo('Restore')
  await lab.press('Restore')
  await lab.expectPassed()
})
