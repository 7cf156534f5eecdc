// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { check, clusterFacts, testbed } from '@expresslane/shared/test/builders'
import { heldByOthers, openPage, refusal } from './open-page.tsx'

const facts = clusterFacts([], { kind: 'netns', name: 'This machine', kernel: '6.18', cluster: null })
const readable = { 'GET /api/testbeds/netns': { body: testbed({ facts }) } }
const run = () => screen.findByRole('button', { name: 'Run' })

describe('the Bench page', () => {
  it('says that nothing was measured yet', async () => {
    openPage('/bench', readable)
    expect(await screen.findByText('Nothing measured here yet')).toBeTruthy()
    expect((await run()).hasAttribute('disabled')).toBe(false)
  })

  it('does not run before the testbed was read', async () => {
    openPage('/bench', { 'GET /api/testbeds/netns': 'pending' })
    expect((await run()).hasAttribute('disabled')).toBe(true)
  })

  it('runs on a testbed that starts with its first step', async () => {
    const body = testbed({ id: 'counted', kind: 'counted', preflight: [check('passed')] })
    openPage('/bench', {
      'GET /api/labs': { body: { labs: [], problems: [], testbeds: ['netns', 'counted'] } },
      ...readable,
      'GET /api/testbeds/counted': { body },
    })
    await screen.findByRole('option', { name: 'The counted machine' })
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Testbed' }), 'The counted machine')
    expect(await screen.findByText('It does not run now: it starts with the experiment.')).toBeTruthy()
    expect((await run()).hasAttribute('disabled')).toBe(false)
  })

  it('reads a testbed again once it has started', async () => {
    const machine = clusterFacts([], { kind: 'counted', name: 'the counted machine', kernel: '6.12', cluster: null })
    const page = openPage('/bench', {
      'GET /api/labs': { body: { labs: [], problems: [], testbeds: ['counted'] } },
      'GET /api/testbeds/counted': { body: testbed({ id: 'counted', kind: 'counted' }) },
    })
    await screen.findByText('It does not run now: it starts with the experiment.')
    page.answer('GET /api/testbeds/counted', { body: testbed({ id: 'counted', kind: 'counted', facts: machine }) })
    const { incarnation } = machine
    page.send({ type: 'live', testbed: testbed({ id: 'counted' }).id, incarnation, datapath: null, problem: null })
    expect(await screen.findByText('kernel 6.12')).toBeTruthy()
  })

  it('does not offer a testbed that can’t start, and links to the reason', async () => {
    const failed = check('failed', { title: 'QEMU is installed', blocks: 'all' })
    openPage('/bench', {
      'GET /api/labs': { body: { labs: [], problems: [], testbeds: ['netns', 'counted'] } },
      ...readable,
      'GET /api/testbeds/counted': { body: testbed({ id: 'counted', kind: 'counted', preflight: [failed] }) },
    })
    expect(await screen.findByText(/Not available: The counted machine/)).toBeTruthy()
    expect(screen.queryByRole('option', { name: 'The counted machine' })).toBeNull()
  })

  it('shows errors next to their fields, and does not run', async () => {
    openPage('/bench', readable)
    await run()
    const sizes = screen.getByRole('textbox', { name: 'Request sizes' })
    expect(sizes.getAttribute('aria-invalid')).not.toBe('true')
    await userEvent.clear(sizes)
    await userEvent.type(sizes, 'huge')
    expect(sizes.getAttribute('aria-invalid')).toBe('true')
    expect((await run()).hasAttribute('disabled')).toBe(true)
    await userEvent.clear(sizes)
    await userEvent.type(sizes, '80k')
    expect((await run()).hasAttribute('disabled')).toBe(false)
  })

  it('offers the CPU placement of each arm, names the arm after it, and explains what it does', async () => {
    const capabilities = ['big-tcp-ipv4', 'big-tcp-ipv6', 'cpu-placement', 'quick-switch']
    openPage('/bench', { 'GET /api/testbeds/netns': { body: testbed({ facts, capabilities }) } })
    await run()
    const [first] = screen.getAllByRole('combobox', { name: 'CPU placement' })
    if (first === undefined) throw new Error('no CPU placement')
    await userEvent.selectOptions(first, 'One CPU each')
    expect(screen.getByRole('group', { name: 'Arm 1: Without BIG TCP, CPUs: one CPU each' })).toBeTruthy()
    expect(screen.getByText('What the CPU placement does to the result')).toBeTruthy()
    expect(screen.getByText(/the repeats vary least/)).toBeTruthy()
    expect((await run()).hasAttribute('disabled')).toBe(false)
  })

  it('offers the kernels that a testbed lists, as a choice of each arm', async () => {
    const choices = { kernel: ['6.12.117+deb12-cloud-amd64', '6.12.43+deb12-cloud-amd64'] }
    const capabilities = ['big-tcp-ipv4', 'big-tcp-ipv6', 'kernels', 'quick-switch']
    openPage('/bench', { 'GET /api/testbeds/netns': { body: testbed({ facts, capabilities, choices }) } })
    await run()
    const [first] = await screen.findAllByRole('combobox', { name: 'Kernel' })
    if (first === undefined) throw new Error('no kernel')
    expect(Array.from(first.querySelectorAll('option'), (one) => one.textContent)).toEqual([
      '6.12.117+deb12-cloud-amd64, the default',
      '6.12.43+deb12-cloud-amd64',
    ])
    await userEvent.selectOptions(first, '6.12.43+deb12-cloud-amd64')
    expect(screen.getByRole('group', { name: 'Arm 1: Without BIG TCP, kernel 6.12.43+deb12' })).toBeTruthy()
    expect((await run()).hasAttribute('disabled')).toBe(false)
  })

  it('has no field for kernels where there is no choice', async () => {
    openPage('/bench', readable)
    await run()
    expect(screen.queryByRole('combobox', { name: 'Kernel' })).toBeNull()
  })

  it('says why a testbed can’t place the pods', async () => {
    const reason = 'There is one CPU here.'
    const lacking = testbed({ facts, lacks: [{ capability: 'cpu-placement', reason }] })
    openPage('/bench', { 'GET /api/testbeds/netns': { body: lacking } })
    expect(await screen.findByText(reason)).toBeTruthy()
    const fields = screen.getAllByRole('combobox', { name: 'CPU placement' })
    expect(fields.every((one) => one.hasAttribute('disabled'))).toBe(true)
  })

  it('shows that the testbed is in use, and that a run would wait', async () => {
    const page = openPage('/bench', readable)
    await run()
    page.send(heldByOthers)
    expect(await screen.findByText(/waits in line and then starts automatically/)).toBeTruthy()
    expect((await run()).hasAttribute('disabled')).toBe(false)
  })

  it('shows that the run in the address is missing, and keeps the form', async () => {
    openPage('/bench?run=r_00000001', {
      ...readable,
      'GET /api/runs/r_00000001': refusal(404, { code: 'not_found', message: 'There is no run of that id.' }),
    })
    expect((await screen.findByRole('alert')).textContent).toContain('There is no run of that id.')
    expect((await run()).hasAttribute('disabled')).toBe(false)
  })
})
