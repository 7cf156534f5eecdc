// @vitest-environment happy-dom
import { glossary } from '@expresslane/shared/labs/glossary'
import { cleanup, render, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ExplainedProse } from '../../src/components/prose/glossary.tsx'

const terms = glossary.parse([
  { term: 'NAT', definition: 'Rewrites addresses.' },
  { term: 'NAT64', definition: 'From IPv6 to IPv4.' },
  { term: 'jumbo frame', aliases: ['giant frame'], definition: 'A long frame.', link: 'https://example.org/jumbo' },
  { term: 'conntrack', aliases: ['connection tracking'], definition: 'Knows connections.' },
])

function marked(text: string, glossaryOf = terms): string[] {
  render(<ExplainedProse text={text} glossary={glossaryOf} />)
  return screen.queryAllByRole('button').map(({ textContent }) => textContent ?? '')
}

/** happy-dom has no popovers. */
const open = new Set<Element>()
beforeEach(() => {
  Object.assign(HTMLElement.prototype, {
    togglePopover(this: HTMLElement, shown: boolean) {
      if (shown) open.add(this)
      else open.delete(this)
      return shown
    },
  })
})
afterEach(() => {
  cleanup()
  open.clear()
  Reflect.deleteProperty(HTMLElement.prototype, 'togglePopover')
  vi.unstubAllGlobals()
})

describe('the terms of a text', () => {
  it('are marked where they are used first, in the longest form', () => {
    expect(marked('**NAT64** is no NAT. NAT and NAT64 again.\n\n- Connection tracking, or conntrack.')).toEqual([
      'NAT64',
      'NAT',
      'Connection tracking',
    ])
  })

  it('are marked at the beginning of a sentence, in the plural and by another name', () => {
    expect(marked('Jumbo frames are long.')).toEqual(['Jumbo frames'])
    cleanup()
    expect(marked('A giant frame is a jumbo frame.')).toEqual(['giant frame'])
  })

  it('are not marked in other words, code, headings and links', () => {
    expect(marked('# NAT\n\nSNAT, NAT-like, `NAT`, [NAT](https://example.org).\n\n```sh\nNAT\n```')).toEqual([])
  })

  it('have the later of two definitions, and none without a glossary', () => {
    const own = glossary.parse([{ term: 'NAT', definition: 'My own words.' }])
    expect(marked('NAT', [...terms, ...own])).toEqual(['NAT'])
    expect(screen.getByText('My own words.')).toBeTruthy()
    cleanup()
    expect(marked('NAT', [])).toEqual([])
  })
})

describe('a marked term', () => {
  it('shows its definition on hover and focus, hides it afterwards, and links to its source', async () => {
    const user = userEvent.setup()
    marked('Use jumbo frames.\n\nOr NAT.')
    const term = screen.getByRole('button', { name: 'jumbo frames' })
    const about = document.querySelector(`#${CSS.escape(term.getAttribute('aria-describedby') ?? '')}`)
    expect(about?.textContent).toBe('A long frame. More')
    await user.hover(term)
    expect([...open]).toEqual([about])
    await user.unhover(term)
    expect([...open]).toEqual([])

    await user.tab()
    expect(document.activeElement).toBe(term)
    expect([...open]).toEqual([about])
    // The link is a part of it.
    await user.tab()
    expect(document.activeElement).toBe(within(about as HTMLElement).getByRole('link', { hidden: true }))
    expect([...open]).toEqual([about])
    await user.tab()
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'NAT' }))
    expect(open.has(about as Element)).toBe(false)
  })

  it('stays inside of a narrow window, above the term where there is no room below', async () => {
    marked('NAT')
    const term = screen.getByRole('button', { name: 'NAT' })
    const about = document.querySelector<HTMLElement>(`#${CSS.escape(term.getAttribute('aria-describedby') ?? '')}`)
    if (about === null) throw new Error('no definition')
    Object.defineProperties(about, { offsetWidth: { value: 300 }, offsetHeight: { value: 100 } })
    Object.defineProperties(document.documentElement, {
      clientWidth: { value: 390, configurable: true },
      clientHeight: { value: 800, configurable: true },
    })
    term.getBoundingClientRect = () => new DOMRect(350, 760, 30, 20)
    await userEvent.setup().click(term)
    expect([about.style.left, about.style.top]).toEqual(['82px', '660px'])
  })
})
