/** The labs that measure by an experiment, and the lab that captures: each whole, by mouse, on this machine. */
import { release } from 'node:os'
import { sessionView, testbedsResponse } from '@expresslane/shared/wire/protocol'
import { valueOf } from '@expresslane/shared/measure/measurement'
import { measurementsOf, type RunState } from '@expresslane/shared/run/run-state'
import { expectAllAccessible } from '../support/accessible.ts'
import { expect, test, type App } from '../support/app.ts'
import { LabPage } from '../support/lab-page.ts'
import { playBack } from '../support/slides.ts'

/** A walk's runs as the server has them. */
async function runsOf(app: App, lab: LabPage): Promise<RunState[]> {
  const session = /\/sessions\/([^/]+)/.exec(lab.address)?.[1] ?? ''
  return sessionView.parse(await app.get(`/api/sessions/${session}`)).runs
}

async function lastRun(app: App, lab: LabPage, stepId: string): Promise<RunState> {
  const run = (await runsOf(app, lab)).findLast((one) => one.stepId === stepId)
  if (run === undefined) throw new Error(`no run of ${stepId}`)
  return run
}

async function preflight(lab: LabPage): Promise<void> {
  await lab.pass('Preflight', 'Run preflight')
}

/** The last step, which restores the original settings of the path. */
async function restore(app: App, lab: LabPage): Promise<void> {
  await lab.pass('Restore', 'Restore')
  const { datapath } = testbedsResponse.parse(await app.get('/api/testbeds')).testbeds[0] ?? {}
  expect(datapath).toMatchObject({
    settings: { 'big-tcp-ipv4': false, 'big-tcp-ipv6': false, 'size-limit': null, 'pod-mtu': null },
    placement: null,
  })
}

test('how big is big enough: a map of five limits and seven sizes', async ({ page, app }) => {
  test.setTimeout(600_000)
  const lab = await LabPage.start(page, app, 'How big is big enough?')
  await preflight(lab)
  await lab.pass('What do the devices allow?', 'Look')
  await lab.next('Sweep')
  await lab.setRepeats(1, 1)
  await page.getByLabel('Warm-ups').fill('0')
  await lab.press('Sweep')
  await lab.expectPassed(420_000)
  const map = lab.result.getByRole('region', { name: 'Transactions per second vs. 64K' })
  for (const limit of ['128K', '192K', '256K', '512K']) {
    await expect(map.getByRole('button', { name: new RegExp(`80 kB.*${limit}`) })).toBeVisible()
  }
  await map.getByRole('button', { name: /80 kB.*192K/ }).click()
  await expect(lab.result.getByRole('heading', { name: '80 kB: 192K vs. 64K' })).toBeVisible()

  const run = await lastRun(app, lab, 'sweep')
  const taken = measurementsOf(run)
  expect(taken).toHaveLength(35)
  expect(new Set(taken.map(({ fingerprint }) => fingerprint?.settings['size-limit']))).toEqual(
    new Set([null, 131_072, 196_608, 262_144, 524_280]),
  )
  const packets = (arm: string, caseId: string): number => {
    const one = taken.find((each) => each.arm === arm && each.caseId === caseId)
    return Math.round((one && valueOf(one, 'packetsPerRequest')) ?? Number.NaN)
  }
  expect([packets('64k', 'rr-80000'), packets('128k', 'rr-80000')]).toEqual([2, 1])
  expect([packets('64k', 'rr-160000'), packets('128k', 'rr-160000'), packets('192k', 'rr-160000')]).toEqual([3, 2, 1])
  expect(run.comparisons).toHaveLength(28)
  // A single run per side can't support a verdict.
  expect(new Set(run.comparisons.map(({ comparison }) => comparison.verdict))).toEqual(new Set(['too-few']))

  const swept = lab.address
  await lab.next('Read the map')
  await restore(app, lab)
  await expectAllAccessible(page, [swept])
})

