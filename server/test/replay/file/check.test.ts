/** From a file to a recording: of each version, and with the line and the field of what is wrong. */
import { formatRecording, RECORDING_VERSION, type Recording } from '@expresslane/shared/recordings/recording'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { recordingId } from '../../../src/replay/file/check.ts'
import { earlierRows } from '../../store/earlier-rows.ts'
import { aRecording, aRun, openFile, progress, runsIn, refusal } from '../../support/runs/recordings.ts'

const made = aRecording([aRun('preflight', [[5, progress('one')]]), aRun('baseline', [[7, progress('two')]])])
const text = formatRecording(made)
const lines = text.split('\n')

/** The text with one line changed, and that line's number. */
function changed(find: string, from: string | RegExp, to: string): { file: string; line: number } {
  const index = lines.findIndex((line) => line.includes(find))
  const file = lines.with(index, lines[index]?.replace(from, to) ?? '').join('\n')
  expect(file).not.toBe(text)
  return { file, line: index + 1 }
}

describe('a recording', () => {
  it('is read as it was written', () => {
    const { name, lab, facts, recordedAt } = made
    for (const written of [text, JSON.stringify(made)]) {
      expect(openFile(written).outline).toMatchObject({ name, lab, facts, recordedAt })
      expect(runsIn(written)).toEqual(made.runs)
    }
  })

  it('has one event per line, so that a line number locates an error', () => {
    expect(lines.filter((line) => line.includes('"event":'))).toHaveLength(6)
  })

  it('has the id of its text', () => {
    const idOf = (of: string): string => recordingId(Buffer.from(of))
    expect(idOf(text)).toBe(idOf(text))
    expect(idOf(text)).not.toBe(idOf(`${text} `))
  })
})

describe('an older recording', () => {
  const runs = earlierRows.runs.map(({ id, step_id }) => {
    const rows = earlierRows.events.filter((row) => row.run_id === id)
    const startedAt = rows[0]?.at ?? 0
    const events = rows.map(({ at, event }) => ({ at: at - startedAt, event: JSON.parse(event) as unknown }))
    return { stepId: step_id, startedAt, events }
  })
  const { facts, name, format } = made
  const old = { format, version: 1, name, recordedAt: runs[0]?.startedAt, lab: 'big-tcp-ipv4', facts, runs }

  it('opens with upgraded events', () => {
    const events = runsIn(JSON.stringify(old)).flatMap((run) => run.events.map(({ event }) => event))
    expect(openFile(JSON.stringify(old)).outline.version).toBe(1)
    expect(events).toHaveLength(earlierRows.events.length)
    const taken = events.flatMap((event) => (event.type === 'measurement.taken' ? [event.measurement] : []))
    expect(taken.map(({ benchmark, arm }) => [benchmark.tool, arm])).toEqual([
      ['tcp-rr', 'off'],
      ['tcp-rr', 'off'],
      ['tcp-rr', 'on'],
      ['tcp-rr', 'on'],
    ])
    expect(events.find(({ type }) => type === 'cases.compared')).toMatchObject({
      comparisons: [{ caseId: null, arm: 'on', against: 'off', comparison: { order: 'sequential' } }],
    })
  })

  it('can’t be read as one of this version', () => {
    expect(refusal(JSON.stringify({ ...old, version: RECORDING_VERSION })).message).toMatch(
      /field runs\[0\]\.events\[\d+\]\.event\./,
    )
  })

  it('reports errors with its own lines', () => {
    const broken = JSON.stringify({ ...old, lab: 7 }, null, 1)
    const line = broken.split('\n').findIndex((one) => one.includes('"lab": 7')) + 1
    expect(refusal(broken).message).toContain(`Line ${line}, field lab:`)
  })
})

