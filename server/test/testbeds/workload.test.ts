import { describe, expect, test } from 'vitest'
import { placeOf } from '../../src/testbeds/target.ts'
import { requireRoles } from '../../src/testbeds/workload.ts'

test('a target is a role, a node, or a node that packets are captured on', () => {
  expect(placeOf('forwarder')).toEqual({ kind: 'role', role: 'forwarder' })
  expect(placeOf('node:client')).toEqual({ kind: 'node', node: 'client' })
  expect(placeOf('capture:a:b')).toEqual({ kind: 'capture', node: 'a:b' })
})

describe('the roles of a workload', () => {
  test('fit a testbed that has a place for each', () => {
    expect(() => requireRoles({ roles: ['client'] }, ['client', 'server'])).not.toThrow()
  })

  test('are refused by name if there is none', () => {
    expect(() => requireRoles({ roles: ['client', 'gateway', 'forwarder'] }, ['client', 'server'])).toThrow(
      expect.objectContaining({
        code: 'bad_request',
        message: 'This testbed has no place for gateway and forwarder.',
      }),
    )
  })
})
