/** The summary of a run in the history, from its events to the row that is read again. */
import { epochMs } from '@expresslane/shared/base/units'
import { runId, type Outcome } from '@expresslane/shared/run/events'
import { ended, logged, runOf, started } from '@expresslane/shared/test/builders'
import { expect, it } from 'vitest'
import { keptResultOf, summaryOf } from '../../src/runs/log/summary.ts'
import { openRig } from '../support/deps.ts'
import { startedRun } from '../support/runs/runs.ts'

const id = runId.parse('r_00000001')
const passed: Outcome = { passed: true, sentence: 'It is there.', observations: [], hint: null }

it.each([
  ['passed', passed, undefined],
  ['was left out', { ...passed, leftOut: true }, true],
] as const)('a step that %s', (_, outcome, leftOut) => {
  const { deps } = openRig()
  startedRun(deps.store, deps.log, id)
  const run = runOf(logged([started(), { type: 'step.checked', outcome: { ...outcome, observations: [] } }, ended]))
  deps.store.runs.end(id, 'completed', epochMs.parse(2), keptResultOf(run))
  const row = deps.store.runs.find(id)
  const summary = row === null ? null : summaryOf(row)
  expect(summary).toMatchObject({ state: 'completed', passed: true })
  expect(summary?.leftOut).toBe(leftOut)
})
