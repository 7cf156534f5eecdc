import { describe, expect, it } from 'vitest'
import { CUT_OFF, exhibitTable, moreWords, statusWords } from '../../src/run/exhibit-table.ts'
import { logged, runOf } from '../builders.ts'
import { allExhibits, anAddress, aPage, aTable, probing, somePackets } from '../exhibits.ts'

describe('exhibits of a run', () => {
  it('are folded in the order in which they were found', () => {
    expect(runOf(logged(probing(allExhibits))).exhibits).toEqual(allExhibits)
    expect(runOf(logged(probing([]))).exhibits).toEqual([])
  })
})

describe('an exhibit as a table', () => {
  it('has a cell in each column of each row', () => {
    for (const one of allExhibits) {
      const { columns, rows } = exhibitTable(one)
      expect(rows.length).toBeGreaterThan(0)
      for (const row of rows) expect(row).toHaveLength(columns.length)
    }
  })

  it('says how many rows are not here', () => {
    expect(exhibitTable(aTable).note).toBeNull()
    expect(exhibitTable({ ...aTable, more: 7 }).note).toBe(moreWords(7))
    expect([moreWords(1), moreWords(7)]).toEqual(['One more row is not shown.', '7 more rows are not shown.'])
  })

  it('gives a page with its address and its answer', () => {
    expect(exhibitTable(aPage).rows).toEqual([
      ['http://[fd64:ff9b::a04:2]/', 'HTTP 200', 'You’ve reached an IPv4-only page\nYour address: 10.99.0.2'],
    ])
    expect(statusWords(null)).toBe('no answer')
  })

  it('takes an address apart', () => {
    expect(exhibitTable(anAddress).rows).toEqual([
      ['whole address', 'fd64:ff9b:0000:0000:0000:0000:0a04:0002', 'fd64:ff9b::a04:2'],
      ['prefix', 'fd64:ff9b:0000:0000:0000:0000', '96 bits'],
      ['IPv4 address', '0a04:0002', '10.4.0.2'],
    ])
    expect(exhibitTable({ ...anAddress, ipv6: 'nothing' }).rows).toEqual([['whole address', 'nothing', 'nothing']])
  })

  it('compares the headers of a packet, with the reasons', () => {
    const { columns, rows } = exhibitTable(somePackets)
    expect(columns).toEqual(['Field', 'client', 'gateway', 'What happened'])
    expect(rows).toContainEqual(['version', '6', '4', 'changed: The other version of IP.'])
    expect(rows).toContainEqual(['traffic class / type of service', '0x00', '0x00', 'stayed'])
    expect(rows.find(([name]) => name === 'header checksum')).toMatchObject({ 1: '–', 2: '0x9c2e' })
  })

  it('says so where the headers were cut off', () => {
    const cut = { ...somePackets, after: { where: 'gateway', head: '4500' } }
    expect(exhibitTable(cut)).toMatchObject({ rows: [], note: CUT_OFF })
  })
})
