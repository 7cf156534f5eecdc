// @vitest-environment happy-dom
/** Log-outs, and the next person on the same computer. */
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { StoreContext } from '../../src/api/live.tsx'
import { FollowPage, JoinPage } from '../../src/follow/index.ts'
import { openPage, refusal, type Answer } from './open-page.tsx'

const as = (role: string, name = 'Ada') => ({
  'GET /api/me': { body: { id: 'p1', role, name, workshop: true, mostSeconds: 120 } },
})

/** Records the address that the browser goes to; a test does not follow. */
function nextPage() {
  const replace = vi.spyOn(window.location, 'replace').mockImplementation(() => {})
  onTestFinished(() => replace.mockRestore())
  return replace
}

async function ask() {
  await userEvent.click(await screen.findByRole('button', { name: 'Log out' }))
  return within(await screen.findByRole('dialog'))
}

describe('the log-out of a page', () => {
  it.each([
    ['participant', 'Log out, Ada?', '/join'],
    ['instructor', 'Log out of this browser?', '/'],
  ])('of a %s asks first, and leaves nothing behind', async (role, title, next) => {
    const opened = nextPage()
    window.localStorage.setItem('of Ada', 'a secret')
    window.sessionStorage.setItem('of Ada', 'a secret')
    const page = openPage('/', { ...as(role), 'POST /api/me/logout': { body: null } })
    const dialog = await ask()
    expect(dialog.getByRole('heading', { name: title })).toBeTruthy()
    expect(page.asked).not.toContain('POST /api/me/logout')
    await userEvent.click(dialog.getByRole('button', { name: 'Log out' }))
    await vi.waitFor(() => expect(opened).toHaveBeenCalledWith(next))
    expect([window.localStorage.length, window.sessionStorage.length]).toEqual([0, 0])
  })

  it('can be left, and says why it failed', async () => {
    const opened = nextPage()
    const failed = refusal(500, { message: 'It could not be stored.' })
    openPage('/', { ...as('participant'), 'POST /api/me/logout': failed })
    const dialog = await ask()
    await userEvent.click(dialog.getByRole('button', { name: 'Log out' }))
    expect((await dialog.findByRole('alert')).textContent).toContain('It could not be stored.')
    await userEvent.click(dialog.getByRole('button', { name: 'Stay' }))
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(opened).not.toHaveBeenCalled()
  })

  it('is not offered to a stranger', async () => {
    const stranger = refusal(401, { code: 'unauthorized' })
    openPage('/', { 'GET /api/me': stranger, 'GET /api/labs': stranger, 'GET /api/sessions': stranger })
    await screen.findByRole('textbox', { name: 'Token' })
    expect(screen.queryByRole('button', { name: 'Log out' })).toBeNull()
  })
})

describe('the log-out of a follower', () => {
  it('asks first, and leads to the form for a code', async () => {
    const opened = nextPage()
    const page = openPage(
      '/follow',
      { 'GET /api/presentation': { body: { presentation: null } }, 'POST /api/me/logout': 'unreachable' },
      {
        show: (store) => (
          <StoreContext.Provider value={store}>
            <FollowPage />
          </StoreContext.Provider>
        ),
      },
    )
    await userEvent.click(await screen.findByRole('button', { name: 'Log out' }))
    const question = within(screen.getByRole('alert'))
    await userEvent.click(question.getByRole('button', { name: 'Log out' }))
    expect(await question.findByText('The server does not respond. Try again.')).toBeTruthy()
    page.answer('POST /api/me/logout', { body: null })
    await userEvent.click(question.getByRole('button', { name: 'Log out' }))
    await vi.waitFor(() => expect(opened).toHaveBeenCalledWith('/follow'))
  })
})

describe('the page to join', () => {
  const join = (answers: Record<string, Answer>) => openPage('/join', answers, { show: () => <JoinPage /> })

  it('asks who sits there where a participant is logged in', async () => {
    const opened = nextPage()
    const page = join({
      ...as('participant'),
      'POST /api/join': {
        status: 201,
        body: { id: 'p2', role: 'participant', name: 'Bob', workshop: true, mostSeconds: 120 },
      },
    })
    expect((await screen.findByRole('link', { name: 'Go on as Ada' })).getAttribute('href')).toBe('/')
    expect(screen.queryByLabelText(/Your name/)).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'I am somebody else' }))
    await userEvent.type(await screen.findByLabelText(/Your name/), 'Bob')
    await userEvent.click(screen.getByRole('button', { name: 'Join' }))
    await vi.waitFor(() => expect(opened).toHaveBeenCalledWith('/'))
    expect(page.asked).toContain('POST /api/join')
  })

  it('says that a name looks like another one', async () => {
    join({
      'GET /api/me': refusal(401, { code: 'unauthorized' }),
      'POST /api/join': refusal(409, {
        code: 'name_taken',
        message: 'Somebody has it.',
        remedy: 'Choose another name.',
      }),
    })
    await userEvent.type(await screen.findByLabelText(/Your name/), 'Bob')
    await userEvent.click(screen.getByRole('button', { name: 'Join' }))
    expect((await screen.findByRole('alert')).textContent).toBe('Somebody has it. Choose another name.')
  })
})
