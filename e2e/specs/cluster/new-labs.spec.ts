/** The lab that captures and the one that measures a stream, on a real cluster: the parts that netns does not show. */
import { valueOf } from '@expresslane/shared/measure/measurement'
import { sessionView } from '@expresslane/shared/wire/protocol'
import { measurementsOf, type RunState } from '@expresslane/shared/run/run-state'
import type { App } from '../../support/app.ts'
import { ciliumConfig, currentContext, expect, test, workloadPods } from '../../support/cluster.ts'
import { LabPage, type LabTitle } from '../../support/lab-page.ts'

const HANG_MS = 180_000

async function start(title: LabTitle, { page, app }: { page: LabPage['page']; app: App }): Promise<LabPage> {
  return LabPage.start(page, app, title, `cluster ${await currentContext()}`)
}

async function lastRun(app: App, lab: LabPage, stepId: string): Promise<RunState> {
  const session = /\/sessions\/([^/]+)/.exec(lab.address)?.[1] ?? ''
  const { runs } = sessionView.parse(await app.get(`/api/sessions/${session}`))
  const run = runs.findLast((one) => one.stepId === stepId)
  if (run === undefined) throw new Error(`no run of ${stepId}`)
  return run
}

test('a stream by iperf3 in both families, and a request on a node: without BIG TCP and with it', async ({
  page,
  app,
}) => {
  test.setTimeout(4 * HANG_MS)
  const before = await ciliumConfig()
  const stream = await start('One stream at full speed', { page, app })
  await stream.goTo('iperf3, without and with BIG TCP')
  await stream.setRepeats(1, 1)
  await stream.press('Measure')
  await stream.expectPassed(HANG_MS)
  const run = await lastRun(app, stream, 'iperf3')
  const taken = measurementsOf(run)
  expect(taken.map(({ arm, family }) => `${arm} ${family}`)).toEqual(['off ipv4', 'off ipv6', 'on ipv4', 'on ipv6'])
  for (const one of taken) {
    // A packet's size depends on the machine's load; its limit does not.
    expect(valueOf(one, 'bytesPerPacket')).toBeLessThanOrEqual(one.arm === 'on' ? 196_608 : 65_536)
    expect(one.fingerprint?.settings[`big-tcp-${one.family}`]).toBe(one.arm === 'on')
  }
  for (const { samples } of run.repeats) expect(samples.length).toBeGreaterThan(0)

  // First with BIG TCP, as the stream left it: each switch restarts the agents.
  const packets = await start('See the packets', { page, app })
  for (const [title, stepId, payloads] of [
    ['IPv4 with BIG TCP', 'ipv4-on', [80_000]],
    ['IPv4 without BIG TCP', 'ipv4-off', [65_160, 14_840]],
  ] as const) {
    await packets.goTo(title)
    await packets.press('Capture')
    await packets.expectPassed(HANG_MS)
    const { capture } = await lastRun(app, packets, stepId)
    const seen = (capture?.packets ?? []).filter(({ direction, payload }) => direction === 'request' && payload > 0)
    expect(seen.map(({ payload }) => payload)).toEqual(payloads)
    // The pods that saw them are gone, the pair is not.
    expect(await workloadPods()).toEqual(['netperf-client', 'netperf-server'])
  }
  await packets.goTo('Restore')
  await packets.press('Restore')
  await packets.expectPassed(HANG_MS)
  expect(await workloadPods()).toEqual([])
  expect(await ciliumConfig()).toEqual(before)
})
