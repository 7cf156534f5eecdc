/** Text from tools, clusters and people that tries to be more than text, in every format. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { comparisonChart } from '../../src/charts/bars-chart.ts'
import { csvCell, csvReport } from '../../src/report/csv.ts'
import type { Report } from '../../src/report/model.ts'
import { htmlReport } from '../../src/report/html/html.ts'
import { markdownReport, plainMarkdown } from '../../src/report/markdown.ts'
import { paper } from '../../src/charts/draw/chart.ts'
import { escapeMarkup, standaloneSvg } from '../../src/charts/draw/svg.ts'
import { environment } from '../builders.ts'
import { walk } from './samples.ts'

const htmlOf = (of: Report): string => [...htmlReport(of)].join('')
const csvOf = (of: Report): string => [...csvReport(of)].join('')
const EVIL = `</pre></title></style><script>alert("1")</script><img src=x onerror='alert(2)'>&lt;\u0000\u001b[31m`

/** Every tag of a document, but for the lines that a longer text has in a chart. */
function tagsOf(markup: string): string[] {
  return [...markup.matchAll(/<\/?([a-z!][a-z0-9]*)/gi)].flatMap(([, name = '']) => (name === 'tspan' ? [] : name))
}

describe('HTML', () => {
  it('has the same elements with any text', () => {
    expect(tagsOf(htmlOf(walk({ text: EVIL })))).toEqual(tagsOf(htmlOf(walk({ text: 'harmless' }))))
  })

  it('runs nothing, fetches nothing, and forbids it itself', () => {
    const html = htmlOf(walk({ text: EVIL }))
    const bare = [...html.matchAll(/<[a-z][^>]*>/gi)].map(([tag]) => tag.replaceAll(/"[^"]*"/g, '""')).join('')
    expect(bare).not.toMatch(/<(script|img|link|iframe|object|base)|\s(on[a-z]+|src|href)\s*=/i)
    expect(/<style>(.*?)<\/style>/s.exec(html)?.[1]).not.toMatch(/url\(|@import/i)
    expect(html).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`)
    for (const sign of ['\u0000', '\u001b']) expect(html).not.toContain(sign)
  })

  it('escapes only characters with a meaning in text or in quoted attributes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const escaped = escapeMarkup(text)
        expect(escaped).not.toMatch(/[<>"']|&(?!(amp|lt|gt|quot|#39);)/)
        const back = escaped
          .replaceAll('&lt;', '<')
          .replaceAll('&gt;', '>')
          .replaceAll('&quot;', '"')
          .replaceAll('&#39;', "'")
          .replaceAll('&amp;', '&')
        if (!/\p{Cc}|[\ufffe\uffff]/u.test(text) && text.isWellFormed()) expect(back).toBe(text)
      }),
    )
  })
})

describe('a separate chart', () => {
  it('contains hostile names as text', () => {
    const [first] = walk({ text: EVIL }).comparisons
    if (first === undefined) throw new Error('nothing compared')
    const svg = standaloneSvg(comparisonChart(first.comparison, EVIL, paper), 'here')
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/)
    expect(svg).not.toMatch(/<script|<img|onerror='/)
  })
})

/** RFC 4180, as a reader of another's would do it. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = []
  for (const [, line] of text.matchAll(/((?:"(?:[^"]|"")*"|[^"\r\n])*)\r\n/g)) {
    const cells = [...`,${line}`.matchAll(/,("(?:[^"]|"")*"|[^",]*)/g)].map(([, cell = '']) =>
      cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell,
    )
    rows.push(cells)
  }
  return rows
}

describe('CSV', () => {
  it('has one row per measurement with equally many cells, and marks warm-ups', () => {
    const [head, ...rows] = parseCsv(csvOf(walk()))
    expect(rows).toHaveLength(6)
    for (const row of rows) expect(row).toHaveLength(head?.length ?? 0)
    const column = (name: string) => rows.map((row) => row[head?.indexOf(name) ?? -1])
    expect(column('warmup')).toEqual(['true', 'false', 'false', 'true', 'false', 'false'])
    expect(column('transactions_per_s')).toEqual(['10001', '10002', '10003', '15001', '15002', '15003'])
    expect(column('env_kernel')[0]).toBe('6.18.5')
    expect(column('version_netperf')[5]).toBe('2.7.0')
  })

  it('is read back unchanged, without formulas', () => {
    const env = environment({ kernel: '=HYPERLINK("http://x","y")', os: 'a,b"c\r\nd', name: '@SUM(1)' })
    const [head, first] = parseCsv(csvOf(walk({ env })))
    const cell = (name: string) => first?.[head?.indexOf(name) ?? -1]
    expect(cell('env_kernel')).toBe(`'=HYPERLINK("http://x","y")`)
    expect(cell('env_os')).toBe('a,b"c\r\nd')
    expect(cell('env_name')).toBe("'@SUM(1)")
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const [[read] = []] = parseCsv(`${csvCell(text)}\r\n`)
        expect(read).not.toMatch(/^[=+\-@\t\r\n]/)
        expect([text, `'${text}`]).toContain(read)
      }),
    )
  })

  it('leaves cells empty that a measurement does not have', () => {
    const csv = csvOf(walk({ env: environment({ versions: { constructor: '1' } }) }))
    expect(csv.split('\r\n')[0]).toContain(',version_constructor,')
    expect(csv).not.toContain('native code')
  })

  it('does not change numbers, and is only a header without measurements', () => {
    expect([csvCell(-1), csvCell(0.5), csvCell(null), csvCell(false)]).toEqual(['-1', '0.5', '', 'false'])
    const empty = walk()
    const none = { ...empty, runs: empty.runs.map((run) => ({ ...run, repeats: [] })) }
    expect(parseCsv(csvOf(none))).toHaveLength(1)
  })
})

