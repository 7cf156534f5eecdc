import { BIG_TCP_CAP } from '@expresslane/shared/features/big-tcp/size'
import { LEGACY_MAX_SIZE } from '@expresslane/shared/testbed/reading'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseCiliumStatus, type CiliumStatus } from '../../src/tools/cilium-status.ts'
import { recordedStatuses } from '../testbeds/kubernetes/recorded.ts'

type Json = Record<string, unknown>

const unreadable: unknown = expect.objectContaining({ code: 'tool_output_unreadable' })
const recorded = recordedStatuses('off')['kind-worker'] ?? {}

/** The recorded status with these parts instead. */
function changed(parts: Json): CiliumStatus {
  return parseCiliumStatus(JSON.stringify({ ...recorded, ...parts }))
}

function without(...keys: string[]): CiliumStatus {
  return changed(Object.fromEntries(keys.map((key) => [key, undefined])))
}

test.each([
  ['off', false, LEGACY_MAX_SIZE],
  ['on', true, BIG_TCP_CAP],
] as const)('recorded agents of Cilium 1.15.19, %s', (arm, enabled, size) => {
  for (const status of Object.values(recordedStatuses(arm))) {
    const { json, ...read } = parseCiliumStatus(JSON.stringify(status))
    expect(read).toEqual({
      version: '1.15.19',
      state: 'Ok',
      troubles: [],
      setting: { ipv4: enabled, ipv6: enabled },
      maxGso: { ipv4: size, ipv6: size },
      acceleration: 'Disabled',
      mode: 'SNAT',
      devices: ['eth0'],
    })
    expect(json).toEqual(JSON.parse(JSON.stringify(status)))
  }
})

test('a family that this Cilium does not report is unknown, and never off', () => {
  expect(without('ipv4-big-tcp')).toMatchObject({
    setting: { ipv4: null, ipv6: false },
    maxGso: { ipv4: null, ipv6: LEGACY_MAX_SIZE },
  })
})

test('the native devices come from the first part that lists them', () => {
  expect(changed({ 'kube-proxy-replacement': { devices: ['eth1', 'eth2'] } }).devices).toEqual(['eth1', 'eth2'])
  const listed = { devices: null, deviceList: [{ name: 'eth3', ip: ['10.0.0.1'] }] }
  expect(changed({ 'kube-proxy-replacement': listed }).devices).toEqual(['eth3'])
  const firewall = { 'kube-proxy-replacement': { mode: 'False' }, 'host-firewall': { devices: ['eth4'] } }
  expect(changed(firewall).devices).toEqual(['eth4'])
  expect(without('kube-proxy-replacement', 'host-firewall', 'bandwidth-manager').devices).toBeNull()
})

test('troubles are states other than Ok and Disabled, and current failures', () => {
  const failing = { 'consecutive-failure-count': 3, 'last-failure-msg': 'verifier: too complex' }
  const status = changed({
    cilium: { state: 'Failure', msg: '1 controllers are failing' },
    'cni-file': { state: 'Warning', msg: 'not written' },
    hubble: { state: 'Disabled' },
    controllers: [
      { name: 'endpoint-7-regeneration-recovery', status: failing },
      { name: 'sync-once', status: { 'failure-count': 12 } },
      // The others' restarts make these fail.
      { name: 'cilium-health-ep', status: failing },
    ],
  })
  expect(status.troubles).toEqual([
    'cilium: Failure 1 controllers are failing',
    'cni-file: Warning not written',
    'controller endpoint-7-regeneration-recovery: verifier: too complex',
  ])
  expect(status.version).toBeNull()
})

test('any other text is unreadable, a truncated status too', () => {
  const text = JSON.stringify(recorded)
  for (const other of ['', '[]', 'null', '{}', '{"cilium":{}}', 'Error: Cannot get status/probe: Put "http:///run"']) {
    expect(() => parseCiliumStatus(other)).toThrow(unreadable)
  }
  fc.assert(
    fc.property(fc.integer({ min: 0, max: text.length - 1 }), (length) => {
      expect(() => parseCiliumStatus(text.slice(0, length))).toThrow(unreadable)
    }),
  )
})
