import { testbedId, thisMachine } from '@expresslane/shared/testbed/id'
import { describe, expect, it } from 'vitest'
import { environmentWords } from '../../src/words/environment.ts'
import { clusterFacts, testbed } from '@expresslane/shared/test/builders'

const cluster = testbedId.parse('kubernetes:kind-kind')
const words = (...nodes: Parameters<typeof clusterFacts>[0]) =>
  environmentWords(cluster, testbed({ id: cluster, facts: clusterFacts(nodes) }))

describe('where a lab runs', () => {
  it('is a cluster with its versions, and one kernel', () => {
    const node = { kernel: '6.18', cilium: '1.15.19' }
    expect(words(node, node)).toEqual(['cluster kind-kind', 'Kubernetes 1.34.4', 'Cilium 1.15.19', 'kernel 6.18'])
  })

  it('shows where nodes differ, and what is unknown', () => {
    const [old, young] = [
      { kernel: '6.1', cilium: '1.15.19' },
      { kernel: '6.18', cilium: '1.16.0' },
    ]
    expect(words(old, young).slice(2)).toEqual(['Cilium versions differ', 'kernels differ'])
    expect(words({ ...old, cilium: null }, old)[2]).toBe('Cilium 1.15.19')
    expect(words({ ...old, cilium: null })[2]).toBe('Cilium unknown')
  })

  it('has a name before the first reading', () => {
    expect(environmentWords(thisMachine, null)).toEqual(['this machine'])
    expect(environmentWords(testbedId.parse('netns@alice'), null)).toEqual(['own testbed on this machine'])
    expect(environmentWords(testbedId.parse('kubernetes'), null)).toEqual(['Kubernetes cluster'])
    expect(environmentWords(testbedId.parse('kubernetes:far'), testbed())).toEqual(['cluster far'])
  })
})