describe('Markdown', () => {
  const hostile = '# x | y `code` **bold** [a](http://evil) ![i](j) <b> @someone closes #1 \n- item'

  it('escapes text: no markup, no mention, no new line or cell', () => {
    const plain = plainMarkdown(hostile)
    expect(plain).not.toContain('\n')
    expect(plain).not.toMatch(/(?<!\\)[|`*[\]<>!]/)
    expect(plain).not.toMatch(/[@#][a-z0-9]/)
    expect(plain).not.toMatch(/[a-z]:\/\//)
    expect(plainMarkdown('- item')).toBe(String.raw`\- item`)
    expect(plainMarkdown('1. item')).toBe(String.raw`1\. item`)
  })

  it('has as many cells in each row as its tables have columns, for any names', () => {
    const rows = markdownReport(walk({ text: hostile }))
      .split('\n')
      .filter((line) => line.startsWith('|'))
    expect(rows.length).toBeGreaterThan(5)
    for (const row of rows) expect(row.match(/(?<!\\)\|/g)).toHaveLength(7)
  })
})

describe('a recording', () => {
  it('is named at the top of each readable format', () => {
    const report = walk({}, 'recording')
    expect(htmlOf(report).indexOf('This is a recording')).toBeLessThan(htmlOf(report).indexOf('<h2>'))
    expect(markdownReport(report).split('\n')[2]).toContain('This is a recording')
    expect(report.recording).toBe(true)
    expect(htmlOf(walk())).not.toContain('This is a recording')
  })
})

describe('two sides with different conditions', () => {
  it('are reported apart from the arms, in HTML and Markdown', () => {
    const report = walk({ text: '6.4' })
    expect(report.comparisons[0]?.differences).toEqual([{ key: 'kernel', label: 'Kernel', was: '6.18.5', is: '6.4' }])
    expect(htmlOf(report)).toContain('<li>Kernel: 6.18.5 → 6.4</li>')
    expect(markdownReport(report)).toContain('- Kernel: 6.18.5 → 6.4')
  })
})
