// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { aLab, aSession } from '@expresslane/shared/test/builders'
import { openPage, type Answer } from './open-page.tsx'

const own = aLab({ id: 'mine', title: 'My own lab', origin: 'own', file: 'course/mine.md' })
const problem = { file: 'course/bad.md', line: 70, column: 3, message: '"minuets" is not known here' }

function labsAnswer(labs: unknown[], problems: unknown[] = []): Answer {
  return { body: { labs, problems, testbeds: ['netns'] } }
}

describe('an instructor’s own labs', () => {
  it('are marked as such, with their file', async () => {
    openPage('/', { 'GET /api/labs': labsAnswer([aLab(), own]) })
    expect((await screen.findByRole('article', { name: 'My own lab' })).textContent).toContain('course/mine.md')
    expect(screen.getByRole('article', { name: 'BIG TCP over IPv4' }).textContent).not.toContain('.md')
  })

  it('are listed with their errors where they are broken, file by file, beside the others', async () => {
    const more = Array.from({ length: 12 }, (_, n) => ({ ...problem, file: 'course/worse.md', line: n + 1 }))
    openPage('/', { 'GET /api/labs': labsAnswer([own], [problem, ...more]) })
    const list = within(await screen.findByRole('list', { name: 'Labs with errors' }))
    expect(list.getByText('course/bad.md has an error')).toBeTruthy()
    expect(list.getByText('line 70, column 3').parentElement?.textContent).toContain('"minuets" is not known here')
    expect(list.getByText('course/worse.md has 12 errors')).toBeTruthy()
    expect(list.getByText('And 4 more.')).toBeTruthy()
    expect(await screen.findByRole('article', { name: 'My own lab' })).toBeTruthy()
  })

  it('follow an edit while the page is open', async () => {
    const page = openPage('/', { 'GET /api/labs': labsAnswer([own]) })
    await screen.findByRole('article', { name: 'My own lab' })
    page.answer('GET /api/labs', labsAnswer([{ ...own, title: 'My better lab' }]))
    page.send({ type: 'labs', revision: 1 })
    expect(await screen.findByRole('article', { name: 'My better lab' })).toBeTruthy()
    const asked = page.asked.length
    // The same again, as after a reconnect: nothing to fetch.
    page.send({ type: 'labs', revision: 1 })
    expect(page.asked).toHaveLength(asked)
  })
})

describe('a session whose lab', () => {
  const session = { id: aSession, labId: 'mine', testbed: 'netns', owner: 'owner', createdAt: 1 }
  const walk = { [`GET /api/sessions/${aSession}`]: { body: { session, runs: [], incarnation: 'one', seq: 0 } } }
  const address = `/labs/mine/sessions/${aSession}`

  it('is gone says so, and where the results are', async () => {
    openPage(address, { ...walk, 'GET /api/labs': labsAnswer([aLab()], [problem]) })
    expect(await screen.findByText('The lab “mine” no longer exists')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Show the results in the history' })).toBeTruthy()
    expect(await screen.findByText('course/bad.md has an error')).toBeTruthy()
  })

  it('was broken by an edit continues unchanged, and shows only the error of its file', async () => {
    const other = { ...problem, file: 'course/mine.md' }
    openPage(address, { ...walk, 'GET /api/labs': labsAnswer([own], [problem, other]) })
    expect(await screen.findByText('course/mine.md has an error')).toBeTruthy()
    expect(screen.queryByText('course/bad.md has an error')).toBeNull()
    expect(await screen.findByRole('heading', { name: 'My own lab' })).toBeTruthy()
  })
})
