import { describe, expect, it } from 'vitest'
import { environmentWords } from '../../src/words/environment.ts'
import { clusterFacts, testbed } from '../samples.ts'

const words = (...nodes: Parameters<typeof clusterFacts>[0]) =>
  environmentWords('kubernetes', testbed({ kind: 'kubernetes', context: 'kind-kind', facts: clusterFacts(nodes) }))

describe('where a lab runs', () => {
  it('is a cluster with its versions, and one kernel', () => {
    const node = { kernel: '6.18', cilium: '1.15.19' }
    expect(words(node, node)).toEqual(['cluster kind-kind', 'Kubernetes 1.34.4', 'Cilium 1.15.19', 'kernel 6.18'])
  })

  it('says where nodes are not alike, and what is not known', () => {
    const [old, young] = [
      { kernel: '6.1', cilium: '1.15.19' },
      { kernel: '6.18', cilium: '1.16.0' },
    ]
    expect(words(old, young).slice(2)).toEqual(['Cilium versions differ', 'kernels differ'])
    expect(words({ ...old, cilium: null }, old)[2]).toBe('Cilium 1.15.19')
    expect(words({ ...old, cilium: null })[2]).toBe('Cilium unknown')
  })

  it('has a name before anything was read', () => {
    expect(environmentWords('netns', null)).toEqual(['this machine'])
    expect(environmentWords('kubernetes', null)).toEqual(['Kubernetes cluster'])
    expect(environmentWords('kubernetes', testbed({ context: 'far' }))).toEqual(['cluster far'])
  })
})
