// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { aLab, check, testbed } from '@expresslane/shared/test/builders'
import { aRecording } from '../recording.ts'
import { openPage, refusal, type Answer } from './open-page.tsx'

const missing = check('failed', { id: 'ip', title: 'ip is installed', blocks: 'all' })
const unable: Answer = { body: testbed({ preflight: [missing] }) }
const site = (computer: string): Answer => ({ body: { computer } })
const labs = (testbeds: readonly string[]): Answer => ({ body: { labs: [aLab()], problems: [], testbeds } })

/** A server with recordings, and with testbeds of which this machine answers as given. */
function served(netns: Answer | Promise<Answer>, computer: string, others: readonly string[] = ['recording']) {
  return {
    'GET /api/labs': labs(['netns', ...others]),
    'GET /api/testbeds/netns': netns,
    'GET /api/testbeds/counted': { body: testbed({ id: 'counted', kind: 'counted' }) },
    'GET /api/testbeds/recording': { body: testbed({ id: 'recording', kind: 'recording' }) },
    'GET /api/recordings': { body: { recordings: [aRecording] } },
    'GET /api/site': site(computer),
  }
}

const card = { name: 'Try it here' }

it.each([
  ['failed checks block all labs', unable],
  ['the testbed does not answer', refusal(502, { message: 'The namespaces are gone.' })],
])('leads to the site’s computer where %s', async (_why, netns) => {
  openPage('/', served(netns, 'built'))
  await screen.findByRole('region', card)
  const link = screen.getByRole('link', { name: 'Go to the emulated computer' })
  expect(link.getAttribute('href')).toBe('/site/')
  expect(screen.queryByText(/npm run site/)).toBeNull()
})

it('says how to build the computer where it is not built', async () => {
  openPage('/', served(unable, 'buildable'))
  await screen.findByRole('region', card)
  expect(screen.getByText(/^npm run site -- --machine\s+npm run site$/)).toBeTruthy()
  expect(screen.queryByRole('link', { name: 'Go to the emulated computer' })).toBeNull()
})

it('comes also where there are no recordings', async () => {
  openPage('/', served(unable, 'built', []))
  expect(await screen.findByRole('region', card)).toBeTruthy()
})

it('does not come where this machine can’t build the computer', async () => {
  const page = openPage('/', served(unable, 'none'))
  await expect.poll(() => page.asked).toContain('GET /api/site')
  await screen.findByText(/^Preflight: 0 of 1 checks passed/)
  expect(screen.queryByRole('region', card)).toBeNull()
})

it.each([
  ['this machine runs a lab', { body: testbed() }, ['recording']],
  ['another testbed runs a lab', unable, ['counted', 'recording']],
])('does not come, and asks for nothing, where %s', async (_where, netns, others) => {
  const page = openPage('/', served(netns, 'built', others))
  expect(await screen.findByRole('button', { name: /^Start: BIG TCP over IPv4/ })).toBeTruthy()
  expect(screen.queryByRole('region', card)).toBeNull()
  expect(page.asked).not.toContain('GET /api/site')
})

it('does not come while a testbed is being read', async () => {
  const answered = Promise.withResolvers<Answer>()
  const page = openPage('/', served(answered.promise, 'built'))
  await screen.findAllByText('checking…')
  expect(page.asked).not.toContain('GET /api/site')
  answered.resolve(unable)
  expect(await screen.findByRole('region', card)).toBeTruthy()
})

it('does not come while the set-up still gets a tool', async () => {
  const coming = { ...missing, coming: true }
  const page = openPage('/', served({ body: testbed({ preflight: [coming] }) }, 'built'))
  await screen.findByText('Preflight: 0 of 1 checks passed, 1 waits for the set-up')
  expect(page.asked).not.toContain('GET /api/site')
})
