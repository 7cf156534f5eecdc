// @vitest-environment happy-dom
/** A chart on the page, and how little a new one takes. */
import { paper, type Chart, type Frame } from '@expresslane/shared/charts/draw/chart'
import { group, rect, text } from '@expresslane/shared/charts/draw/marks'
import { inlineSvg, standaloneSvg } from '@expresslane/shared/charts/draw/svg'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ChartView } from '../../src/charts/chart-view.tsx'
import { asButtons, byPointer } from '../../src/charts/choices.ts'

afterEach(cleanup)

/** The whole definition of a chart: the page, reports and files draw it without a line of their own. */
function tally(counts: readonly number[], { width, text: size }: Frame): Chart {
  const step = width / counts.length
  return {
    title: 'Tally',
    description: `${counts.join(', ')}.`,
    width,
    height: 100,
    marks: counts.map((count, column) =>
      group(
        [
          rect(column * step, 100 - count, step - 2, count, { fill: 'on' }),
          text(column * step, 100, String(count), { fontSize: size }),
        ],
        `count ${count}`,
        { id: String(column), row: 0, column },
      ),
    ),
  }
}

describe('a new chart', () => {
  it('is the same on the page, in a report and in a file, without an edit elsewhere', () => {
    render(<ChartView of={(frame) => tally([10, 20], frame)} />)
    const drawn = screen.getByRole('img', { name: 'Tally. 10, 20.' })
    const shown = [...drawn.querySelectorAll('rect')].map((one) => one.getAttribute('height'))
    for (const svg of [inlineSvg(tally([10, 20], paper)), standaloneSvg(tally([10, 20], paper), 'here')]) {
      const heights = [...svg.matchAll(/<rect x="[\d.]+"[^>]* height="([\d.]+)"/g)].map(([, height]) => height)
      expect(heights).toEqual(shown)
      expect(svg).toContain('<title>count 20</title>')
    }
  })

  it('takes its colours from the page’s own variables, which differ in the dark', () => {
    render(<ChartView of={(frame) => tally([10], frame)} />)
    expect(screen.getByRole('img').querySelector('rect')?.getAttribute('fill')).toBe('var(--arm-on)')
  })
})

describe('marks that can be chosen', () => {
  it('are buttons: arrow keys move between them, Enter and the space bar choose', async () => {
    const onChoose = vi.fn()
    render(<ChartView of={(frame) => tally([10, 20], frame)} choices={asButtons('1', onChoose)} />)
    const [first, second] = screen.getAllByRole('button')
    expect(screen.getByRole('group', { name: 'Tally' })).toBeTruthy()
    expect([first, second].map((one) => one?.getAttribute('aria-pressed'))).toEqual(['false', 'true'])
    const user = userEvent.setup()
    await user.tab()
    await user.keyboard('{ArrowRight}')
    expect(document.activeElement).toBe(second)
    await user.keyboard('{ArrowRight}{Enter} {ArrowLeft}{Enter}')
    expect(onChoose.mock.calls).toEqual([['1'], ['1'], ['0']])
    expect(screen.getByRole('button', { name: 'count 10' })).toBe(first)
  })

  it('can be left to the pointer, where a table beside the chart has the buttons', async () => {
    const onChoose = vi.fn()
    render(<ChartView of={(frame) => tally([10, 20], frame)} choices={byPointer(null, onChoose)} />)
    expect(screen.queryByRole('button')).toBeNull()
    const mark = screen.getByRole('img').querySelectorAll('rect')[1]
    if (mark === undefined) throw new Error('no mark')
    await userEvent.click(mark)
    expect(onChoose).toHaveBeenCalledWith('1')
  })
})
