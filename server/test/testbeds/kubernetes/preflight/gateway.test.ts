/** A cluster with Cilium's own gateway between IPv4 and IPv6: recognised by what it recorded, and left as it is. */
import type { Check } from '@expresslane/shared/testbed/testbed'
import { clusterChecks as ofFeatures } from '../../../../src/features/registry.ts'
import { describe, expect, test } from 'vitest'
import { clusterFacts, type ClusterReading } from '../../../../src/testbeds/kubernetes/facts/cluster-reading.ts'
import { clusterChecks } from '../../../../src/testbeds/kubernetes/preflight/checks.ts'
import { parseCiliumStatus } from '../../../../src/tools/cilium-status.ts'
import { recordedCluster, recordedSettings, recordedStatuses } from '../recorded.ts'
import { NOW } from './preflight-case.ts'
import { both, says, settings, unreadable, withAgents, type Change } from './preflight-changes.ts'

const KEY = 'enable-nat46x64-gateway'

/** As the cluster was recorded with the gateway: its agents, and their ConfigMap. */
const agentsHaveIt = withAgents((agent) => ({
  ...agent,
  status: parseCiliumStatus(JSON.stringify(recordedStatuses('nat46x64')[agent.node])),
}))
const askedFor: Change = (reading) => ({ ...reading, settings: recordedSettings('nat46x64') })
/** Agents that report no features, as without a replacement of kube-proxy. */
const silent = says({ 'kube-proxy-replacement': { mode: 'False' } })

const clusterWith = (change: Change): ClusterReading => change(recordedCluster('off'))

function checkOf(change: Change): Check | undefined {
  return [...clusterChecks(clusterWith(change), ofFeatures(), NOW)].find(({ id }) => id === 'nat46x64-gateway')
}

describe('the gateway between IPv4 and IPv6', () => {
  test.each<[name: string, change: Change, fact: string | null]>([
    ['is off', (reading) => reading, 'Disabled'],
    ['is on', both(agentsHaveIt, askedFor), '64:ff9b::/96'],
    ['is asked for, and no agent has it yet', askedFor, 'Disabled'],
    [
      'is on without a prefix',
      says({ 'kube-proxy-replacement': { features: { nat46X64: { gateway: { enabled: true } } } } }),
      'Enabled',
    ],
    ['is asked for, and no agent reports it', both(askedFor, silent), 'Enabled'],
    ['is switched off, and no agent reports it', both(settings({ [KEY]: 'false' }), silent), 'Disabled'],
    ['is nowhere', silent, null],
    ['can’t be read', both(askedFor, unreadable), null],
  ])('%s', (_, change, fact) => {
    expect(clusterFacts(clusterWith(change)).nat46x64Gateway).toBe(fact)
  })

  test('where it is on, the preflight says what it does to IPv4, and blocks nothing', () => {
    expect(checkOf(both(agentsHaveIt, askedFor))).toMatchObject({
      title: 'This cluster has the NAT46/64 gateway',
      status: 'warning',
      seen: '64:ff9b::/96 on kind-worker, kind-worker2',
      remedy: expect.stringContaining('reach each other over IPv6 only') as string,
      blocks: [],
    })
  })

  test('where it comes with the next restart, which a lab’s switch is, the preflight says so', () => {
    expect(checkOf(askedFor)).toMatchObject({
      title: 'This cluster will have the NAT46/64 gateway',
      status: 'warning',
      seen: `cilium-config sets ${KEY}; now: Disabled on kind-worker, kind-worker2.`,
    })
  })

  test('where there is none, the preflight does not mention it', () => {
    expect(checkOf((reading) => reading)).toBeUndefined()
    expect(checkOf(settings({ [KEY]: 'false' }))).toBeUndefined()
    expect(checkOf(silent)).toBeUndefined()
  })
})
