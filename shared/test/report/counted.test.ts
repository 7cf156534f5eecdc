/** Reports of a session whose clock counts instructions. After a change that is meant: `-u`, and read the diff. */
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { comparisonReport, runReport, sessionReport, type RunRecord } from '../../src/report/build.ts'
import { reportPieces } from '../../src/report/file.ts'
import type { Report } from '../../src/report/model.ts'
import { counted, countedRecords } from '../counted-session.ts'
import { timeWords } from '../time-words.ts'
import { options, walk } from './samples.ts'

const [baseline, measured, compared] = countedRecords
if (baseline === undefined || measured === undefined || compared === undefined)
  throw new Error('three runs are recorded')

const name = (record: RunRecord) => ({ name: { run: record.run.id, arm: null, caseId: null }, record })
const reports: Record<string, Report> = {
  session: sessionReport(counted.session, countedRecords, options),
  run: runReport(counted.session, measured, [baseline.run], options),
  'run that compares': runReport(counted.session, compared, [baseline.run, measured.run], options),
  comparison: comparisonReport([counted.session], name(baseline), name(measured), options),
}
const textOf = (made: Report, format: 'html' | 'md' | 'csv'): string => [...reportPieces(made, format)].join('')

describe.each(Object.entries(reports))('the report of a counted %s', (about, made) => {
  it('has no time in it, as a page or as text', () => {
    const page = textOf(made, 'html').replace(/<style>.*<\/style>/s, '')
    expect(timeWords(page)).toEqual([])
    expect(page).toContain('instructions')
    expect(page).toContain('are not counted')
    const text = textOf(made, 'md')
    expect(timeWords(text)).toEqual([])
    expect(text).toContain('are not counted')
  })

  it('keeps names and figures of the chart within their place', () => {
    const [chart = ''] = /<svg.*?<\/svg>/s.exec(textOf(made, 'html')) ?? []
    if (!chart.includes('Latency in')) return
    expect(chart).toContain('>Transactions per billion instructions</text>')
    expect(chart).toMatch(/>1,\d{3}<\/text>/)
    const [, wide = ''] = /viewBox="0 0 ([\d.]+) /.exec(chart) ?? []
    for (const [, x] of chart.matchAll(/<text x="([\d.]+)"/g)) expect(Number(x)).toBeLessThanOrEqual(Number(wide))
  })

  it('has columns of instructions as a table, and none of time', () => {
    const [header = '', ...rows] = textOf(made, 'csv').trimEnd().split('\r\n')
    // A run that only compares has a header without rows. What is offered is a tool's parameter, which no tool has here.
    if (about === 'run that compares') return
    // Times and rates that a limit or a delay sets are on the machine's clock.
    const columns = header
      .split(',')
      .filter((column) => column !== 'offered_packets_per_s' && !column.includes('_machine_'))
    expect(columns.filter((column) => /_(us|ns|ms|s|per_s)$|_s_per_/.test(column))).toEqual([])
    expect(columns).toEqual(
      expect.arrayContaining([
        'elapsed_instructions',
        'latency_p99_instructions',
        'transactions_per_billion_instructions',
      ]),
    )
    const at = header.split(',').indexOf('transactions_per_billion_instructions')
    for (const row of rows) expect(Number(row.split(',')[at])).toBeGreaterThan(1_000)
  })
})

it('is as it was', async () => {
  const folder = join(import.meta.dirname, '../golden')
  await expect(textOf(reports['session'] ?? walk(), 'md')).toMatchFileSnapshot(join(folder, 'counted.md'))
  await expect(textOf(reports['session'] ?? walk(), 'csv')).toMatchFileSnapshot(join(folder, 'counted.csv'))
})

it('names the machine once', () => {
  expect(textOf(reports['session'] ?? walk(), 'html')).toContain('<dd>the counted machine, a virtual one')
})

it('says loudly that a session in time can’t be compared with it', () => {
  const [other] = walk().runs
  const made = { ...(reports['run'] ?? walk()), about: 'comparison' as const, comparisons: [] }
  const both = { ...made, runs: [...made.runs, ...(other === undefined ? [] : [other])] }
  expect(textOf(both, 'html')).toContain('These figures can’t be compared')
  expect(textOf(both, 'md')).toContain('These figures can’t be compared')
  const [header = ''] = textOf(both, 'csv').split('\r\n')
  expect(header).toContain('transactions_per_s,transactions_per_billion_instructions')
  expect(textOf(walk(), 'html')).not.toContain('instructions')
})