describe('a broken recording', () => {
  it.each([
    ['a time that is no number', '"message":"two"', '"at":7', '"at":"soon"', 'runs[1].events[1].at'],
    ['a time before the one before', '"message":"two"', '"at":7', '"at":-1', 'runs[1].events[1].at'],
    ['an event of no known kind', '"message":"one"', '"progress"', '"rumour"', 'runs[0].events[1].event.type'],
    ['a field too many', '"message":"one"', '"done"', '"dune":3,"done"', 'runs[0].events[1].event.dune'],
    ['a field too few', '"message":"one"', '"total":2', '"total":2.5', 'runs[0].events[1].event.total'],
    ['a run of another step', '"stepId": "baseline"', 'baseline', 'compare', 'runs[1].events[0].event.stepId'],
    ['a testbed that is none', '"facts"', '"netns"', '"recording"', 'facts.kind'],
    ['a lab that no file can be named after', '"lab":', 'big-tcp-ipv4', '三\\r\\n', 'lab'],
    ['a time beyond all dates', '"recordedAt"', '"recordedAt": ', '"recordedAt": 99999', 'recordedAt'],
    ['another format', '"format"', 'expresslane-recording', 'tape', 'format'],
  ])('names the line and the field of %s', (_what, find, from, to, field) => {
    const { file, line } = changed(find, from, to)
    const at = field.endsWith('event.stepId') ? line + 3 : line
    const { code, message, remedy } = refusal(file)
    expect(code).toBe('recording_invalid')
    expect(message).toContain(`Line ${at}, field ${field}: `)
    expect(remedy).not.toBe('')
  })

  it('names the line of the object with the missing field', () => {
    const { file, line } = changed('"message":"one"', '"message":"one",', '')
    expect(refusal(file).message).toContain(`Line ${line}, field runs[0].events[1].event.message: `)
  })

  it('names line and column of invalid JSON', () => {
    const { file, line } = changed('"name"', '": "', '" "')
    const column = (file.split('\n')[line - 1]?.indexOf('"By hand"') ?? 0) + 1
    expect(refusal(file).message).toBe(`This file is not valid JSON. Line ${line}, column ${column}: colon expected.`)
    expect(refusal('').message).toContain('Line 1, column 1: value expected')
    expect(refusal('[]').message).toContain('Line 1: ')
  })

  it('survives content that is nested too deeply for a parser', () => {
    expect(refusal('['.repeat(200_000)).code).toBe('recording_invalid')
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
    expect(refusal(`{"format":"expresslane-recording","version":2,"x":${deep}}`).code).toBe('recording_invalid')
  })

  it('of a newer version asks to update', () => {
    const { file, line } = changed('"version"', `${RECORDING_VERSION}`, `${RECORDING_VERSION + 1}`)
    const { message, remedy } = refusal(file)
    expect(message).toContain(`Line ${line}, field version: ${RECORDING_VERSION + 1}`)
    expect(remedy).toContain('Update Expresslane')
  })

  it('is always reported with its line, wherever it was cut off', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: text.trimEnd().length - 1 }), (end) => {
        const { code, message } = refusal(text.slice(0, end))
        const line = Number(/Line (\d+), column \d+: /.exec(message)?.[1])
        expect(code).toBe('recording_invalid')
        expect(line).toBeGreaterThanOrEqual(1)
        expect(line).toBeLessThanOrEqual(text.slice(0, end).split('\n').length)
      }),
    )
  })

  it('is always reported with its line, for any wrong value', () => {
    const places = made.runs.flatMap((run, r) => run.events.map((_, e) => [r, e] as const))
    fc.assert(
      fc.property(fc.constantFrom(...places), fc.jsonValue(), ([r, e], value) => {
        const copy = structuredClone<Recording>(made) as { runs: { events: { at: unknown; event: unknown }[] }[] }
        const one = copy.runs[r]?.events[e]
        if (one === undefined) throw new Error('no such event')
        one.event = value
        const file = JSON.stringify(copy, null, 1)
        const line = Number(/Line (\d+), field runs/.exec(refusal(file).message)?.[1])
        expect(file.split('\n')[line - 1]).toBeDefined()
        expect(line).toBeGreaterThan(1)
      }),
    )
  })
})
