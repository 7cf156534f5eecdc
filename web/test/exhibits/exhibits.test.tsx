// @vitest-environment happy-dom
import type { Exhibit } from '@expresslane/shared/run/exhibit'
import { allExhibits, anAddress, aPage, aTable, somePackets } from '@expresslane/shared/test/exhibits'
import { cleanup, configure, render, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { Exhibits } from '../../src/exhibits/index.ts'

afterEach(cleanup)
// The views load on demand, which takes a while on a busy machine.
configure({ asyncUtilTimeout: 10_000 })

async function show(of: readonly Exhibit[], brief = false): Promise<HTMLElement> {
  const { container } = render(<Exhibits of={of} brief={brief} />)
  await screen.findAllByRole('figure')
  return container
}

function rows(): string[][] {
  return screen.getAllByRole('row').map((row) => [...row.children].map(({ textContent }) => textContent))
}

describe('exhibits', () => {
  it('are shown in their order, each with its title', async () => {
    await show(allExhibits)
    for (const { title } of allExhibits) expect(screen.getByText(title)).toBeTruthy()
    const items = screen.getAllByRole('listitem').map((item) => item.getAttribute('data-kind'))
    expect(items.filter((kind) => kind !== null)).toEqual(['table', 'page', 'address', 'packets'])
  })

  it('are left out where there are none', () => {
    const { container } = render(<Exhibits of={[]} />)
    expect(container.childElementCount).toBe(0)
  })
})

describe('a table', () => {
  it('has a cell in each column, and scrolls in a region of its own', async () => {
    await show([aTable])
    expect(rows()[0]).toEqual(['Asked for', 'Answer'])
    expect(rows()[3]).toEqual(['short row', ''])
    expect(screen.getByRole('region', { name: aTable.title }).tabIndex).toBe(0)
    expect(screen.queryByText(/not shown/)).toBeNull()
  })

  it('shows its first rows on a slide, and how many more there are', async () => {
    const many = { ...aTable, rows: Array.from({ length: 9 }, (_, index) => [`row ${index}`, 'x']), more: 3 }
    await show([many], true)
    expect(rows()).toHaveLength(6)
    expect(screen.getByText('7 more rows are not shown.')).toBeTruthy()
    cleanup()
    await show([many])
    expect(rows()).toHaveLength(10)
    expect(screen.getByText('3 more rows are not shown.')).toBeTruthy()
  })

  it('says that it is empty', async () => {
    await show([{ ...aTable, rows: [] }])
    expect(screen.getByText('It is empty.')).toBeTruthy()
  })
})

describe('a slide with several exhibits', () => {
  it('has room for two rows of a wide table, and for the fields that changed', async () => {
    const wide = {
      ...aTable,
      columns: ['a', 'b', 'c', 'd'],
      rows: ['one', 'two', 'three', 'four'].map((row) => [row]),
    }
    render(<Exhibits of={[aPage, somePackets, wide]} brief />)
    expect(await screen.findByText('2 more rows are not shown.')).toBeTruthy()
    expect(screen.queryByText('three')).toBeNull()
    expect(screen.getByText('hop limit')).toBeTruthy()
    expect(screen.queryByText('only after:')).toBeNull()
  })
})

describe('a page', () => {
  it('has its address, its answer and its text, and none of its markup', async () => {
    const list = await show([{ ...aPage, text: '<b>You are here</b>\n<script>alert(1)</script>' }])
    expect(list.textContent).toContain(aPage.url)
    expect(list.textContent).toContain('HTTP 200')
    expect(screen.getByText('<b>You are here</b>')).toBeTruthy()
    expect(list.querySelector('b, script')).toBeNull()
    expect(list.querySelector('[data-good]')?.getAttribute('data-good')).toBe('true')
  })

  it('says why there was no answer', async () => {
    const list = await show([{ ...aPage, status: null, text: 'Connection timed out' }])
    expect(screen.getByText('no answer')).toBeTruthy()
    expect(screen.getByText('Connection timed out')).toBeTruthy()
    expect(list.querySelector('[data-good]')?.getAttribute('data-good')).toBe('false')
  })
})

describe('an address', () => {
  const bytesOf = (list: HTMLElement, part: string): (string | null)[] =>
    [...list.querySelectorAll(`[aria-hidden] [data-part="${part}"]`)].map(({ textContent }) => textContent)

  it('shows the bytes of the IPv4 address with their decimals', async () => {
    const list = await show([anAddress])
    expect(bytesOf(list, 'ipv4')).toEqual(['0a10', '044', '000', '022'])
    expect(bytesOf(list, 'prefix')).toHaveLength(12)
    const legend = within(screen.getByRole('list', { name: 'Parts of the address' }))
    expect(legend.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'prefix96 bits',
      'IPv4 address10.4.0.2',
    ])
  })

  it('names the bits that are always 0 where there are some', async () => {
    const list = await show([{ ...anAddress, ipv6: '2001:db8:1c0:2:21::', ipv4: '192.0.2.33', prefixBits: 40 }])
    expect(bytesOf(list, 'ipv4')).toEqual(['c0192', '000', '022', '2133'])
    expect(bytesOf(list, 'zero')).toHaveLength(7)
    expect(screen.getByText('always 0')).toBeTruthy()
  })

  it('stays as it is where it can’t be read', async () => {
    const list = await show([{ ...anAddress, ipv6: 'no address' }])
    expect(list.textContent).toContain('no address')
    expect(screen.queryByRole('list', { name: 'Parts of the address' })).toBeNull()
  })
})

describe('two captured headers', () => {
  it('stand side by side, with what changed and why', async () => {
    await show([somePackets])
    const [head, ...fields] = rows()
    expect(head).toEqual(['Field', 'client', 'gateway', 'What happened'])
    expect(fields).toContainEqual(['version', '6', '4', 'changed: The other version of IP.'])
    expect(fields).toContainEqual(['traffic class / type of service', '0x00', '0x00', 'stayed'])
    expect(fields.find(([name]) => name === 'header checksum')).toMatchObject({ 1: '–', 2: '0x9c2e' })
    expect(screen.getByText('4 of 17 fields stayed.')).toBeTruthy()
  })

  it('are marked where they are not the same', async () => {
    await show([somePackets])
    const kinds = screen.getAllByRole('row').map((row) => row.getAttribute('data-change'))
    expect(kinds.filter((kind) => kind === 'stayed')).toHaveLength(4)
    expect(new Set(kinds)).toEqual(new Set([null, 'stayed', 'changed', 'went', 'came']))
  })

  it('are only what changed on a slide, and the names of what one header alone has', async () => {
    const list = await show([somePackets], true)
    expect(rows()[0]).toEqual(['Field', 'client', 'gateway'])
    expect(rows().map(([name]) => name)).not.toContain('traffic class / type of service')
    expect(rows()).toContainEqual(['version', '6', '4'])
    expect(list.textContent).toMatch(/only before: .*flow label/)
    expect(list.textContent).toMatch(/only after: .*header checksum/)
  })

  it('say so where they were cut off', async () => {
    await show([{ ...somePackets, after: { where: 'gateway', head: '4500' } }])
    expect(screen.getByText(/not captured whole/)).toBeTruthy()
  })
})
