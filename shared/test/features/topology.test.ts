import { describe, expect, test } from 'vitest'
import { otherTopologies, testbedFor } from '../../src/features/topology.ts'
import { testbedId } from '../../src/testbed/id.ts'

function chosen(feature: string, text: string): string {
  return testbedFor(feature, testbedId.parse(text))
}

describe('the testbed of a feature', () => {
  test.each([
    ['netns', 'netns:forwarder'],
    ['netns@alice', 'netns:forwarder@alice'],
    ['counted', 'counted:forwarder'],
    ['counted@alice', 'counted:forwarder@alice'],
    ['kubernetes:kind-kind', 'kubernetes:kind-kind'],
    ['recording:x', 'recording:x'],
  ])('with a topology of its own on %s is %s', (on, is) => {
    expect(chosen('nodeport', on)).toBe(is)
  })

  test('is the chosen one for any other feature, and where the topology is named', () => {
    expect(chosen('big-tcp', 'netns')).toBe('netns')
    expect(chosen('no-such-feature', 'netns@alice')).toBe('netns@alice')
    expect(chosen('big-tcp', 'netns:forwarder')).toBe('netns:forwarder')
  })
})

describe('the testbeds of a machine’s other labs', () => {
  const others = (text: string) => otherTopologies(['big-tcp', 'nodeport', 'nodeport'], testbedId.parse(text))

  test('are one for each topology, with the features that run there', () => {
    expect(others('netns@alice')).toEqual([{ testbed: 'netns:forwarder@alice', features: ['NodePort'] }])
  })

  test('are none where all labs run on the same', () => {
    expect(others('kubernetes:kind-kind')).toEqual([])
    expect(others('netns:forwarder')).toEqual([])
  })
})
