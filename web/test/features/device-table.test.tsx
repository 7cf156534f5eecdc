// @vitest-environment happy-dom
import { datapath, device } from '@expresslane/shared/test/builders'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { DeviceTable } from '../../src/features/index.ts'

afterEach(cleanup)

const counters = { rxPackets: 12_000, txPackets: 3, rxBytes: 1, txBytes: 1 }
const read = datapath([
  device({ where: 'node', device: 'eth0', counters, xdp: { mode: 'native', program: 'forward_xdp' } }),
  device({ where: 'node', device: 'eth1', counters: null }),
])

function tableOf(feature: string | null): { head: string[]; rows: string[][] } {
  render(<DeviceTable feature={feature} datapath={read} family="ipv4" />)
  const [head = [], ...rows] = screen
    .getAllByRole('row', { hidden: true })
    .map((row) => [...row.children].map(({ textContent }) => textContent))
  return { head, rows }
}

describe('the devices that a step read', () => {
  it('are shown with the sizes of packets where the lab is about them', () => {
    expect(tableOf('big-tcp').head).toEqual(['Where', 'Device', 'GSO limit', 'GRO limit', 'Largest possible', 'MTU'])
  })

  it.each(['nodeport', 'nodeport-cluster', 'somebody-elses', null])('have none of them for %s', (feature) => {
    const { head, rows } = tableOf(feature)
    expect(head).toEqual(['Where', 'Device', 'XDP program', 'MTU', 'Packets in', 'Packets out'])
    expect(rows).toEqual([
      ['node', 'eth0', 'forward_xdp, native', '1,500', '12,000', '3'],
      ['node', 'eth1', 'none', '1,500', 'unknown', 'unknown'],
    ])
  })
})
