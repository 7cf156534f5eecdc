/** The exhibits of probes, in each format of a report. */
import { describe, expect, it } from 'vitest'
import { htmlReport } from '../../src/report/html/html.ts'
import { markdownReport } from '../../src/report/markdown.ts'
import { report } from '../../src/report/model.ts'
import { CUT_OFF } from '../../src/run/exhibit-table.ts'
import { probed } from './samples.ts'

const EVIL = `</td></table><script>alert("1")</script><img src=x onerror='2'> | \u001b[31m\n## heading`
const found = probed('word')
const html = [...htmlReport(found)].join('')
const markdown = markdownReport(found)

function tagsOf(markup: string): string[] {
  return [...markup.matchAll(/<\/?([a-z!][a-z0-9]*)/gi)].map(([, name]) => name ?? '')
}

/** The columns of each table of a Markdown text, row by row. */
function columnsOf(text: string): number[][] {
  const tables = text.split('\n\n').filter((part) => part.startsWith('|'))
  return tables.map((one) => one.split('\n').map((row) => (row.match(/(?<!\\)\|/g)?.length ?? 0) - 1))
}

describe('the exhibits of a probe', () => {
  it('is in the JSON report as it is', () => {
    expect(report.parse(JSON.parse(JSON.stringify(found))).runs[0]?.exhibits).toEqual(found.runs[0]?.exhibits)
  })

  it('is a table for each exhibit, in HTML and Markdown', () => {
    expect(html.match(/<table class="found">/g)).toHaveLength(6)
    expect(html).toContain('<th scope="row">IPv4 address</th><td>0a04:0002</td><td>10.4.0.2</td>')
    expect(html).toContain('<td>changed: The other version of IP.</td>')
    expect(markdown).toContain(String.raw`| IPv4 address | 0a04:0002 | 10\.4.0.2 |`)
    expect(markdown).toContain('| version | 6 | 4 | changed: The other version of IP. |')
    expect(markdown).toContain('| word | HTTP 200 | word |')
    for (const text of [html, markdown]) {
      expect(text).toContain('3 more rows are not shown.')
      expect(text).toContain(CUT_OFF)
    }
  })

  it('is text, whatever a tool printed', () => {
    const evil = [...htmlReport(probed(EVIL))].join('')
    expect(tagsOf(evil)).toEqual(tagsOf(html))
    expect(evil).not.toContain('\u001b')
  })

  it('has as many cells in each row of Markdown as its columns, and begins no heading', () => {
    const evil = markdownReport(probed(EVIL))
    for (const rows of columnsOf(evil)) expect(new Set(rows).size).toBe(1)
    expect(columnsOf(evil)).toEqual(columnsOf(markdown))
    expect(evil.match(/^## /gm)).toHaveLength(1)
    expect(evil).not.toContain('\u001b')
  })
})
