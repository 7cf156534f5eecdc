// @vitest-environment happy-dom
import { fireEvent, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { aLab, check, clusterFacts, testbed } from '@expresslane/shared/test/builders'
import { openPage, refusal, type Answer } from './open-page.tsx'

const labs = () => within(screen.getByRole('region', { name: 'Labs' }))
const places = () => within(screen.getByRole('region', { name: 'Where they run' }))

describe('the catalogue', () => {
  it('shows placeholders while the labs load', async () => {
    openPage('/', { 'GET /api/labs': 'pending' })
    expect(labs().getAllByRole('listitem')).toHaveLength(2)
    expect(labs().queryByRole('article')).toBeNull()
  })

  it('shows the server’s error if the labs could not be loaded, and loads them again', async () => {
    const page = openPage('/', {
      'GET /api/labs': refusal(500, { message: 'The disk is full.', remedy: 'Make room.' }),
    })
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain('The disk is full.')
    expect(alert.textContent).toContain('Make room.')
    expect(labs().queryByRole('listitem')).toBeNull()
    page.answer('GET /api/labs', { body: { labs: [aLab()], problems: [], testbeds: ['netns'] } })
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await labs().findByRole('article', { name: 'BIG TCP over IPv4' })).toBeTruthy()
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('says that the server does not answer', async () => {
    openPage('/', { 'GET /api/sessions': 'unreachable' })
    expect((await screen.findByRole('alert')).textContent).toContain('npm start')
  })

  it('asks for the terminal’s link if the token is missing', async () => {
    openPage('/', { 'GET /api/labs': refusal(401, { code: 'unauthorized' }), 'GET /api/sessions': 'pending' })
    expect(await screen.findByRole('textbox', { name: /Token/ })).toBeTruthy()
    expect(screen.queryByRole('region', { name: 'Labs' })).toBeNull()
  })

  it('lists the labs while a testbed is being read, and offers to start one once it was read', async () => {
    const answered = Promise.withResolvers<Answer>()
    openPage('/', { 'GET /api/testbeds/netns': answered.promise })
    const card = within(await labs().findByRole('article'))
    expect(card.getByText(/checking/)).toBeTruthy()
    expect(card.queryByRole('button')).toBeNull()
    expect(places().getByRole('status')).toBeTruthy()
    answered.resolve({ body: testbed() })
    expect(await card.findByRole('button', { name: /^Start: BIG TCP over IPv4/ })).toBeTruthy()
  })

  it('shows a testbed that can’t be read, and its error', async () => {
    openPage('/', { 'GET /api/testbeds/netns': refusal(502, { message: 'The namespaces are gone.' }) })
    expect(await labs().findByText(/no response/)).toBeTruthy()
    expect((await places().findByRole('alert')).textContent).toContain('The namespaces are gone.')
  })

  it('shows the failed check that blocks a lab, with the command that fixes it', async () => {
    const failed = check('failed', {
      title: 'netperf is installed',
      remedy: 'Install it.',
      remedyCommand: 'sudo apt-get install netperf',
      blocks: ['big-tcp-ipv4'],
    })
    openPage('/', { 'GET /api/testbeds/netns': { body: testbed({ preflight: [failed] }) } })
    const card = within(await labs().findByRole('article'))
    expect(await card.findByText(/^This machine: 1 failed check \(netperf is installed\)/)).toBeTruthy()
    expect(card.getByRole('link', { name: 'How to fix it' }).getAttribute('href')).toBe('#netns')
    expect(places().getByText('sudo apt-get install netperf')).toBeTruthy()
    expect(card.queryByRole('button', { name: /^Start/ })).toBeNull()
  })

  it('says of a tool that the set-up still gets that it comes, and reads the testbed again', async () => {
    const over = { id: 'qemu', title: 'QEMU is installed', remedy: 'The set-up is getting it.', blocks: 'all' } as const
    const view = testbed({ preflight: [check('failed', { ...over, coming: true })] })
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const page = openPage('/', { 'GET /api/testbeds/netns': { body: view } })
    const card = within(await labs().findByRole('article'))
    expect(await card.findByText(/^This machine: The set-up is getting its tools in the background/)).toBeTruthy()
    expect(card.queryByRole('link', { name: 'How to fix it' })).toBeNull()
    expect(places().getByText('Preflight: 0 of 1 checks passed, 1 waits for the set-up')).toBeTruthy()
    expect(card.queryByText(/failed/)).toBeNull()
    page.answer('GET /api/testbeds/netns', { body: testbed() })
    vi.advanceTimersToNextTimer()
    expect(await card.findByRole('button', { name: /^Start: BIG TCP over IPv4/ })).toBeTruthy()
  })

  it.each([
    ['does not recommend the counted machine on a quiet machine', 'passed', 'passed', false],
    ['recommends the counted machine on a busy machine', 'warning', 'passed', true],
    ['does not recommend the counted machine where it can’t run', 'warning', 'failed', false],
  ] as const)('%s', async (_does, load, qemu, recommended) => {
    const busy = check(load, { id: 'load', title: 'Load', seen: 'load 6.54 on 2 CPUs' })
    const facts = clusterFacts([], { kind: 'counted', name: 'the counted machine', kernel: '6.12', cluster: null })
    const preflight = [check(qemu, { id: 'qemu', blocks: 'all' })]
    openPage('/', {
      'GET /api/labs': { body: { labs: [aLab()], problems: [], testbeds: ['netns', 'counted'] } },
      'GET /api/testbeds/netns': { body: testbed({ preflight: [busy] }) },
      'GET /api/testbeds/counted': { body: testbed({ id: 'counted', kind: 'counted', facts, preflight }) },
    })
    await places().findByText(/load 6.54 on 2 CPUs/)
    await places().findByText(/Preflight: \d of 1 checks? passed/, { selector: '#counted *' })
    expect(labs().queryByText(/load 6.54 on 2 CPUs.*counted machine is the better choice/) !== null).toBe(recommended)
  })

  it('checks what the labs of another topology need once somebody asks, and then blocks what can’t run there', async () => {
    const arms = ['nftables', 'iptables'].map((id) => ({ id, label: id, settings: { 'nodeport-hook': id } }))
    const needs = ['nodeport-nftables']
    const nodePort = aLab({ id: 'services', title: 'Services', feature: 'nodeport', arms, needs })
    const failed = check('failed', { title: 'nftables is installed', blocks: ['nodeport-nftables'] })
    const capabilities = ['big-tcp-ipv4', 'nodeport-nftables']
    const facts = clusterFacts([], { kind: 'netns', name: 'This machine', kernel: '6.18', cluster: null })
    const forwarder = testbed({ id: 'netns:forwarder', facts, capabilities, preflight: [check('passed'), failed] })
    const page = openPage('/', {
      'GET /api/labs': { body: { labs: [aLab(), nodePort], problems: [], testbeds: ['netns'] } },
      'GET /api/testbeds/netns': { body: testbed({ facts, capabilities, preflight: [check('passed')] }) },
      'GET /api/testbeds/netns:forwarder': { body: forwarder },
    })
    const card = within(await labs().findByRole('article', { name: 'Services' }))
    expect(await card.findByRole('button', { name: /^Start: Services/ })).toBeTruthy()
    expect(await places().findByText('Preflight: 1 of 1 checks passed')).toBeTruthy()
    expect(page.asked).not.toContain('GET /api/testbeds/netns:forwarder')
    const fold = places().getByText('Preflight of the NodePort labs: not checked yet').closest('details')
    if (fold === null) throw new Error('the line can’t be opened')
    fold.open = true
    fireEvent(fold, new Event('toggle'))
    expect(await places().findByText('Preflight of the NodePort labs: 1 of 2 checks passed')).toBeTruthy()
    expect(card.queryByRole('button', { name: /^Start: Services/ })).toBeNull()
    expect(card.getByText(/nftables is installed/)).toBeTruthy()
    expect(labs().getByRole('button', { name: /^Start: BIG TCP over IPv4/ })).toBeTruthy()
  })

  it('keeps the checks open for who asked for them', async () => {
    const facts = clusterFacts([], { kind: 'netns', name: 'This machine', kernel: '6.18', cluster: null })
    openPage('/', {
      'GET /api/labs': { body: { labs: [aLab({ feature: 'nodeport' })], problems: [], testbeds: ['netns'] } },
      'GET /api/testbeds/netns': { body: testbed({ facts, preflight: [check('passed')] }) },
      'GET /api/testbeds/netns:forwarder': { body: testbed({ facts, preflight: [check('passed')] }) },
    })
    const fold = (await places().findByText(/not checked yet/)).closest('details')
    if (fold === null) throw new Error('the line can’t be opened')
    fold.open = true
    fireEvent(fold, new Event('toggle'))
    const line = await places().findByText('Preflight of the NodePort labs: 1 of 1 checks passed')
    expect(line.closest('details')?.open).toBe(true)
  })

  it('says why the checks can’t run', async () => {
    const facts = clusterFacts([], { kind: 'netns', name: 'This machine', kernel: '6.18', cluster: null })
    const message = 'The namespaces can’t be built.'
    const problem = { code: 'testbed_unavailable', message, remedy: 'r', remedyCommand: null, detail: null }
    openPage('/', {
      'GET /api/labs': { body: { labs: [aLab({ feature: 'nodeport' })], problems: [], testbeds: ['netns'] } },
      'GET /api/testbeds/netns': { body: testbed({ facts, preflight: [check('passed')] }) },
      'GET /api/testbeds/netns:forwarder': { body: testbed({ id: 'netns:forwarder', problem }) },
    })
    const fold = (await places().findByText(/not checked yet/)).closest('details')
    if (fold === null) throw new Error('the line can’t be opened')
    fold.open = true
    fireEvent(fold, new Event('toggle'))
    expect(await places().findByText(message)).toBeTruthy()
  })

  it('shows once why no lab can run on a testbed, and on a card only what that lab lacks', async () => {
    const message = 'No kubeconfig was found.'
    const problem = { code: 'kubeconfig_invalid', message, remedy: 'r', remedyCommand: null, detail: null }
    const lacks = [{ capability: 'capture', reason: 'Nothing sees packets here.' }]
    const list = [aLab(), aLab({ id: 'packets', title: 'See the packets', needs: ['big-tcp-ipv4', 'capture'] })]
    openPage('/', {
      'GET /api/labs': { body: { labs: list, problems: [], testbeds: ['netns', 'kubernetes'] } },
      'GET /api/testbeds/netns': { body: testbed({ lacks }) },
      'GET /api/testbeds/kubernetes': { body: testbed({ id: 'kubernetes', kind: 'kubernetes', problem }) },
    })
    expect(await labs().findByRole('button', { name: /^Start: BIG TCP over IPv4/ })).toBeTruthy()
    expect(labs().getAllByText(new RegExp(message))).toHaveLength(1)
    const card = (name: string) => within(labs().getByRole('article', { name }))
    expect(card('BIG TCP over IPv4').queryByText(/cluster/)).toBeNull()
    expect(card('See the packets').getByText('This machine: Nothing sees packets here.')).toBeTruthy()
    expect(card('See the packets').queryByText(new RegExp(message))).toBeNull()
  })

  it('says that a lab could not be started, and why', async () => {
    openPage('/', { 'POST /api/sessions': refusal(500, { message: 'The database is locked.' }) })
    await userEvent.click(await screen.findByRole('button', { name: /^Start: / }))
    expect((await labs().findByRole('alert')).textContent).toContain('The database is locked.')
  })
})
