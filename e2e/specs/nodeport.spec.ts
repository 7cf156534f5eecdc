/** The lab of the NodePort feature by mouse: three namespaces, and the hook that handles the packets. */
import { sessionView, testbedsResponse } from '@expresslane/shared/wire/protocol'
import { measurementsOf } from '@expresslane/shared/run/run-state'
import { valueOf } from '@expresslane/shared/measure/measurement'
import { expect, test } from '../support/app.ts'
import { LabPage } from '../support/lab-page.ts'

test('how many services: from the start page to Restore', async ({ page, app }) => {
  test.setTimeout(900_000)
  const lab = await LabPage.start(page, app, 'How many services?')
  await expect(lab.path).toContainText('No pods are deployed')

  await lab.pass('Preflight', 'Run preflight')

  await lab.pass('Choose a hook', 'Choose iptables')
  await expect(lab.path).toContainText('Chosen for the next pods: iptables')
  await expect(lab.path.getByText('handles it')).toHaveCount(0)

  await lab.pass('Build the path', 'Build')
  await expect(lab.result).toContainText('The pods are ready: client, node, backend.')

  await lab.pass('Look at the path', 'Read')
  await expect(lab.result).toContainText('The node forwards with iptables, and with nothing else.')
  const places = lab.path.getByRole('list', { name: 'The way of a packet, from client to backend' })
  await expect(places.getByRole('heading')).toHaveText(['client', 'node', 'backend'])
  const stages = lab.path.getByRole('list', { name: /^Where the node can handle a packet/ }).getByRole('listitem')
  await expect(stages).toContainText(['XDP', 'TC', 'netfilter', 'Routing'])
  await expect(stages.nth(0)).toContainText('no program')
  await expect(stages.nth(2)).toContainText(/iptables\s*handles it\s*rules of 1 service, counted 0 flows/)
  await expect(lab.path.getByText('handles it')).toHaveCount(1)
  await expect(lab.path).toContainText(/Replies come in at eth1\. Connection tracking/)

  await lab.next('Measure')
  await lab.setRepeats(1, 0.5)
  await lab.press('Measure')
  await lab.expectPassed(600_000)
  const chart = lab.result.getByRole('img', { name: /^CPU µs per new flow.* over Services/ })
  await expect(chart).toBeVisible()
  await expect(chart).toHaveAccessibleName(/iptables 1: .*5,000: /)
  // The proof: each arm's hook counted its flows, and no other hook any packet.
  const proof = lab.result.getByText(/All \d+ values are as expected/)
  await proof.click()
  await expect(lab.result).toContainText('iptables, 5,000 services: packets that other hooks counted')
  const list = lab.result.getByRole('region', { name: 'All comparisons' })
  await expect(list).toContainText('Compared with “nftables”')
  await expect(list).not.toContainText('Iptables')
  await expect(lab.result).toContainText('one CPU for client, node and backend')

  const id = /\/sessions\/([^/]+)/.exec(lab.address)?.[1] ?? ''
  const run = sessionView
    .parse(await app.get(`/api/sessions/${id}`))
    .runs.findLast(({ stepId }) => stepId === 'measure')
  const taken = run === undefined ? [] : measurementsOf(run)
  const arms = new Set(taken.map(({ arm }) => arm))
  const ofRoot = process.getuid?.() === 0 ? ['tc', 'xdp'] : []
  expect([...arms]).toEqual(expect.arrayContaining(['nftables', 'iptables', ...ofRoot]))
  expect(taken).toHaveLength(4 * arms.size)
  const services: Record<string, number> = { one: 1, hundred: 100, thousand: 1_000, 'five-thousand': 5_000 }
  for (const one of taken) {
    expect(one.fingerprint?.settings).toMatchObject({
      'nodeport-hook': one.arm,
      'nodeport-services': services[one.caseId ?? ''],
    })
    expect([valueOf(one, 'hookShare'), valueOf(one, 'elsewhere')]).toEqual([1, 0])
    expect(valueOf(one, 'rulesLoadMs')).toBeGreaterThan(0)
  }
  expect(run?.comparisons).toHaveLength(4 * (arms.size - 1))

  await lab.next('What it means')
  await lab.pass('Restore', 'Restore')
  await expect(lab.path).toContainText('No pods are deployed')
  const { testbeds } = testbedsResponse.parse(await app.get('/api/testbeds'))
  expect(testbeds[0]?.datapath?.placement).toBeNull()
})
