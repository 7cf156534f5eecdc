/** The preflight's checks of NodePorts, on the recorded cluster. */
import { clusterChecks as ofFeatures } from '../../../../src/features/registry.ts'
import { LabError } from '@expresslane/shared/base/errors'
import type { Check } from '@expresslane/shared/testbed/testbed'
import { expect, test } from 'vitest'
import type { OutsideReading, Wire } from '../../../../src/testbeds/cluster-view.ts'
import { clusterChecks } from '../../../../src/testbeds/kubernetes/preflight/checks.ts'
import { recordedCluster } from '../recorded.ts'
import { NOW } from './preflight-case.ts'

const wire = (txChecksum: boolean, noSegmentation: boolean): Wire => ({
  node: 'kind-worker',
  device: 'eth0',
  offloads: { txChecksum, noSegmentation },
})

function checkOf(id: string, nodeport: Partial<OutsideReading>, data: Record<string, string> = {}): Check | undefined {
  const reading = recordedCluster('off')
  const settings = { data: { ...reading.settings?.data, ...data } }
  const whole = { client: '2.7.0', wires: [], ...nodeport }
  return [...clusterChecks({ ...reading, settings, outside: whole }, ofFeatures(), NOW)].find(
    (check) => check.id === id,
  )
}

test('without a machine outside there are none of them', () => {
  const ids = [...clusterChecks(recordedCluster('off'), ofFeatures(), NOW)].map(({ id }) => id)
  expect(ids.filter((id) => id === 'outside-client' || id.startsWith('nodeport'))).toEqual([])
})

test('the machine outside needs netperf', () => {
  expect(checkOf('outside-client', {})).toMatchObject({ status: 'passed', seen: 'netperf 2.7.0' })
  const client = new LabError('tool_failed', '`netperf` failed outside of the cluster.', 'Read its output.')
  expect(checkOf('outside-client', { client })).toMatchObject({ status: 'failed', blocks: ['outside-client'] })
})

test('another acceleration than the two is not switched', () => {
  expect(checkOf('nodeport-acceleration', {})).toMatchObject({ status: 'passed' })
  expect(checkOf('nodeport-acceleration', {}, { 'bpf-lb-acceleration': 'best-effort' })).toMatchObject({
    status: 'failed',
    seen: 'cilium-config sets bpf-lb-acceleration to best-effort; only disabled and native can be switched.',
    blocks: ['lb-acceleration'],
  })
})

test('DSR needs a routing that Cilium takes it with, and the reason is in Cilium’s words', () => {
  expect(checkOf('nodeport-dsr', {})).toMatchObject({ status: 'passed', seen: 'bpf-lb-mode is snat.' })
  expect(checkOf('nodeport-dsr', {}, { 'routing-mode': 'tunnel' })).toMatchObject({
    status: 'failed',
    seen: 'Cilium’s agents would refuse it: Node Port "dsr" mode cannot be used with vxlan tunneling.',
    blocks: ['lb-mode'],
  })
})

test('where replies take another way than the two, not even XDP alone can be switched', () => {
  expect(checkOf('nodeport-dsr', {}, { 'bpf-lb-mode': 'hybrid' })).toMatchObject({
    status: 'failed',
    seen: 'cilium-config sets bpf-lb-mode to hybrid; only snat and dsr can be switched.',
    blocks: ['lb-acceleration', 'lb-mode'],
  })
})

test.each([
  ['as it comes', wire(true, false), 'failed'],
  ['with whole checksums, but no XDP program at the other end', wire(false, false), 'failed'],
  ['prepared', wire(false, true), 'passed'],
  ['that could not be read', { ...wire(true, true), offloads: null }, 'warning'],
] as const)('a veth %s', (_, one, status) => {
  expect(checkOf('nodeport-wire', { wires: [one] })).toMatchObject({ status })
})
