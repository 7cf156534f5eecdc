/** The lab about a cluster's conditions for BIG TCP: it reads them, and an agent refuses to start without one of them. */
import { allowTries, ciliumConfig, currentContext, expect, test } from '../../support/cluster.ts'
import { LabPage } from '../../support/lab-page.ts'

const HANG_MS = 180_000

test('the lab of the bare cluster: its conditions are read, and a try brings back the settings', async ({
  page,
  app,
}) => {
  test.setTimeout(4 * HANG_MS)
  const before = await ciliumConfig()
  const forbid = await allowTries()
  try {
    const lab = await LabPage.start(page, app, 'From a bare cluster to BIG TCP', `cluster ${await currentContext()}`)
    await expect(page.getByRole('figure', { name: /^The way of a packet/ })).toContainText('passed by host routing')
    await lab.pass('The kernel', 'Run preflight', HANG_MS)
    await lab.next('A cluster without a network')
    await lab.pass('Install Cilium', 'Deploy', HANG_MS)
    await lab.pass('Read the conditions', 'Read', HANG_MS)
    await expect(lab.result).toContainText('This is what the kubelet, the agent and the kernel of both nodes have.')
    await expect(lab.result.getByRole('row', { name: /^Next hop to the other pod/ })).toContainText(' by ')

    await lab.goTo('Without host routing')
    await lab.press('Try it')
    await lab.expectPassed(HANG_MS)
    await expect(lab.result).toContainText(
      /Without eBPF host routing the agent (refuses|starts and says): “.*host routing/,
    )
    await expect(lab.result.getByRole('row', { name: /its report with the old settings/ })).toContainText('as before')
    expect(await ciliumConfig()).toEqual(before)
    await lab.goTo('Restore')
    await lab.press('Restore')
    await lab.expectPassed(HANG_MS)
  } finally {
    await forbid()
  }
})
