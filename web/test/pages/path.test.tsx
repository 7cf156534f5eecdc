// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { aLab, aSession, datapath, device, testbed } from '@expresslane/shared/test/builders'
import { openPage } from './open-page.tsx'

const session = { id: aSession, labId: 'big-tcp-ipv4', testbed: 'netns', owner: 'owner', createdAt: 1 }
const walk = {
  [`GET /api/sessions/${aSession}`]: { body: { session, runs: [], incarnation: 'one', seq: 0 } },
  'GET /api/testbeds/netns': { body: testbed() },
}
const address = `/labs/big-tcp-ipv4/sessions/${aSession}/preflight`
const big = { gsoIpv4MaxSize: 196_608, groIpv4MaxSize: 196_608 }
const wire = device({ where: 'bridge', device: 'br0', role: 'wire', native: false, gsoIpv4MaxSize: 524_280 })

function frame(at: number, ...kernel: ReturnType<typeof device>[]) {
  const read = datapath([device({ ...kernel[0], where: 'pod1', role: 'pod', native: false }), ...kernel, wire], { at })
  return { type: 'live' as const, testbed: testbed().id, incarnation: 'one', datapath: read, problem: null }
}

const panel = async () => within(await screen.findByRole('region', { name: 'The path, live' }))
const sizeOf = (name: string, where: HTMLElement) =>
  within(where).getByText(name).closest('li')?.getAttribute('data-size')

describe('the live path', () => {
  it('follows each reading that arrives, and counts nodes and pods', async () => {
    const page = openPage(address, walk)
    const path = await panel()
    page.send(frame(1, device()))
    expect(await path.findByText('BIG TCP over IPv4 is off (64K) on 1 node and 1 pod.')).toBeTruthy()
    page.send(frame(9000, device(big)))
    expect(await path.findByText(/should be off/)).toBeTruthy()
  })

  it('keeps a device between the nodes out of the colours of the arms', async () => {
    const page = openPage(address, walk)
    page.send(frame(1, device()))
    const path = await panel()
    const list = await path.findByRole('list', { name: 'Devices from client to server' })
    expect(sizeOf('br0', list)).toBe('transit')
    expect(
      within(list)
        .getAllByText('eth0')
        .map((one) => one.closest('li')?.getAttribute('data-size')),
    ).toEqual(['legacy', 'legacy'])
  })

  it('shows the devices and settings of a lab whose feature has no view', async () => {
    const labs = [{ ...aLab(), feature: 'nat64-cluster', arms: [] }]
    const page = openPage(address, { ...walk, 'GET /api/labs': { body: { labs, problems: [], testbeds: ['netns'] } } })
    page.send(frame(1, device()))
    const path = await panel()
    const list = await path.findByRole('list', { name: 'Devices from client to server' })
    expect(
      within(list)
        .getAllByRole('listitem')
        .map((one) => one.textContent),
    ).toEqual(['pod1eth0MTU 1,500', 'node1eth0MTU 1,500', 'bridgebr0MTU 1,500'])
    expect(path.queryByText(/Packets per request/)).toBeNull()
  })
})
