// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { aLab, testbed } from '@expresslane/shared/test/builders'
import { aRecording } from '../recording.ts'
import { openPage, refusal } from './open-page.tsx'

const offered = {
  'GET /api/labs': { body: { labs: [aLab()], problems: [], testbeds: ['recording'] } },
  'GET /api/testbeds/recording': { body: testbed({ kind: 'recording', labs: [], capabilities: [] }) },
}
const card = async () => within(await screen.findByRole('article', { name: 'Recordings' }))

describe('the list of recordings', () => {
  it('offers to import one where there is none', async () => {
    openPage('/', offered)
    const { getByRole, queryAllByRole } = await card()
    expect(queryAllByRole('listitem')).toEqual([])
    expect(getByRole('button', { name: 'Import a recording' }).hasAttribute('disabled')).toBe(false)
  })

  it('says why it could not be loaded, and loads it again', async () => {
    const page = openPage('/', { ...offered, 'GET /api/recordings': refusal(500, { message: 'A file is damaged.' }) })
    const { findByRole, findByText, getByRole } = await card()
    expect((await findByRole('alert')).textContent).toContain('A file is damaged.')
    page.answer('GET /api/recordings', { body: { recordings: [aRecording] } })
    await userEvent.click(getByRole('button', { name: 'Try again' }))
    expect(await findByText('A quiet morning')).toBeTruthy()
  })

  it('names the line of an imported file that is wrong', async () => {
    const detail = 'line 7, column 3: expected a number'
    openPage('/', {
      ...offered,
      'POST /api/recordings': refusal(400, { code: 'recording_invalid', message: 'This is no recording.', detail }),
    })
    const { findByRole, getByLabelText } = await card()
    await userEvent.upload(getByLabelText(/file/), new File(['{}'], 'broken.json', { type: 'application/json' }))
    expect((await findByRole('alert')).textContent).toContain(detail)
  })

  it('says that a recording’s lab is not on this server, and does not play it back', async () => {
    openPage('/', {
      ...offered,
      'GET /api/testbeds/recording': { body: testbed({ kind: 'recording', labs: ['gone'], context: 'one' }) },
      'GET /api/recordings': { body: { recordings: [{ ...aRecording, lab: 'gone' }] } },
    })
    const { findByRole, getByText } = await card()
    expect((await findByRole('button', { name: /^Play back/ })).hasAttribute('disabled')).toBe(true)
    expect(getByText(/does not have the lab/)).toBeTruthy()
  })
})
