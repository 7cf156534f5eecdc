/** The lab about the devices between pod and node, by mouse: forwarding goes off, the pings go on, and stop with the programs. */
import { sessionView, testbedsResponse } from '@expresslane/shared/wire/protocol'
import { measurementsOf } from '@expresslane/shared/run/run-state'
import { valueOf } from '@expresslane/shared/measure/measurement'
import { expect, test } from '../support/app.ts'
import { LabPage } from '../support/lab-page.ts'

test('the lab of pod devices: from the start page to Restore', async ({ page, app }) => {
  test.skip(process.getuid?.() !== 0, 'Only root may load the BPF programs of this lab.')
  test.setTimeout(900_000)
  const lab = await LabPage.start(page, app, 'What lies between pod and node?')
  await expect(lab.path).toContainText('No pods are deployed')
  await lab.pass('Preflight', 'Run preflight')

  await lab.pass('Choose eBPF host routing', 'Choose host routing')
  await expect(lab.path).toContainText('Chosen for the next pods: veth, eBPF host routing')
  await lab.pass('Build the path', 'Build')
  await lab.pass('Look at the path', 'Read')
  await expect(lab.result).toContainText('The pods run with veth and eBPF host routing. They reach each other.')
  const places = lab.path.getByRole('list', { name: 'The way of a packet, from client to server' })
  await expect(places.getByRole('heading')).toHaveText(['pod1', 'node1', 'node2', 'pod2'])
  const layers = lab.path.getByRole('list', { name: /^What a packet meets on node1/ }).getByRole('listitem')
  await expect(layers).toContainText(['lxc1', 'BPF programs', 'IP layer', 'netfilter', 'eth0'])
  await expect(layers.nth(1)).toContainText('handles it')
  await expect(layers.nth(2)).toContainText(/skipped.*forwarded 0 packets/)

  await lab.pass('Turn forwarding off', 'Turn forwarding off')
  await lab.pass('See the pings go on', 'Build with forwarding off')
  await expect(lab.path).toContainText('Pings from pod to pod are answered over IPv4 and IPv6.')
  await expect(layers.nth(2)).toContainText('forwarding is off')
  await lab.pass('Take the programs away', 'Take the programs away')
  await lab.pass('See the pings stop', 'Build without programs')
  await expect(lab.path).toContainText('Pings from pod to pod are not answered over IPv4 or IPv6.')

  await lab.next('Measure')
  await lab.setRepeats(1, 0.5)
  await lab.press('Measure')
  await lab.expectPassed(600_000)
  await lab.result.getByText(/All \d+ values are as expected/).click()
  await expect(lab.result).toContainText('packets that the nodes’ IP layer forwarded')

  const id = /\/sessions\/([^/]+)/.exec(lab.address)?.[1] ?? ''
  const run = sessionView
    .parse(await app.get(`/api/sessions/${id}`))
    .runs.findLast(({ stepId }) => stepId === 'measure')
  const taken = run === undefined ? [] : measurementsOf(run)
  // A kernel without netkit leaves out netkit's arms.
  expect([...new Set(taken.map(({ arm }) => arm))]).toEqual(
    expect.arrayContaining(['host', 'veth', 'veth-conntrack', 'veth-bpf']),
  )
  for (const one of taken) {
    const isForwarded = one.arm === 'veth' || one.arm === 'veth-conntrack' || one.arm === 'netkit'
    expect((valueOf(one, 'forwardedPackets') ?? 0) > 0).toBe(isForwarded)
    expect((valueOf(one, 'redirectedPackets') ?? 0) > 0).toBe(one.arm.endsWith('-bpf'))
  }

  await lab.next('Short connections')
  await lab.next('One stream')
  await lab.next('BIG TCP on top')
  await lab.next('What it means')
  await lab.pass('Restore', 'Restore')
  await expect(lab.path).toContainText('No pods are deployed')
  const { testbeds } = testbedsResponse.parse(await app.get('/api/testbeds'))
  expect(testbeds[0]?.datapath?.placement).toBeNull()
})
