/** A cluster with Cilium's Bandwidth Manager: recognised by its agents' reports, and left as it is. */
import type { Check } from '@expresslane/shared/testbed/testbed'
import { describe, expect, test } from 'vitest'
import { clusterChecks as ofFeatures } from '../../../../src/features/registry.ts'
import { clusterFacts } from '../../../../src/testbeds/kubernetes/facts/cluster-reading.ts'
import { clusterChecks } from '../../../../src/testbeds/kubernetes/preflight/checks.ts'
import { recordedCluster } from '../recorded.ts'
import { NOW } from './preflight-case.ts'
import { both, says, settings, unreadable, type Change } from './preflight-changes.ts'

const asked = settings({ 'enable-bandwidth-manager': 'true', 'enable-bbr': 'true' })
const withBbr = says({ 'bandwidth-manager': { enabled: true, congestionControl: 'bbr', devices: ['eth0'] } })
const withCubic = says({ 'bandwidth-manager': { enabled: true, congestionControl: 'cubic', devices: ['eth0'] } })

function checkOf(change: Change): Check | undefined {
  const reading = change(recordedCluster('off'))
  return [...clusterChecks(reading, ofFeatures(), NOW)].find(({ id }) => id === 'bandwidth-manager')
}

describe('the Bandwidth Manager', () => {
  test.each<[name: string, change: Change, fact: string | null]>([
    ['is off', (reading) => reading, 'Disabled'],
    ['is on with BBR', both(withBbr, asked), 'BBR'],
    ['is on with CUBIC', withCubic, 'CUBIC'],
    ['is asked for, and no agent has it yet', asked, 'Disabled'],
    ['can’t be read', both(asked, unreadable), null],
  ])('%s', (_, change, fact) => {
    expect(clusterFacts(change(recordedCluster('off'))).bandwidthManager).toBe(fact)
  })

  test('where it is on, the preflight says that every arm has it, and blocks nothing', () => {
    expect(checkOf(both(withBbr, asked))).toMatchObject({
      title: 'This cluster has the Bandwidth Manager',
      status: 'warning',
      seen: 'BBR on kind-worker, kind-worker2',
      remedy: expect.stringContaining('Every arm is measured with it') as string,
      blocks: [],
    })
  })

  test('where it comes with the next restart, the preflight names the part of the kernel that it needs', () => {
    expect(checkOf(asked)).toMatchObject({
      title: 'This cluster may get the Bandwidth Manager',
      status: 'warning',
      seen: 'cilium-config sets enable-bandwidth-manager and enable-bbr; now: Disabled on kind-worker, kind-worker2.',
      remedy: expect.stringContaining('sch_fq') as string,
    })
  })

  test('where there is none, the preflight does not mention it', () => {
    expect(checkOf((reading) => reading)).toBeUndefined()
    expect(checkOf(settings({ 'enable-bbr': 'true' }))).toBeUndefined()
    expect(checkOf(both(asked, unreadable))).toBeUndefined()
  })
})
