import { BIG_TCP_CAP, bigTcpSize } from '@expresslane/shared/features/big-tcp/size'
import { LEGACY_MAX_SIZE } from '@expresslane/shared/testbed/reading'
import { testbedsResponse } from '@expresslane/shared/wire/protocol'
import { expect, test } from '../support/app.ts'
import { LabPage } from '../support/lab-page.ts'

const grouped = (size: number): string => size.toLocaleString('en-US')

// `lab-by-keyboard.spec.ts` walks the lab over IPv6.
test('the whole IPv4 lab by mouse', async ({ page, app }) => {
  const lab = await LabPage.start(page, app, 'BIG TCP over IPv4')
  await lab.expectStep('Why bigger packets?')

  await lab.pass('Preflight', 'Run preflight')
  await expect(lab.result.getByRole('list', { name: 'Preflight checks' }).getByRole('listitem').first()).toBeVisible()

  await lab.pass('Verify that BIG TCP is off', 'Verify')

  await lab.pass('Deploy netperf', 'Deploy')
  await expect(lab.result).toContainText('10.31.2.2')
  await expect(lab.result).toContainText('fd00:31:2::2')

  await lab.pass('Read the sizes', 'Read')
  for (const device of ['pod1 eth0', 'node1 eth0', 'node2 eth0', 'pod2 eth0']) {
    expect(await lab.seen(device)).toContain(grouped(LEGACY_MAX_SIZE))
  }

  const before = await lab.measure('Baseline')
  expect(Math.round(before)).toBe(2)

  // The size that the devices allow, as the testbed itself reports it.
  const { testbeds } = testbedsResponse.parse(await app.get('/api/testbeds'))
  const size = bigTcpSize(testbeds[0]?.datapath?.kernel ?? [])
  expect(size).not.toBeNull()
  expect(size).toBeLessThanOrEqual(BIG_TCP_CAP)

  await lab.pass('Switch BIG TCP on', 'Enable')
  await expect(lab.path).toContainText(/Deploy new pods/)
  await expect(lab.path.getByText('was 64K').first()).toBeVisible()

  await lab.pass('Read again: nodes changed, pods not yet', 'Read')
  expect(await lab.seen('node1 eth0')).toContain(grouped(size ?? 0))
  expect(await lab.seen('pod1 eth0')).toContain(grouped(LEGACY_MAX_SIZE))

  await lab.pass('Redeploy the pods', 'Redeploy')
  expect(await lab.seen('pod1 eth0')).toContain(grouped(size ?? 0))
  expect(await lab.seen('pod2 eth0')).toContain(grouped(size ?? 0))

  const after = await lab.measure('Measure again')
  expect(Math.round(after)).toBe(1)
  expect(after).toBeLessThan(before)

  await lab.pass('Compare', 'Compare')
  // The verdict depends on the machine, but it always has an interval.
  await expect(lab.result).toContainText(/95 % interval .* %, 4 repeats each/)
  await expect(lab.result.getByRole('region', { name: 'Comparison' })).toContainText(/p [<=] [01]/)

  await lab.pass('Restore', 'Restore')
  const restored = testbedsResponse.parse(await app.get('/api/testbeds')).testbeds[0]?.datapath
  expect(restored?.settings).toMatchObject({ 'big-tcp-ipv4': false, 'big-tcp-ipv6': false })
  expect(restored?.placement).toBeNull()
})
