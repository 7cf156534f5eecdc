import { expect, test } from 'vitest'
import { dsrRefusal } from '../../../../src/features/nodeport-cluster/cilium-keys.ts'
import { requireSwitchable } from '../../../../src/testbeds/kubernetes/switch/switchable.ts'
import { keyed, stored } from '../keys.ts'

const native = { 'routing-mode': 'native' }
const geneve = { 'routing-mode': 'tunnel', 'tunnel-protocol': 'geneve' }

test.each([
  ['native routing', native, null],
  ['native routing before 1.14', { tunnel: 'disabled' }, null],
  ['no word about routing, which is a tunnel', {}, /cannot be used with vxlan tunneling/],
  ['VXLAN', { 'routing-mode': 'tunnel', 'tunnel-protocol': 'vxlan' }, /cannot be used with vxlan tunneling/],
  ['VXLAN before 1.14', { tunnel: 'vxlan' }, /cannot be used with vxlan tunneling/],
  ['Geneve without its dispatch', geneve, /Tunnel routing .* requires geneve dispatch/],
  ['Geneve before 1.14', { tunnel: 'geneve' }, /requires geneve dispatch/],
  ['Geneve with its dispatch', { ...geneve, 'bpf-lb-dsr-dispatch': 'geneve' }, null],
  ['Geneve as dispatch alone', { ...native, 'bpf-lb-dsr-dispatch': 'geneve' }, /requires geneve tunnel protocol/],
  ['native routing, Geneve for both others', { ...geneve, ...native, 'bpf-lb-dsr-dispatch': 'geneve' }, null],
  ['IPIP', { ...native, 'bpf-lb-dsr-dispatch': 'ipip' }, /only supported for --datapath-mode=lb-only/],
] as const)('DSR with %s', (_, data, refusal) => {
  const found = dsrRefusal(data)
  if (refusal === null) expect(found).toBeNull()
  else expect(found).toMatch(refusal)
})

test('a value that Cilium would refuse is refused before, and only if it is asked for', () => {
  const vxlan = stored({ data: { 'routing-mode': 'tunnel' } })
  expect(() => requireSwitchable(keyed({ mode: 'snat', acceleration: 'native' }), vxlan)).not.toThrow()
  expect(() => requireSwitchable(keyed({ mode: 'dsr' }), vxlan)).toThrow(
    expect.objectContaining({
      code: 'bad_request',
      message: expect.stringContaining('Node Port "dsr" mode cannot be used with vxlan tunneling.') as string,
    }),
  )
})

test('a value of somebody’s that is not one of the two is left alone', () => {
  const hybrid = stored({ data: { ...native, 'bpf-lb-mode': 'hybrid' } })
  expect(() => requireSwitchable(keyed({ acceleration: 'native' }), hybrid)).not.toThrow()
  expect(() => requireSwitchable(keyed({ mode: 'snat' }), hybrid)).toThrow(/only snat and dsr can be switched/)
})
