// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react'
import { lazy } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { OnDemand } from '../../src/components/on-demand.tsx'

afterEach(() => vi.restoreAllMocks())

describe('a part that loads on demand', () => {
  it('shows its fallback, then itself', async () => {
    const loaded = Promise.withResolvers<{ default: () => string }>()
    const Part = lazy(() => loaded.promise)
    render(
      <OnDemand fallback="Loading">
        <Part />
      </OnDemand>,
    )
    expect(screen.getByText('Loading')).toBeTruthy()
    loaded.resolve({ default: () => 'The part' })
    expect(await screen.findByText('The part')).toBeTruthy()
  })

  it('leaves the rest of the page as it is if it can’t be loaded, and says what to do', async () => {
    // React reports what a boundary catches.
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const Part = lazy((): Promise<{ default: () => string }> => Promise.reject(new TypeError('Failed to fetch')))
    render(
      <main>
        The rest
        <OnDemand>
          <Part />
        </OnDemand>
      </main>,
    )
    expect((await screen.findByRole('alert')).textContent).toContain('could not be loaded')
    expect(screen.getByRole('main').textContent).toContain('The rest')
  })
})
