/** Reports of a step that the testbed can't do. */
import { describe, expect, it } from 'vitest'
import { runReport } from '../../src/report/build.ts'
import { reportPieces, type ReportFormat } from '../../src/report/file.ts'
import { report } from '../../src/report/model.ts'
import type { Outcome } from '../../src/run/events.ts'
import { session } from '../../src/wire/protocol.ts'
import { aSession, ended, logged, runOf, started } from '../builders.ts'
import { options } from './samples.ts'

const passed: Outcome = { passed: true, sentence: 'BPF needs root here.', observations: [], hint: null }
const leftOut: Outcome = { ...passed, leftOut: true }

function textOf(outcome: Outcome, format: ReportFormat): string {
  const run = runOf(logged([started(), { type: 'step.checked', outcome }, ended]))
  const of = session.parse({ id: aSession, labId: run.labId, testbed: 'netns', owner: 'owner', createdAt: 1 })
  return [...reportPieces(runReport(of, { run, output: [] }, [], options), format)].join('')
}

describe('a report of a step that is left out', () => {
  it('says so in HTML, where others passed or did not pass', () => {
    expect(textOf(leftOut, 'html')).toContain('<strong>Left out.</strong> BPF needs root here.')
    expect(textOf(passed, 'html')).toContain('<strong>Passed.</strong> BPF needs root here.')
    expect(textOf({ ...passed, passed: false }, 'html')).toContain('<strong>Not passed.</strong> BPF')
  })

  it('says so in Markdown', () => {
    expect(textOf(leftOut, 'md')).toContain(': left out: BPF needs root here.')
    expect(textOf(passed, 'md')).toContain(': BPF needs root here.')
    expect(textOf({ ...passed, passed: false }, 'md')).toContain(': not passed: BPF needs root here.')
  })

  it('has it in JSON that is read back', () => {
    expect(report.parse(JSON.parse(textOf(leftOut, 'json'))).runs[0]?.outcome).toEqual(leftOut)
  })
})