test('a stream at full speed: both tools, both families, with rows as they come', async ({ page, app }) => {
  test.setTimeout(600_000)
  const lab = await LabPage.start(page, app, 'One stream at full speed')
  await preflight(lab)
  for (const [title, stepId, tool] of [
    ['iperf3, without and with BIG TCP', 'iperf3', 'iperf3'],
    ['The same with netperf TCP_STREAM', 'tcp-stream', 'tcp-stream'],
  ] as const) {
    await lab.next(title)
    await lab.setRepeats(1, 2)
    await lab.press('Measure')
    await lab.expectPassed(240_000)
    const run = await lastRun(app, lab, stepId)
    const taken = measurementsOf(run)
    expect(taken.map((one) => `${one.benchmark.tool} ${one.family} ${one.arm}`).toSorted()).toEqual(
      ['ipv4 off', 'ipv4 on', 'ipv6 off', 'ipv6 on'].map((one) => `${tool} ${one}`),
    )
    // How many there are depends on the machine's load: netperf looks at its clock only after a send.
    for (const { samples } of run.repeats) expect(samples.length).toBeGreaterThanOrEqual(1)
    const carried = (arm: string): number[] =>
      taken.flatMap((one) => (one.arm === arm ? [valueOf(one, 'bytesPerPacket') ?? Number.NaN] : []))
    for (const bytes of carried('off')) expect(bytes).toBeLessThanOrEqual(65_536)
    // A packet's size depends on the machine's load; its limit does not.
    for (const bytes of carried('on')) expect(bytes).toBeLessThanOrEqual(196_608)
    expect(
      taken.filter(({ arm, family, fingerprint }) => fingerprint?.settings[`big-tcp-${family}`] === (arm === 'on')),
    ).toHaveLength(4)
    for (const one of taken) {
      expect(valueOf(one, 'cpuSecondsPerGigabit')).toBeGreaterThan(0)
    }
    await expect(lab.result).toContainText('Gbit/s')
  }
  await lab.next('What a gigabit costs')
  await lab.next('Why not faster?')
  await restore(app, lab)
})

// `server/test/headless/headless.integration.test.ts` measures.
test('jumbo frames or BIG TCP, from its recording: four arms in one chart', async ({ page, app }) => {
  const address = await playBack(app, 'jumbo-or-big-tcp', 'jumbo-or-big-tcp', ['four-arms'])
  await page.goto(app.link)
  await page.goto(`${address}/four-arms`)
  const chart = page.getByRole('region', { name: 'Result' }).getByRole('region', { name: '80 kB requests' })
  for (const arm of [
    'MTU 1500, BIG TCP off',
    'MTU 1500, BIG TCP on',
    'MTU 9000, BIG TCP off',
    'MTU 9000, BIG TCP on',
  ]) {
    await expect(chart).toContainText(arm)
  }
})

test('see the packets: two become one, and the headers show how', async ({ page, app }) => {
  const lab = await LabPage.start(page, app, 'See the packets')
  await preflight(lab)
  const payloads = async (stepId: string): Promise<number[]> => {
    const { capture } = await lastRun(app, lab, stepId)
    return (capture?.packets ?? [])
      .filter((one) => one.direction === 'request' && one.payload > 0 && !one.again)
      .map((one) => one.payload)
  }
  for (const [name, family, off] of [
    ['IPv4', 'ipv4', [65_160, 14_840]],
    ['IPv6', 'ipv6', [64_260, 15_740]],
  ] as const) {
    await lab.next(`${name} without BIG TCP`)
    await lab.press('Capture')
    await lab.expectPassed()
    expect(await payloads(`${family}-off`)).toEqual(off)
    await lab.next(`${name} with BIG TCP`)
    await lab.press('Capture')
    await lab.expectPassed()
    expect(await payloads(`${family}-on`)).toEqual([80_000])
    const { capture } = await lastRun(app, lab, `${family}-on`)
    const big = capture?.packets.find(({ payload }) => payload === 80_000)
    expect(big?.lengthField).toBe(0)
    // Over IPv6 the hop-by-hop header has the real length of all that follows the fixed header of 40 bytes; Linux 7 writes none.
    const hasHeader = family === 'ipv6' && Number.parseInt(release(), 10) < 7
    expect(big?.jumbo).toBe(hasHeader ? (big?.length ?? 0) - 40 : null)
    await expect(lab.result).toContainText('80,000')
  }
  const captured = lab.address
  await lab.next('Where the big packets end')
  await restore(app, lab)
  await expectAllAccessible(page, [captured])
})

