import { describe, expect, test, vi } from 'vitest'
import type { Feature } from '../../src/features/feature.ts'
import { testbedFor } from '../../src/features/topology.ts'
import { testbedId } from '../../src/testbed/id.ts'

vi.mock('../../src/features/registry.ts', async (original) => {
  const { features } = await original<{ features: readonly [Feature, ...Feature[]] }>()
  const between: Feature = { ...features[0], id: 'between', topology: 'forwarder' }
  return { features: [...features, between] }
})

function chosen(feature: string, text: string): string {
  return testbedFor(feature, testbedId.parse(text))
}

describe('the testbed of a feature', () => {
  test.each([
    ['netns', 'netns:forwarder'],
    ['netns@alice', 'netns:forwarder@alice'],
    ['kubernetes:kind-kind', 'kubernetes:kind-kind'],
    ['recording:x', 'recording:x'],
  ])('with a topology of its own on %s is %s', (on, is) => {
    expect(chosen('between', on)).toBe(is)
  })

  test('is the chosen one for any other feature, and where the topology is named', () => {
    expect(chosen('big-tcp', 'netns')).toBe('netns')
    expect(chosen('no-such-feature', 'netns@alice')).toBe('netns@alice')
    expect(chosen('big-tcp', 'netns:forwarder')).toBe('netns:forwarder')
  })
})
