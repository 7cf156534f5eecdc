/** The sentences of reports about the way in which comparisons were judged. */
import { describe, expect, it } from 'vitest'
import { compareTogether } from '../../src/compare/cases.ts'
import { experimentPlan } from '../../src/measure/experiment.ts'
import { reportPieces, type ReportFormat } from '../../src/report/file.ts'
import type { Report } from '../../src/report/model.ts'
import { measured } from '../builders.ts'
import { walk } from './samples.ts'

const writeReport = (of: Report, format: ReportFormat): string => [...reportPieces(of, format)].join('')

const arm = (place: number) => ({
  id: `arm-${place}`,
  name: `arm ${place}`,
  taken: [0, 1, 2, 3].map((round) =>
    measured({
      arm: `arm-${place}`,
      repeat: round * 3 + place + 1,
      values: { tps: 1000 * (place === 2 ? 2 : 1) + round, p99: 50 },
    }),
  ),
})

const plan = experimentPlan.parse({
  arms: [0, 1, 2].map((place) => ({ id: `arm-${place}`, label: `arm ${place}`, settings: {} })),
  cases: ['a', 'b', 'c'].map((id) => ({
    id,
    label: id,
    family: 'ipv4',
    benchmark: { tool: 'tcp-rr', requestBytes: 1, responseBytes: 1 },
  })),
  design: { order: 'interleaved', repeats: 4, seconds: 1, warmups: 0, budget: null },
})

/** Two arms against one, by three sizes. */
function sweep(): Report {
  const plain = walk()
  const cases = ['a', 'b', 'c'].map((caseId) => ({
    caseId,
    subject: null,
    main: 'tps',
    first: arm(0),
    others: [arm(1), arm(2)],
  }))
  const comparisons = compareTogether(cases, 'interleaved', 'all').map((one) => ({
    title: `${one.caseId}: ${one.arm}`,
    runId: plain.runs[0]?.id ?? null,
    case: { id: one.caseId ?? '', arm: one.arm, against: one.against },
    comparison: one.comparison,
    differences: [],
    caution: null,
  }))
  const [first, ...others] = plain.runs
  return { ...plain, runs: first === undefined ? [] : [{ ...first, plan }, ...others], comparisons }
}

/** The first line with the arm, by column. */
function csvRow(report: Report, of: string): Record<string, string | undefined> {
  const [head = [], ...rows] = writeReport(report, 'csv')
    .trim()
    .split('\r\n')
    .map((line) => line.split(','))
  const row = rows.find((cells) => cells[head.indexOf('arm')] === of) ?? []
  return Object.fromEntries(head.map((name, index) => [name, row[index]]))
}

describe('a report', () => {
  it('names the method that judged the comparisons of an experiment, and the intervals as simultaneous', () => {
    const html = writeReport(sweep(), 'html')
    expect(html).toMatch(
      /All 6 comparisons are judged together \(Dunnett.*at most 5 of 100.*intervals are simultaneous/,
    )
    expect(html).toMatch(/0\.029, adjusted/)
    const markdown = writeReport(sweep(), 'md')
    expect(markdown.match(/One of 6 comparisons that are judged together/g)).toHaveLength(6)
    expect(JSON.parse(writeReport(sweep(), 'json'))).toMatchObject({
      comparisons: sweep().comparisons.map(() => ({
        comparison: { control: { method: 'dunnett-sidak', comparisons: 6 } },
      })),
    })
  })

  it('marks every metric but the main one as exploratory', () => {
    const markdown = writeReport(sweep(), 'md')
    const rows = markdown.split('\n').filter((line) => line.startsWith('| '))
    expect(rows.filter((line) => line.includes('p99')).every((line) => line.includes('exploratory: '))).toBe(true)
    expect(rows.filter((line) => line.startsWith('| Transactions')).some((line) => line.includes('exploratory'))).toBe(
      false,
    )
    expect(markdown).toContain('The other metrics are exploratory')
  })

  it('has the verdict of each arm in its CSV, with the metric and the method', () => {
    expect(csvRow(walk(), 'on')).toMatchObject({
      verdict_metric: 'tps',
      verdict: 'too-few',
      verdict_method: 'none',
      verdict_comparisons: '1',
    })
    expect(csvRow(walk(), 'off')).toMatchObject({ verdict_metric: '', verdict: '', verdict_method: '' })
  })
})
