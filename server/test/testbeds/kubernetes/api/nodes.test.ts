import { describe, expect, test } from 'vitest'
import { passingTaint } from '../../../../src/testbeds/kubernetes/api/nodes.ts'

const node = (...keys: string[]) => ({ spec: { taints: keys.map((key) => ({ key, effect: 'NoSchedule' })) } })

describe('a temporary taint', () => {
  test.each([
    'node.cilium.io/agent-not-ready',
    'node.kubernetes.io/not-ready',
    'node.kubernetes.io/unreachable',
    'node.kubernetes.io/network-unavailable',
  ])('%s is waited for', (key) => {
    expect(passingTaint(node('dedicated', key))).toBe(key)
  })

  test.each(['node-role.kubernetes.io/control-plane', 'node.kubernetes.io/unschedulable', 'dedicated'])(
    '%s is not: somebody wants it',
    (key) => {
      expect(passingTaint(node(key))).toBeNull()
    },
  )
})
