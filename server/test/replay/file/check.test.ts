/** From a file to a recording: of each version, and with the line and the field of what is wrong. */
import { formatRecording, RECORDING_VERSION } from '@expresslane/shared/recordings/recording'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readRecording } from '@expresslane/shared/recordings/file/check'
import { recordingId } from '../../../src/replay/bytes.ts'
import { earlierRows } from '../../store/earlier-rows.ts'
import { aRecording, aRun, openFile, progress, runsIn, refusal } from '../../support/runs/recordings.ts'

const made = aRecording([aRun('preflight', [[5, progress('one')]]), aRun('baseline', [[7, progress('two')]])])
const text = formatRecording(made)
const lines = text.trimEnd().split('\n')

/** The text with one line changed, and that line's number. */
function changed(find: string, from: string | RegExp, to: string): { file: string; line: number } {
  const index = lines.findIndex((line) => line.includes(find))
  const file = lines.with(index, lines[index]?.replace(from, to) ?? '').join('\n')
  expect(file).not.toBe(text.trimEnd())
  return { file, line: index + 1 }
}

describe('a recording', () => {
  it('is read as it was written, with or without the end of its last line', () => {
    const { name, lab, facts, recordedAt } = made
    for (const written of [text, text.trimEnd(), text.replaceAll('\n', '\r\n')]) {
      expect(openFile(written).outline).toMatchObject({ name, lab, facts, recordedAt })
      expect(runsIn(written)).toEqual(made.runs)
    }
  })

  it('has a line for its head, for each run and for each event', () => {
    expect(lines.map((line) => Object.keys(JSON.parse(line) as object)[0])).toEqual([
      'format',
      'run',
      'at',
      'at',
      'at',
      'run',
      'at',
      'at',
      'at',
    ])
    expect(readRecording(Buffer.from(text)).bytes).toEqual(Buffer.from(text))
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

  it.each([
    ['on one line', JSON.stringify(old)],
    ['on many lines', JSON.stringify(old, null, 2)],
    ['after an empty line', `\n${JSON.stringify(old, null, 1)}\n`],
  ])('%s opens with upgraded events, as lines of this version', (_where, written) => {
    const events = runsIn(written).flatMap((run) => run.events.map(({ event }) => event))
    expect(openFile(written).outline.version).toBe(RECORDING_VERSION)
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
    const { bytes, outline } = readRecording(Buffer.from(written))
    expect(readRecording(bytes)).toEqual({ bytes, outline })
  })

  it.each([1, 2, 3, 4])('in version %i opens', (version) => {
    const { runs: current, ...head } = made
    const written = JSON.stringify({ ...head, version, runs: version === 4 ? current : runs })
    expect(openFile(written).outline.runs.length).toBeGreaterThan(0)
  })

  it.each([
    ['a field of the head', { ...old, lab: 7 }, 'Field lab:'],
    ['a field of a run', { ...old, runs: [...runs, { ...runs[0], stepId: 7 }] }, `Field runs[${runs.length}].stepId:`],
    ['a run', { ...old, runs: [7] }, 'Field runs[0]:'],
    ['the runs', { ...old, runs: 7 }, 'Field runs[0]:'],
    ['an event', { ...old, runs: [{ ...runs[0], events: [{ at: 'soon' }] }] }, 'Field runs[0].events[0].at:'],
  ])('reports %s by its own field', (_what, broken, field) => {
    const { message, detail } = refusal(JSON.stringify(broken, null, 1))
    expect(`${message}\n${detail ?? ''}`).toContain(field)
  })

  it('is reported with its line if it is cut off', () => {
    const { message } = refusal(JSON.stringify(old, null, 1).slice(0, 400))
    expect(message).toMatch(/^This file is not valid JSON: .*line \d+/)
  })
})

describe('a broken recording', () => {
  it.each([
    ['a time that is no number', '"message":"two"', '"at":7', '"at":"soon"', 'at'],
    ['a time before the one before', '"message":"two"', '"at":7', '"at":-1', 'at'],
    ['an event of no known kind', '"message":"one"', '"progress"', '"rumour"', 'event.type'],
    ['a field too many', '"message":"one"', '"done"', '"dune":3,"done"', 'event.dune'],
    ['a field too few', '"message":"one"', '"total":2', '"total":2.5', 'event.total'],
    ['a run of another step', '{"run":{"stepId":"baseline"', 'baseline', 'compare', 'event.stepId'],
    ['a testbed that is none', '"facts"', '"netns"', '"recording"', 'facts.kind'],
    ['a lab that no file can be named after', '"lab":', 'big-tcp-ipv4', '三\\r\\n', 'lab'],
    ['a time beyond all dates', '"recordedAt"', '"recordedAt":', '"recordedAt":99999', 'recordedAt'],
    ['another format', '"format"', 'expresslane-recording', 'tape', 'format'],
  ])('names the line and the field of %s', (_what, find, from, to, field) => {
    const { file, line } = changed(find, from, to)
    const at = field === 'event.stepId' ? line + 1 : line
    const { code, message, remedy } = refusal(file)
    expect(code).toBe('recording_invalid')
    expect(message).toContain(`Line ${at}, field ${field}: `)
    expect(remedy).not.toBe('')
  })

  it('names the line of the object with the missing field', () => {
    const { file, line } = changed('"message":"one"', '"message":"one",', '')
    expect(refusal(file).message).toContain(`Line ${line}, field event.message: `)
  })

  it.each([
    ['ends without the end of its last run', lines.slice(0, -1), 8],
    ['goes on in a run that has ended', [...lines, lines[7] ?? ''], 10],
    ['begins with an event', lines.toSpliced(1, 1), 2],
    ['has no runs', lines.slice(0, 1), 1],
  ])('that %s is refused with its line', (_what, kept, line) => {
    expect(refusal(kept.join('\n')).message).toContain(`Line ${line}`)
  })

  it('names the line of invalid JSON', () => {
    const { file, line } = changed('"message":"one"', '":"one', '" "one')
    expect(refusal(file).message).toMatch(`Line ${line} of this file is not valid JSON: `)
    expect(refusal('').message).toContain('Line 1 of this file is not valid JSON: ')
    expect(refusal('[]').message).toContain('Line 1: ')
  })

  it('survives content that is nested too deeply for a parser', () => {
    expect(refusal('['.repeat(200_000)).code).toBe('recording_invalid')
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
    expect(refusal(`{"format":"expresslane-recording","version":2,"runs":[],"x":${deep}}`).code).toBe(
      'recording_invalid',
    )
    expect(refusal(`${lines[0]}\n${lines[1]}\n${deep}`).message).toContain('Line 3')
  })

  it('from a newer version asks to update', () => {
    const { file, line } = changed('"version"', `"version":${RECORDING_VERSION}`, `"version":${RECORDING_VERSION + 1}`)
    const { message, remedy } = refusal(file)
    expect(message).toContain(`Line ${line}, field version: ${RECORDING_VERSION + 1}`)
    expect(remedy).toContain('Update Expresslane')
  })

  it('is always reported with its line, wherever it was cut off but between two runs', () => {
    // The first run alone is a recording, with or without the end of its last line.
    const first = lines.slice(0, 5).join('\n').length
    expect(runsIn(text.slice(0, first))).toEqual(made.runs.slice(0, 1))
    const cut = fc
      .integer({ min: 0, max: text.trimEnd().length - 1 })
      .filter((end) => end !== first && end !== first + 1)
    fc.assert(
      fc.property(cut, (end) => {
        const { code, message } = refusal(text.slice(0, end))
        const line = Number(/Line (\d+)/.exec(message)?.[1])
        expect(code).toBe('recording_invalid')
        expect(line).toBeGreaterThanOrEqual(1)
        expect(line).toBeLessThanOrEqual(text.slice(0, end).split('\n').length)
      }),
    )
  })

  it('is always reported with its line, for any wrong value', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: lines.length - 1 }), fc.jsonValue(), (index, value) => {
        const file = lines.with(index, JSON.stringify(value)).join('\n')
        expect(refusal(file).message).toMatch(/Line \d+/)
      }),
    )
  })
})