test('BIG TCP in a tunnel: its limit decides how many packets a transaction takes', async ({ page, app }) => {
  const lab = await LabPage.start(page, app, 'BIG TCP in a tunnel')
  await preflight(lab)
  await lab.pass('Choose a tunnel', 'Choose VXLAN')
  await lab.pass('Build the path', 'Build')
  await lab.pass('Read the limits', 'Read')
  await expect(lab.result).toContainText('tso_max_size')
  await expect(lab.path).toContainText('tunnel0')
  await lab.next('Measure')
  await lab.setRepeats(1, 0.5)
  await lab.press('Measure')
  await lab.expectPassed(240_000)
  const taken = measurementsOf(await lastRun(app, lab, 'measure'))
  // Arms of a second kernel, and of Geneve where the kernel lacks it, are left out on this machine.
  const arms = taken.map(({ arm }) => arm)
  expect(arms.filter((arm) => !arm.startsWith('geneve-')).toSorted()).toEqual(['none-64k', 'vxlan-192k', 'vxlan-64k'])
  for (const one of taken) expect(valueOf(one, 'packetsBetweenNodes')).toBeGreaterThan(0)
  await lab.next('What it means')
  await lab.pass('Restore', 'Restore')
})

test('a pod’s limit: the ping waits in the queue of its own pod', async ({ page, app }) => {
  test.setTimeout(300_000)
  const lab = await LabPage.start(page, app, 'A pod’s limit')
  await preflight(lab)
  await lab.pass('Choose the queue', 'Choose the queue')
  await lab.pass('Build the path', 'Build')
  await lab.pass('Look at the limit', 'Read')
  await lab.next('Drop, queue or pace')
  await lab.setRepeats(1, 3)
  await lab.press('Measure')
  await lab.expectPassed(120_000)
  const taken = measurementsOf(await lastRun(app, lab, 'measure'))
  const [queue, none] = ['tbf', 'none'].map((arm) => taken.find((one) => one.arm === arm))
  // A full queue of 64 KiB packets is 26 ms at 20 Mbit/s; without a limit nothing waits that long.
  expect((queue && valueOf(queue, 'streamPing')) ?? 0).toBeGreaterThan((none && valueOf(none, 'streamPing')) ?? 0)
  expect((queue && valueOf(queue, 'limiterPassed')) ?? 0).toBeGreaterThan(0)
  expect(none && valueOf(none, 'limiterPassed')).toBe(0)
  await lab.goTo('Restore')
  await lab.press('Restore')
  await lab.expectPassed()
})

test('long paths, on the counted machine: slow start after a pause takes several times 40 ms', async ({
  page,
  app,
}) => {
  test.setTimeout(600_000)
  const lab = await LabPage.start(page, app, 'Long paths', 'the counted machine')
  await lab.pass('Preflight', 'Run preflight', 180_000)
  await lab.goTo('The pause before the answer')
  await lab.setRepeats(1)
  await lab.press('Measure')
  await lab.expectPassed(300_000)
  await expect(lab.result).toContainText('ms')
  const taken = measurementsOf(await lastRun(app, lab, 'idle'))
  const paused = ['slow-start', 'no-slow-start'].map((arm) => {
    const one = taken.find((each) => each.arm === arm)
    return (one && valueOf(one, 'countedPausedResponse')) ?? Number.NaN
  })
  // This machine's clock is virtual: the same on any computer, however busy.
  expect(paused[0]).toBeGreaterThan(200)
  expect(paused[1]).toBeLessThan(150)
  await lab.goTo('Restore')
  await lab.press('Restore')
  await lab.expectPassed()
})
