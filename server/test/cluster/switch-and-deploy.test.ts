/** The pods are replaced while the agents restart: they have the new agents' sizes, and none is left after a cancel. */
import { gsoLimit } from '@expresslane/shared/testbed/reading'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { note, progressLine } from '../contract/contract-kit.ts'
import { newIdentity } from '../../src/testbeds/kubernetes/lease/holder.ts'
import { switchAndDeploy } from '../../src/testbeds/kubernetes/switch/switch-and-deploy.ts'
import { setDatapath, type SwitchParts } from '../../src/testbeds/kubernetes/switch/switch.ts'
import { deployWorkload, readWorkload } from '../../src/testbeds/kubernetes/workload/workload.ts'
import { pair } from '../support/runs/pair.ts'
import { ciliumConfig } from './support/kubectl.ts'
import { realParts } from './support/parts.ts'

const namespace = 'expresslane-switch-and-deploy'
const parts: SwitchParts = { ...realParts(namespace), identity: newIdentity() }
const { core } = parts.cluster
const off = { ipv4: false, ipv6: false }
const deployment = { workload: pair, variant: 'other-node' } as const
let found: Readonly<Record<string, string>>

async function podUids(): Promise<Set<string | undefined>> {
  const { items } = await core.listNamespacedPod({ namespace })
  return new Set(items.map(({ metadata }) => metadata?.uid))
}

beforeAll(async () => {
  await setDatapath(parts, off, note())
  found = await ciliumConfig()
  await deployWorkload(parts, pair, 'other-node', note())
})

afterAll(async () => {
  await core.deleteNamespace({ name: namespace })
  await setDatapath(parts, off, note())
})

test('a cancel restores the settings and leaves no pods', async () => {
  const abort = new AbortController()
  const reason = new Error('called off')
  const context = note(abort.signal)
  const switching = switchAndDeploy(parts, { ipv4: true }, deployment, {
    signal: context.signal,
    emit(event) {
      context.emit(event)
      if (progressLine(event)?.includes('init container 3') === true) abort.abort(reason)
    },
  })
  await expect(switching).rejects.toBe(reason)
  expect(await ciliumConfig()).toEqual(found)
  expect(await podUids()).toEqual(new Set())
})

test('the new pods are created before the new agents are ready, and have their sizes', async () => {
  await setDatapath(parts, off, note())
  await deployWorkload(parts, pair, 'other-node', note())
  const before = await podUids()
  const context = note()
  const state = await switchAndDeploy(parts, { ipv4: true }, deployment, context)
  const limits = state.kernel.filter(({ role }) => role === 'pod').map((device) => gsoLimit(device, 'ipv4'))
  expect(limits).toEqual([196_608, 196_608])
  expect(state.unread).toEqual([])
  const workload = await readWorkload(parts, context.signal)
  expect(workload?.placement).toEqual(state.placement)
  expect([...(await podUids())].filter((uid) => before.has(uid))).toEqual([])
  // Created when the old agents were gone, before a new one was ready.
  const lines = context.events.flatMap((event) =>
    event.type === 'command.started' ? [event.typed.slice(0, 20)] : (progressLine(event) ?? []),
  )
  const applied = lines.indexOf('kubectl apply --serv')
  expect(applied).toBeGreaterThan(-1)
  expect(applied).toBeLessThan(lines.findIndex((line) => line.includes('ready, reports')))
})

test('only deploys if the settings are already so', async () => {
  const context = note()
  const state = await switchAndDeploy(parts, { ipv4: true }, deployment, context)
  expect(state.placement).not.toBeNull()
  const typed = context.events.flatMap((event) => (event.type === 'command.started' ? [event.typed] : []))
  expect(typed.filter((line) => line.includes('k8s-app=cilium'))).toEqual([])
})
