// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { aLab, testbed } from '@expresslane/shared/test/builders'
import { openPage } from '../pages/open-page.tsx'

const contexts = ['checked', 'skipped'].map((name) => ({
  name,
  cluster: name,
  namespace: null,
  current: name === 'checked',
  insecure: name === 'skipped',
}))

it('warns of a context whose API server does not have to prove who it is, before it is used', async () => {
  const problem = { code: 'context_not_chosen', message: 'None.', remedy: 'Choose.', remedyCommand: null, detail: null }
  openPage('/', {
    'GET /api/labs': { body: { labs: [aLab()], problems: [], testbeds: ['kubernetes'] } },
    'GET /api/testbeds/kubernetes': { body: testbed({ id: 'kubernetes', kind: 'kubernetes', contexts, problem }) },
  })
  const select = await screen.findByLabelText('Context')
  expect(screen.queryByText(/insecure-skip-tls-verify/)).toBeNull()
  await userEvent.selectOptions(select, 'skipped')
  expect(screen.getByText(/insecure-skip-tls-verify/).textContent).toContain('can read the credentials')
})
