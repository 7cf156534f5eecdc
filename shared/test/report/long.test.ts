/** Reports of runs with very many samples and lines. */
import { describe, expect, it } from 'vitest'
import { outputOf, runReport } from '../../src/report/build.ts'
import { reportFormat, reportPieces } from '../../src/report/file.ts'
import { createFold } from '../../src/run/fold.ts'
import type { RunEvent } from '../../src/run/events.ts'
import { PIECE } from '../../src/wire/json-pieces.ts'
import { session } from '../../src/wire/protocol.ts'
import { logged, started } from '../builders.ts'
import { options } from './samples.ts'

const REPEATS = 1_050
const SAMPLES = 120
const LINES = 200_000
const of = session.parse({ id: 's_00000001', labId: 'lab', testbed: 'netns', createdAt: 1, owner: 'owner' })

function report(events: RunEvent[]) {
  const all = logged(events)
  const fold = createFold()
  for (const one of all) fold.add(one)
  const run = fold.state()
  if (run === null) throw new Error('no run')
  return runReport(of, { run, output: outputOf(all) }, [], options)
}

function sampled(value: number): RunEvent[] {
  return Array.from({ length: REPEATS }, (_, place): RunEvent[] => {
    const repeat = place + 1
    const what = { arm: 'off', caseId: null, warmup: false, family: 'ipv4', benchmark: null } as const
    return [
      { type: 'repeat.started', ...what, repeat, repeats: REPEATS, seconds: SAMPLES },
      ...Array.from({ length: SAMPLES }, (__, at): RunEvent => {
        const sample = { atSeconds: at, seconds: 1, omitted: false, values: { tps: value } }
        return { type: 'sample.taken', repeat, sample }
      }),
    ]
  }).flat()
}

describe('a report', () => {
  it.each(reportFormat.options)('with 1,050 repeats of 120 samples each is written as %s', (format) => {
    const pieces = [...reportPieces(report([started(), ...sampled(12_000)]), format)]
    // A chart is one piece.
    expect(pieces.every(({ length }) => length < 16 * PIECE)).toBe(true)
  })

  it('draws no more points than there are pixels', () => {
    const html = [...reportPieces(report([started(), ...sampled(12_000)]), 'html')].join('')
    const points = [...html.matchAll(/<polyline points="([^"]*)"/g)].flatMap(([, one]) => (one ?? '').split(' '))
    expect(points.length).toBeGreaterThan(REPEATS)
    expect(points.length).toBeLessThan(5_000)
  })

  it('has a finite axis for the smallest number there is', () => {
    const html = [...reportPieces(report([started(), ...sampled(Number.MIN_VALUE)]), 'html')].join('')
    expect(html).not.toMatch(/NaN|Infinity/)
  })

  it('with very many lines is written in pieces', () => {
    const line: RunEvent = { type: 'command.output', commandId: 0, stream: 'stdout', text: 'a line of output' }
    const made = report([started(), ...Array.from({ length: LINES }, () => line)])
    for (const format of ['html', 'json'] as const) {
      const pieces = [...reportPieces(made, format)]
      expect(pieces.length).toBeGreaterThan(40)
      expect(pieces.every(({ length }) => length < 2 * PIECE)).toBe(true)
    }
  })
})
