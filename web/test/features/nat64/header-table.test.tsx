// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { HeaderTable } from '../../../src/features/nat64/headers/header-table.tsx'

afterEach(cleanup)

/** A UDP packet, and what the translator made of it (server/test/tools/translate/cases.json: UDP to IPv4). */
const before = {
  where: 'client',
  head: '6000000000411109fd460000000000000000000000000002fd64ff9b00000000000000000a0400029c40003500412e66416e206f6464206e756d626572206f662062797465732c20736f207468617420',
}
const after = {
  where: 'gateway',
  head: '45000055000000000a119c2e0a6300020a0400029c40003500411e4b416e206f6464206e756d626572206f662062797465732c20736f207468617420',
}

function cells(): string[][] {
  return screen.getAllByRole('row').map((row) => [...row.children].map(({ textContent }) => textContent))
}

describe('two captured headers', () => {
  it('stand side by side, with what changed and why', () => {
    render(<HeaderTable before={before} after={after} />)
    const [head, ...rows] = cells()
    expect(head).toEqual(['Field', 'client', 'gateway', 'What happened'])
    expect(rows).toContainEqual(['version', '6', '4', 'changedThe other version of IP.'])
    expect(rows).toContainEqual(['traffic class / type of service', '0x00', '0x00', 'stayed'])
    expect(rows.find(([name]) => name === 'header checksum')).toMatchObject({ 1: '–', 2: '0x9c2e' })
    expect(screen.getByText(/One packet on both sides: 4 of 17 fields stayed/)).toBeTruthy()
  })

  it('are marked where they are not the same', () => {
    render(<HeaderTable before={before} after={after} />)
    const kinds = screen.getAllByRole('row').map((row) => row.getAttribute('data-kind'))
    expect(kinds.filter((kind) => kind === 'stayed')).toHaveLength(4)
    expect(new Set(kinds)).toEqual(new Set([null, 'stayed', 'changed', 'went', 'came']))
  })

  it('say so where they were cut off', () => {
    render(<HeaderTable before={before} after={{ ...after, head: after.head.slice(0, 30) }} />)
    expect(screen.getByText(/not captured whole/)).toBeTruthy()
  })
})
