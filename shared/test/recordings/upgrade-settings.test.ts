/** Settings of earlier versions, which named BIG TCP's one by one, by the ids of today. */
import { expect, test } from 'vitest'
import { settingIssues } from '../../src/features/settings.ts'
import { experimentPlan } from '../../src/measure/experiment.ts'
import { upgradeEvent } from '../../src/recordings/upgrade.ts'
import { upgradePlan } from '../../src/recordings/upgrade/settings.ts'
import { runEvent } from '../../src/run/events.ts'

const one = (id: string, family: string) => ({
  id,
  label: id,
  family,
  benchmark: { tool: 'tcp-rr', requestBytes: 1, responseBytes: 1 },
})
const oldPlan = (...families: string[]) => ({
  arms: [
    { id: 'off', label: 'Off', bigTcp: false },
    { id: '128k', label: '128K', bigTcp: true, limit: 131_072, mtu: 9_000 },
  ],
  cases: families.map((family, index) => one(`c${index}`, family)),
  design: { order: 'sequential', repeats: 1, seconds: 1, warmups: 0, budget: null },
})

test('an arm applies to the families that its plan measures', () => {
  const { arms } = experimentPlan.parse(upgradePlan(oldPlan('ipv4', 'ipv6', 'ipv4')))
  expect(arms.map(({ settings }) => settings)).toEqual([
    { 'big-tcp-ipv4': false, 'big-tcp-ipv6': false, 'size-limit': null, 'pod-mtu': null },
    { 'big-tcp-ipv4': true, 'big-tcp-ipv6': true, 'size-limit': 131_072, 'pod-mtu': 9_000 },
  ])
  expect(arms.flatMap(({ settings }) => settingIssues(settings))).toEqual([])
  const ipv6 = experimentPlan.parse(upgradePlan(oldPlan('ipv6')))
  expect(ipv6.arms[1]?.settings).toEqual({ 'big-tcp-ipv6': true, 'size-limit': 131_072, 'pod-mtu': 9_000 })
})

test('plans are upgraded in all places, and current plans are unchanged', () => {
  const plan = upgradePlan(oldPlan('ipv4'))
  expect(upgradePlan(plan)).toEqual(plan)
  expect(upgradeEvent({ type: 'experiment.planned', plan: oldPlan('ipv4') })).toMatchObject({ plan })
  const started = { type: 'run.started', params: { seconds: 1, plan: oldPlan('ipv4') } }
  expect(upgradeEvent(started)).toMatchObject({ params: { seconds: 1, plan } })
})

test('a path keeps the requested settings and those of each agent', () => {
  const agent = { node: 'a', overriddenBy: null, maxGso: { ipv4: null, ipv6: null }, unreadable: null }
  const silent = { ...agent, setting: null, unreadable: 'no answer' }
  const path = { at: 1, kernel: [], unread: [], placement: null, intended: { ipv4: true, ipv6: false } }
  const agents = [{ ...agent, setting: { ipv4: false, ipv6: true } }, silent]
  const event = runEvent.parse(upgradeEvent({ type: 'datapath.read', datapath: { ...path, limit: 131_072, agents } }))
  expect(event).toMatchObject({
    datapath: {
      settings: { 'big-tcp-ipv4': true, 'big-tcp-ipv6': false, 'size-limit': 131_072, 'pod-mtu': null },
      agents: [{ settings: { 'big-tcp-ipv4': false, 'big-tcp-ipv6': true } }, { settings: null }],
    },
  })
  expect(upgradeEvent(event)).toEqual(event)
})

test('a fingerprint keeps its limit and the MTU that was read; the requested MTU is unknown', () => {
  const fingerprint = { setting: { ipv4: true, ipv6: false }, limit: null, mtu: 1500, placement: null }
  const taken = { type: 'measurement.taken', measurement: { tool: 'tcp-rr', fingerprint } }
  expect(upgradeEvent(taken)).toMatchObject({
    measurement: {
      fingerprint: { settings: { 'big-tcp-ipv4': true, 'big-tcp-ipv6': false, 'size-limit': null }, mtu: 1500 },
    },
  })
})
