/** The room's results: CSV, report and dot plot. */
import { describe, expect, it } from 'vitest'
import { medianInterval } from '../../src/compare/stats/median-interval.ts'
import { paper } from '../../src/charts/draw/chart.ts'
import { inlineSvg } from '../../src/charts/draw/svg.ts'
import { roomChart } from '../../src/charts/room-chart.ts'
import { roomCsv } from '../../src/report/room/csv.ts'
import { roomHtml } from '../../src/report/room/html.ts'
import { comparableResults, type RoomLine, type RoomReport } from '../../src/report/room/model.ts'
import { walk } from './samples.ts'

const lab = { id: 'big-tcp-ipv4', title: 'BIG TCP over IPv4', question: 'Is it faster?', steps: 9 }

function resultOf(ratio: number): RoomLine['result'] {
  const [first] = walk({}).comparisons
  const [row] = first?.comparison.rows ?? []
  if (first === undefined || row === undefined) throw new Error('nothing compared')
  const rows = [{ ...row, ratio, changePercent: (ratio - 1) * 100 }]
  return { family: 'ipv4', comparison: { ...first.comparison, rows } }
}

function line(name: string, ratio: number | null): RoomLine {
  const result = ratio === null ? null : resultOf(ratio)
  const measuredAt = ratio === null ? null : Date.UTC(2026, 0, 1)
  return { name, sessionId: `s_${name}`, testbed: `netns@${name}`, measuredAt, passedSteps: 3, result }
}

function roomOf(lines: RoomLine[]): RoomReport {
  return { lab, madeBy: 'Expresslane 0.1.0', madeAt: Date.UTC(2026, 0, 1), lines }
}

const ratios = [1.1, 1.2, 1.3, 1.2, 1.25, 1.4]
const room = roomOf([...ratios.map((ratio, index) => line(`p${index}`, ratio)), line('late', null)])

describe('the CSV of a room', () => {
  it('has one row per session, also without a result', () => {
    const rows = roomCsv(room).trimEnd().split('\r\n')
    expect(rows).toHaveLength(8)
    expect(rows[0]).toMatch(/^name,lab,session_id,.*,ratio,ratio_low,ratio_high,p,verdict$/)
    expect(rows[1]).toMatch(/^p0,big-tcp-ipv4,s_p0,netns@p0,3,9,2026-01-01T00:00:00.000Z,ipv4,tps,.*,1\.1,/)
    expect(rows[7]).toBe('late,big-tcp-ipv4,s_late,netns@late,3,9,,,,,,,,,,,,,,')
  })

  it('holds a name that a spreadsheet would run as text', () => {
    expect(roomCsv(roomOf([line('=1+1, "x"', null)]))).toContain(`\r\n"'=1+1, ""x""",`)
  })
})

describe('the report of a room', () => {
  it('states the median and its interval with the method, and lists everybody', () => {
    const html = roomHtml(room)
    expect(html).toContain('The median of 6 results is ×1.23')
    expect(html).toContain('×1.10 to ×1.40')
    expect(html).toContain('order statistics')
    for (const { name } of room.lines) expect(html).toContain(`<th scope="row">${name}</th>`)
    expect(html.match(/<circle /g)).toHaveLength(6)
  })

  it('says so when there are too few results for an interval, or none', () => {
    expect(roomHtml(roomOf([line('p', 1.2)]))).toContain(
      'The median of 1 result is ×1.20. An interval of the median needs',
    )
    expect(roomHtml(roomOf([line('p', null)]))).toContain('Nobody has measured both sides yet.')
  })

  it('holds hostile names as text', () => {
    const html = roomHtml(roomOf([line('<script>alert(1)</script>', 1.2)]))
    expect(html).not.toContain('<script')
    expect(html).toContain('&lt;script&gt;')
  })
})

describe('the dot plot', () => {
  it('describes itself in words, and names each dot', () => {
    const named = ratios.map((ratio, index) => ({ name: `p${index}`, ratio }))
    const median = medianInterval(ratios)
    if (median === null) throw new Error('no median')
    const drawn = roomChart(named, median, 'TPS', paper)
    expect(drawn.description).toBe('6 results. Median ×1.23, interval 1.10 to 1.40.')
    expect(inlineSvg(drawn)).toContain('<title>p5: ×1.40</title>')
  })

  it('shows the metric and family that most people have', () => {
    const other = { ...line('q', 2), result: { ...resultOf(2), family: 'ipv6' } as NonNullable<RoomLine['result']> }
    const shown = comparableResults([other, line('p', 1.1), line('r', 1.2), line('late', null)])
    expect(shown.map(({ name }) => name)).toEqual(['p', 'r'])
  })
})
