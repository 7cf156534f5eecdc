/** Reports and results as the viewer opens them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LabError } from '@expresslane/shared/base/errors'
import { runState, takenIn, type RunState } from '@expresslane/shared/run/run-state'
import type { LabResult } from '@expresslane/shared/wire/headless'
import { describe, expect, it } from 'vitest'
import { kindOfFile } from '../../../src/viewer/report/kind.ts'
import { readReport, readResult } from '../../../src/viewer/report/read-report.ts'
import { opened, timeline } from '../opened.ts'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const golden = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../../../../shared/test/golden', name), 'utf8')

describe('the kind of a file', () => {
  it.each([
    ['run.json', 'report'],
    ['run.html', 'HTML'],
    ['run.csv', 'CSV'],
    ['run.md', 'Markdown'],
  ])('is recognized by its first bytes: %s', (name, kind) => {
    const asked = (): string | null => kindOfFile(bytesOf(golden(name)), name)
    if (kind === 'report') expect(asked()).toBe(kind)
    else
      expect(asked).toThrow(expect.objectContaining({ message: expect.stringContaining(kind) as string }) as LabError)
  })

  it('is a recording where it is nothing else', () => {
    expect(kindOfFile(bytesOf('{"format":"expresslane-recording"'), 'a.jsonl')).toBeNull()
    expect(kindOfFile(bytesOf('{\n  "lab": "nat64"'), 'a.json')).toBe('result')
    expect(kindOfFile(bytesOf('x'), 'a.jsonl')).toBeNull()
  })
})

describe('a report', () => {
  const report = readReport(bytesOf(golden('run.json')))

  it('has its comparison, and its run as a server answers it', async () => {
    const [run = ''] = report.runs
    const state = await report.whole(run)
    expect(runState.parse(state)).toEqual(state)
    expect(report.comparisons.map(({ comparison }) => comparison.verdict)).toEqual(['improved'])
    expect(state?.comparisons.map(({ comparison }) => comparison)).toEqual(
      report.comparisons.map(({ comparison }) => comparison),
    )
    expect(report.sessionOf(run).labId).toBe('big-tcp-ipv4')
  })

  it.each([
    ['{"format":"expresslane-report","version":1}', 'not one that this page can read'],
    ['{"format":"expresslane-report"', 'not valid JSON'],
    ['['.repeat(200_000), 'not valid JSON'],
  ])('is refused with a sentence: %.40s', (text, message) => {
    expect(() => readReport(bytesOf(text))).toThrow(message)
  })
})

/** The arms of runs, as the headless command writes them. */
function armsIn(runs: readonly RunState[]): LabResult['arms'] {
  return runs.flatMap((run) => {
    const [first] = takenIn(run)
    if (first === undefined) return []
    const { arm: id, family, benchmark } = first
    const measurements = takenIn(run).map(({ values, warmup, repeat, startedAt, elapsedSeconds, fingerprint }) => {
      return { values, warmup, repeat, startedAt, elapsedSeconds, fingerprint }
    })
    const head = { step: run.stepId, id, label: id, case: 'measured', family, settings: {}, benchmark }
    return [{ ...head, measurements, packetsPerRequest: null, readings: [] }]
  })
}

describe('a result of npm run lab', () => {
  const runs = timeline.moment(timeline.lastsMs).runs
  const compare = runs.findLast(({ comparisons }) => comparisons.length > 0)
  const arms = armsIn(runs)
  const plan = {
    arms: arms.map(({ id }) => ({ id, label: id, settings: {} })),
    cases: arms.slice(0, 1).map(({ family, benchmark }) => ({ id: 'measured', label: 'measured', family, benchmark })),
    design: { warmups: 0, repeats: 8, seconds: 1, order: 'sequential', budget: null },
  }
  const result = {
    lab: opened.view.lab,
    testbed: { kind: 'netns', kernel: opened.facts.kernel, facts: { ...opened.facts, kind: 'netns' } },
    arms,
    comparisons: (compare?.comparisons ?? []).map((one) => ({ step: 'compare', ...one })),
    comparison: null,
    plans: [{ steps: ['baseline', 'measure-on', 'compare'], plan }],
    captures: [],
    exhibits: [
      { step: 'probe', exhibit: { kind: 'table', title: 'Names', columns: ['Name'], rows: [['a']], more: 0 } },
    ],
  }
  const takenOf = (step: string): number =>
    runs.filter(({ stepId }) => stepId === step).reduce((sum, run) => sum + takenIn(run).length, 0)
  const read = readResult(bytesOf(JSON.stringify(result)))

  it('has each result with all measurements, and each probe, as a run', async () => {
    const states = await Promise.all(read.runs.map((id) => read.whole(id)))
    for (const state of states) expect(runState.parse(state)).toEqual(state)
    expect(states.map((state) => [state?.stepId, state?.repeats.length, state?.exhibits.length])).toEqual([
      ...['baseline', 'measure-on'].map((step) => [step, takenOf(step), 0]),
      ['compare', 0, 0],
      ['probe', 0, 1],
    ])
    expect(read.comparisons[0]?.comparison).toEqual(compare?.comparisons[0]?.comparison)
    expect(read.measured.map(({ stepId }) => stepId)).toEqual(['baseline', 'measure-on'])
  })
})
