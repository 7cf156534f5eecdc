/**
 * Reports of a session that the netns testbed really recorded (`golden/session.json`: the events of its three runs that
 * measured and compared). After a change that is meant: `vitest run shared/test/report/golden.test.ts -u`, and read the diff.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { loggedEvent, type RunId } from '../../src/run/events.ts'
import { upgradeEvent } from '../../src/recordings/upgrade.ts'
import { session } from '../../src/wire/protocol.ts'
import { comparisonReport, outputOf, runReport, sessionReport, type RunRecord } from '../../src/report/build.ts'
import { reportFileName, reportFormat, reportPieces, type ReportFormat } from '../../src/report/file.ts'
import { report, type Report } from '../../src/report/model.ts'
import { reduceRun } from '../reduce-run.ts'
import type { RunState } from '../../src/run/run-state.ts'
import { options } from './samples.ts'

const folder = join(import.meta.dirname, '../golden')
/** Recorded by an earlier version: its events are upgraded, as those of a recording are. */
const upgraded = z.preprocess((raw: unknown) => {
  const one = z.looseObject({ event: z.unknown() }).parse(raw)
  return { ...one, event: upgradeEvent(one.event) }
}, loggedEvent)
/** The file is from before sessions had owners. */
const withOwner = session.extend({ owner: session.shape.owner.default('owner') })
const recorded = z
  .strictObject({ session: withOwner, events: z.array(upgraded) })
  .parse(JSON.parse(readFileSync(join(folder, 'session.json'), 'utf8')))

function runRecords(): RunRecord[] {
  const ids = [...new Set(recorded.events.map(({ runId }) => runId))]
  return ids.map((id: RunId) => {
    const events = recorded.events.filter(({ runId }) => runId === id)
    const run = events.reduce<RunState | null>(reduceRun, null)
    if (run === null) throw new Error(`no run ${id}`)
    return { run, output: outputOf(events) }
  })
}

const record = runRecords()
const [baseline, measured, compared] = record
if (baseline === undefined || measured === undefined || compared === undefined)
  throw new Error('three runs are recorded')

const name = (one: RunRecord) => ({ name: { run: one.run.id, arm: null, caseId: null }, record: one })
const reports: Record<string, Report> = {
  session: sessionReport(recorded.session, record, options),
  run: runReport(recorded.session, compared, [baseline.run, measured.run], options),
  comparison: comparisonReport([recorded.session], name(baseline), name(measured), options),
}

describe.each(Object.entries(reports))('the report of a real %s', (about, made) => {
  // The raw output twice more, as JSON and HTML of what the session's have already, would show nothing new.
  const formats: readonly ReportFormat[] = about === 'comparison' ? ['csv', 'md'] : reportFormat.options
  it.each(about === 'session' ? (['html', 'csv', 'md'] as const) : formats)('as %s', async (format) => {
    await expect([...reportPieces(made, format)].join('')).toMatchFileSnapshot(join(folder, `${about}.${format}`))
  })

  it('is read back unchanged from its JSON', () => {
    expect(report.parse(JSON.parse([...reportPieces(made, 'json')].join('')))).toEqual(made)
  })

  it('has a file name with its content and its start', () => {
    expect(reportFileName(made, 'html')).toMatch(/^expresslane-labs-(run-|comparison-)?\d{8}-\d{4}-[a-z0-9]{5}\.html$/)
  })
})

it('contains every line of the tools', () => {
  const printed = recorded.events.flatMap(({ event }) => (event.type === 'command.output' ? [event.text] : []))
  const kept = reports['session']?.runs.flatMap(({ output }) => [...output]) ?? []
  expect(kept.filter(({ kind }) => kind === 'stdout' || kind === 'stderr').map(({ text }) => text)).toEqual(printed)
})

it('has the same result side by side as the comparing step', () => {
  const [own] = reports['run']?.comparisons ?? []
  const [pair] = reports['comparison']?.comparisons ?? []
  expect(own?.differences).toEqual(pair?.differences)
  expect(pair?.comparison.rows.map(({ ratio }) => ratio)).toEqual(own?.comparison.rows.map(({ ratio }) => ratio))
})
