/** The bounds of a file, and how little is read of a file beyond them. */
import { formatRecording, RECORDED_RUNS } from '@expresslane/shared/recordings/recording'
import { describe, expect, it } from 'vitest'
import { aRecording, aRun, openFile, progress, refusal } from '../../support/runs/recordings.ts'

const made = aRecording([aRun('baseline', [[0, progress('one')]])])
const text = formatRecording(made)
const [head = '', ...run] = text.trimEnd().split('\n')

/** The recording with these lines in the place of its second event. */
const withEvents = (instead: readonly string[]): string => [head, ...run.toSpliced(2, 1, ...instead)].join('\n')
const withEvent = (instead: string): string => withEvents([instead])
const times = (line: string, count: number): string[] => Array.from({ length: count }, () => line)
const many = (item: string, count: number): string => times(item, count).join(',')
const compared = (comparisons: string): string =>
  `{"at":0,"event":{"type":"cases.compared","comparisons":[${comparisons}]}}`

describe('a file with too much in it', () => {
  it.each([
    ['events that are none', withEvents(times('{}', 100_000)), /Line 4, field/],
    ['runs that are none', [head, ...times('{"run":{}}', 100_000)].join('\n'), /Line 2, field run/],
    ['runs', [head, ...times(run.join('\n'), RECORDED_RUNS + 1)].join('\n'), /Line 8002: more than 2000 runs/],
    ['objects in one event', withEvent(compared(many('{}', 100_000))), /Line 4: more than 20000 objects and lists/],
    ['values in one event', withEvent(compared(many('0', 500_000))), /Line 4: more than 400000 values/],
    ['bytes in one event', withEvent(compared(`"${'x'.repeat(5_000_000)}"`)), /Line 4: larger than 4 MB/],
    ['levels', withEvent(compared('['.repeat(200_000) + ']'.repeat(200_000))), /Line 4: nested more than 32 levels/],
    ['a few levels', withEvent(compared('['.repeat(40) + ']'.repeat(40))), /Line 4: nested more than 32 levels/],
    ['fields', text.replace('"name"', `${many('"x":0', 1_000_000)},"name"`), /Line 1: larger than 256 kB/],
    [
      'fields of different names',
      `{${Array.from({ length: 60 }, (_, at) => `"f${at}":0`).join(',')}}`,
      /Line 1, field format/,
    ],
    ['text in a field', text.replace('By hand', 'x'.repeat(300_000)), /Line 1: larger than 256 kB/],
    ['checks', withEvents(times(withCheck(), 201)), /more than 200 of preflight\.checked/],
  ])('%s: refused', (_what, file, message) => {
    const { code, message: said, detail } = refusal(file)
    expect(code).toBe('recording_invalid')
    expect(said).toMatch(message)
    expect(`${said}${detail ?? ''}`.length).toBeLessThan(2_000)
  })

  it('is read up to the fifth fault, and no further', () => {
    // A sixth event that was read would be a syntax error, which comes before all others.
    const { message, detail } = refusal(withEvents([...times('{"at":0}', 5), '{nonsense}']))
    expect(message).toContain('Line 4, field event: ')
    expect(detail?.split('\n')).toHaveLength(5)
    expect(detail).toMatch(/Line 8, field event: .*\nThe rest was not read\.$/)
    expect(refusal(withEvents([...times('{"at":0}', 4), '{nonsense}'])).message).toContain('not valid JSON')
  })

  it('names one fault of each event, if there are a few', () => {
    const { message, detail } = refusal(withEvents(times('{"at":0}', 2)))
    expect(`${message}\n${detail ?? ''}`.split('\n')).toHaveLength(2)
  })
})

function withCheck(): string {
  const check = {
    id: 'load',
    title: 'Load',
    status: 'passed',
    seen: 'none',
    remedy: null,
    remedyCommand: null,
    blocks: [],
  }
  return JSON.stringify({ at: 0, event: { type: 'preflight.checked', check } })
}

describe('a long run', () => {
  const events = Array.from({ length: 20_000 }, (_, line) => [line, progress(`line ${line}`)] as const)
  const file = openFile(formatRecording(aRecording([aRun('baseline', events)])))

  it('has pieces of a bounded size, which hold each event once', () => {
    const pieces = file.outline.runs[0]?.pieces ?? []
    expect(pieces.length).toBeGreaterThan(10)
    expect(Math.max(...pieces.map(([from, to]) => to - from))).toBeLessThanOrEqual(64 * 1024)
    const total = pieces.reduce((sum, [from, to]) => sum + to - from, 0)
    expect(total).toBeLessThan(file.size)
    expect(pieces.every(([from], index) => from >= (pieces[index - 1]?.[1] ?? 0))).toBe(true)
  })
})
