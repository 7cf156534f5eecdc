/** The resources that each step needs for itself alone. */
import type { Step } from '@expresslane/shared/labs/lab'
import { describe, expect, it } from 'vitest'
import { labs } from '../../support/runs/labs.ts'
import { needsOf } from '../../../src/runs/queue/resources.ts'
import type { Resource, SharedResources } from '../../../src/testbeds/resources.ts'

const own: Resource = 'testbed:here'
const machine: SharedResources = { measuring: ['host'], changing: [] }
const cluster: SharedResources = { measuring: ['cluster:one'], changing: ['cluster:one'] }
const kind: SharedResources = { measuring: ['cluster:one', 'host'], changing: ['cluster:one'] }

function steps(...ids: string[]): Step[] {
  const known = labs.find(({ id }) => id === 'big-tcp-ipv4')?.steps ?? []
  return ids.map((id) => known.find((step) => step.id === id) ?? expect.unreachable(`no step ${id}`))
}

describe('the resources that a run needs for itself', () => {
  it('are its testbed for reading, on any testbed', () => {
    for (const shared of [machine, cluster, kind]) {
      for (const id of ['preflight', 'verify-off', 'read-off', 'compare']) {
        expect(needsOf(own, shared, steps(id), {}), id).toEqual({ own, shared: [] })
      }
    }
  })

  it.each([
    ['baseline', machine, ['host']],
    ['deploy', machine, []],
    ['enable', machine, []],
    ['baseline', cluster, ['cluster:one']],
    ['deploy', cluster, ['cluster:one']],
    ['enable', cluster, ['cluster:one']],
    ['restore', cluster, ['cluster:one']],
    ['baseline', kind, ['cluster:one', 'host']],
  ])('%s with %o is also %o', (id, shared, needed) => {
    expect(needsOf(own, shared, steps(id), {}).shared).toEqual(needed)
  })

  it('are the cluster for a reset, and for a check that switches', () => {
    expect(needsOf(own, cluster, [null], {}).shared).toEqual(['cluster:one'])
    expect(needsOf(own, cluster, steps('verify-off'), { switchOff: true }).shared).toEqual(['cluster:one'])
  })

  it('are only its testbed at the start of a solve, and those of all remaining steps once it needs more', () => {
    const chain = steps('preflight', 'deploy', 'read-off', 'baseline', 'compare')
    expect(needsOf(own, kind, chain, {}).shared).toEqual([])
    expect(needsOf(own, kind, chain.slice(1), {}).shared).toEqual(['cluster:one', 'host'])
    // Once it has it, it keeps it while a later step needs it, and no longer.
    const holds: Resource[] = [own, 'cluster:one', 'host']
    expect(needsOf(own, kind, chain.slice(2), {}, holds).shared).toEqual(['cluster:one', 'host'])
    expect(needsOf(own, kind, chain.slice(4), {}, holds).shared).toEqual([])
  })
})
