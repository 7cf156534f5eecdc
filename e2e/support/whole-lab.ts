/** A lab of BIG TCP on a real cluster, walked on the page from the start page to Restore, and held against kubectl at each step. */
import type { Page } from '@playwright/test'
import type { Family } from '@expresslane/shared/base/units'
import { LEGACY_MAX_SIZE } from '@expresslane/shared/testbed/reading'
import { testbedView } from '@expresslane/shared/wire/protocol'
import type { App } from './app.ts'
import { ciliumConfig, expect, nodesSay, podsSay, sizeToExpect, workloadPods, type NodeSays } from './cluster.ts'
import { LabPage } from './lab-page.ts'

const HANG_MS = 180_000
const pods = ['netperf-client', 'netperf-server']
const legacy = { gso: LEGACY_MAX_SIZE, gro: LEGACY_MAX_SIZE }
const grouped = (size: number): string => size.toLocaleString('en-US')

/** The page shows the sizes that kubectl sees. */
async function expectSeen(lab: LabPage, nodes: readonly NodeSays[], onNodes: number, inPods: number): Promise<void> {
  for (const { node, device } of nodes) {
    expect(await lab.seen(`${node} ${device}`)).toBe(`GSO ${grouped(onNodes)}, GRO ${grouped(onNodes)}`)
  }
  for (const pod of pods) expect(await lab.seen(`${pod} eth0`)).toBe(`GSO ${grouped(inPods)}, GRO ${grouped(inPods)}`)
}

function expectNodes(nodes: readonly NodeSays[], enabled: boolean, size: number): void {
  expect(nodes.length).toBeGreaterThanOrEqual(2)
  for (const { agent, sizes } of nodes) {
    expect(agent).toEqual({ enabled, maxGSO: size, maxGRO: size })
    expect(sizes).toEqual({ gso: size, gro: size })
  }
}

/** The lab, and who serves it. */
interface Walk {
  readonly family: Family
  readonly server: Pick<App, 'link'>
  /** As the server calls the cluster. */
  readonly context: string
  /** The namespace of the workload. */
  readonly namespace: string
}

/** Walks the lab of a family, from a cluster where it is off back to that. */
export async function walkBigTcp(page: Page, { family, server, context, namespace }: Walk): Promise<void> {
  const title = family === 'ipv4' ? 'BIG TCP over IPv4' : 'BIG TCP over IPv6'
  const before = await ciliumConfig()
  const key = `enable-${family}-big-tcp`
  expect(before[key]).toBe('false')
  const off = await nodesSay(family)
  expectNodes(off, false, LEGACY_MAX_SIZE)
  const size = sizeToExpect(off)
  expect(size).toBeGreaterThan(LEGACY_MAX_SIZE)

  const lab = await LabPage.start(page, server, title, `cluster ${context}`)
  await expect(page.getByText(`cluster ${context}, Kubernetes`)).toBeVisible()

  await lab.pass('Preflight', 'Run preflight')
  await expect(lab.result).toContainText(/All \d+ permissions are granted/)

  await lab.pass('Verify that BIG TCP is off', 'Verify')

  await lab.pass('Deploy netperf', 'Deploy', HANG_MS)
  expect(await workloadPods(namespace)).toEqual(pods)
  for (const pod of pods) await expect(lab.device(`${pod} eth0`)).toContainText('64K')

  await lab.pass('Read the sizes', 'Read')
  await expectSeen(lab, off, LEGACY_MAX_SIZE, LEGACY_MAX_SIZE)
  expect(await podsSay(family, namespace)).toEqual(Object.fromEntries(pods.map((pod) => [pod, legacy])))

  const packetsOff = await lab.measure('Baseline')
  expect(Math.round(packetsOff)).toBe(2)

  await lab.pass('Switch BIG TCP on', 'Enable', HANG_MS)
  // The ConfigMap, every agent and every node's device say the same, to kubectl too.
  expect(await ciliumConfig()).toEqual({ ...before, [key]: 'true' })
  const on = await nodesSay(family)
  expectNodes(on, true, size)
  expect(on.map(({ node }) => node).toSorted()).toEqual(off.map(({ node }) => node).toSorted())
  await expect(lab.path).toContainText(/Deploy new pods/)

  await lab.pass('Read again: nodes changed, pods not yet', 'Read')
  await expectSeen(lab, on, size, LEGACY_MAX_SIZE)
  expect(await podsSay(family, namespace)).toEqual(Object.fromEntries(pods.map((pod) => [pod, legacy])))

  await lab.pass('Redeploy the pods', 'Redeploy', HANG_MS)
  for (const pod of pods) expect(await lab.seen(`${pod} eth0`)).toBe(`GSO ${grouped(size)}, GRO ${grouped(size)}`)
  expect(await podsSay(family, namespace)).toEqual(
    Object.fromEntries(pods.map((pod) => [pod, { gso: size, gro: size }])),
  )

  const packetsOn = await lab.measure('Measure again')
  expect(Math.round(packetsOn)).toBe(1)
  expect(packetsOn).toBeLessThan(packetsOff)

  await lab.pass('Compare', 'Compare')
  // The verdict depends on the cluster, but it always has an interval.
  await expect(lab.result).toContainText(/95 % interval .* %, 4 repeats each/)

  await lab.pass('Restore', 'Restore', HANG_MS)
  expect(await ciliumConfig()).toEqual(before)
  expectNodes(await nodesSay(family), false, LEGACY_MAX_SIZE)
  expect(await workloadPods(namespace)).toEqual([])
  const answer = await page.request.get(new URL('/api/testbeds/kubernetes', page.url()).href)
  const { toRestore } = testbedView.parse(await answer.json())
  expect(toRestore).toBeNull()
}
