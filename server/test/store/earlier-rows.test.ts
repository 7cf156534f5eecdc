/** Rows that version 0.1 wrote: this version opens them. The fixture describes how they were made. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { runId } from '@expresslane/shared/run/events'
import { measurementsOf, type RunState } from '@expresslane/shared/run/run-state'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { summaryOf } from '../../src/runs/log/summary.ts'
import { openStore } from '../../src/store/open.ts'
import { dataDir, openRig, type Rig } from '../support/deps.ts'
import { earlierRows } from './earlier-rows.ts'

/** The old shape of a comparison. */
const oldComparison = z.object({
  type: z.literal('comparison.made'),
  comparison: z.object({
    off: z.array(z.object({ tps: z.number() })).min(1),
    rows: z.array(z.object({ off: z.number(), on: z.number() })).min(1),
  }),
})

const of = (stepId: string): string => earlierRows.runs.find((run) => run.step_id === stepId)?.id ?? ''

/** A store that holds the old rows as they were written. */
function openEarlier(): Rig {
  const data = dataDir()
  openStore(data).close()
  const db = new DatabaseSync(join(data, 'expresslane.db'))
  for (const table of ['sessions', 'runs', 'events'] as const) {
    for (const row of earlierRows[table]) {
      const names = Object.keys(row)
      const marks = names.map(() => '?').join(', ')
      db.prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${marks})`).run(...Object.values(row))
    }
  }
  db.close()
  return openRig({ data })
}

function stateOf({ deps }: Rig, stepId: string): RunState {
  const state = deps.log.state(runId.parse(of(stepId)))
  if (state === null) throw new Error(`no run of ${stepId}`)
  return state
}

describe('rows of version 0.1', () => {
  it('has a fixture that this version could not read without an upgrade', () => {
    const text = readFileSync(join(import.meta.dirname, '../fixtures/store/0.1-big-tcp-ipv4.json'), 'utf8')
    expect(text).not.toContain('tcp-rr')
    expect(text).toContain('medianTps')
  })

  it('adds the tool to measurements, without inventing an environment', () => {
    const rig = openEarlier()
    const taken = measurementsOf(stateOf(rig, 'baseline'))
    expect(taken).toMatchObject([
      {
        benchmark: { tool: 'tcp-rr', requestBytes: 80_000, responseBytes: 80_000 },
        arm: 'off',
        repeat: 1,
        fingerprint: null,
        caseId: null,
        warmup: false,
      },
      { benchmark: { tool: 'tcp-rr' }, arm: 'off', repeat: 2 },
    ])
  })

  it('computes comparisons again, with the same medians', () => {
    const rig = openEarlier()
    const { comparisons, state } = stateOf(rig, 'compare')
    const comparison = comparisons[0]?.comparison
    const old = earlierRows.events.flatMap(({ event }) => oldComparison.safeParse(JSON.parse(event)).data ?? [])[0]
    const [main] = comparison?.rows ?? []
    const oldMain = old?.comparison.rows[0]
    expect(state).toBe('completed')
    expect(old).toBeDefined()
    expect(main).toMatchObject({ metric: 'tps', off: oldMain?.off, on: oldMain?.on })
    expect(main?.offValues).toEqual(old?.comparison.off.map(({ tps }) => tps))
    expect(comparison).toMatchObject({ off: { arm: 'off', runs: 2 }, on: { arm: 'on', runs: 2 } })
  })

  it('are shown in the history with their arm', () => {
    const { deps } = openEarlier()
    const lines = deps.store.runs.page({ limit: 10 }).map(summaryOf)
    expect(lines.map(({ stepId, measured }) => [stepId, measured?.arms, measured?.values['throughput']])).toEqual([
      ['compare', undefined, undefined],
      ['measure-on', ['on'], null],
      ['baseline', ['off'], null],
    ])
    expect(lines[1]?.measured?.values['tps']).toBeGreaterThan(1000)
  })
})
