// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { aLab, check, testbed } from '@expresslane/shared/test/builders'
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
    expect(await card.findByText('netperf is installed')).toBeTruthy()
    expect(card.getByText('sudo apt-get install netperf')).toBeTruthy()
    expect(card.queryByRole('button', { name: /^Start/ })).toBeNull()
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
    expect(card('BIG TCP over IPv4').getAllByRole('listitem')).toHaveLength(1)
    expect(card('See the packets').getByText('Nothing sees packets here.')).toBeTruthy()
    expect(card('See the packets').queryByText(new RegExp(message))).toBeNull()
  })

  it('says that a lab could not be started, and why', async () => {
    openPage('/', { 'POST /api/sessions': refusal(500, { message: 'The database is locked.' }) })
    await userEvent.click(await screen.findByRole('button', { name: /^Start: / }))
    expect((await labs().findByRole('alert')).textContent).toContain('The database is locked.')
  })
})
