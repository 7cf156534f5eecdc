// @vitest-environment happy-dom
import type { PublishedBeside } from '@expresslane/shared/compare/published'
import { cleanup, render, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'
import { Published, PublishedBrief } from '../../src/compare/index.ts'

afterEach(cleanup)

const beside: PublishedBeside = {
  title: 'Transactions',
  own: { metric: 'tps', off: 10_000, on: 12_000, ratio: 1.2, interval: { low: 1.1, high: 1.3 } },
  figures: [
    {
      source: 'A lab',
      link: 'https://lab.example/',
      setup: 'two machines',
      family: 'ipv6',
      runs: { off: 2, on: 3 },
      off: 100,
      on: 150,
      ratio: 1.5,
      bound: null,
    },
  ],
}

it('shows published figures below yours on demand, with their source and how many runs each is the mean of', async () => {
  const { container } = render(<Published beside={[beside]} />)
  expect(screen.queryByRole('region', { name: 'Transactions, published' })).toBeNull()
  await userEvent.click(screen.getByRole('switch', { name: 'Show published results from other machines' }))
  const [own, other] = within(screen.getByRole('region', { name: 'Transactions, published' })).getAllByRole('listitem')
  expect(own?.textContent).toContain('10,000 TPS → 12,000 TPS; +10 to +30 %+20.0 %')
  expect(other?.textContent).toContain('A lab, IPv6100 TPS → 150 TPS; two machines; means of 2 and 3 runs+50.0 %')
  expect(screen.getByRole('link', { name: 'A lab, IPv6' }).getAttribute('href')).toBe('https://lab.example/')
  expect(container.textContent).toContain('×1')
})

it('shows yours and two published figures on a slide, without absolute figures', () => {
  const [figure] = beside.figures
  const figures = ['One', 'Two', 'Three'].flatMap((source) => (figure === undefined ? [] : [{ ...figure, source }]))
  const { container } = render(<PublishedBrief beside={[{ ...beside, figures }]} />)
  const rows = screen.getByRole('region', { name: 'Transactions, published' })
  expect(
    within(rows)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent?.slice(0, 5)),
  ).toEqual(['Yours', 'One, ', 'Two, '])
  expect(container.textContent).not.toContain('TPS')
})

it('shows notes alone without an axis, and nothing where nothing was published', async () => {
  const { container, rerender } = render(<Published beside={[]} notes={['XDP has much left.']} />)
  await userEvent.click(screen.getByRole('switch', { name: 'Show published results from other machines' }))
  expect(screen.getByText('XDP has much left.')).toBeTruthy()
  expect(container.textContent).not.toContain('×1')
  rerender(<Published beside={[]} />)
  expect(container.textContent).toBe('')
})
