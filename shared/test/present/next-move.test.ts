import { describe, expect, it } from 'vitest'
import { lab as labSchema } from '../../src/labs/lab.ts'
import { nextMove } from '../../src/present/next-move.ts'
import { pauseOf } from '../../src/present/durations.ts'
import type { EndState } from '../../src/run/events.ts'
import { reduceRun } from '../reduce-run.ts'
import type { RunState } from '../../src/run/run-state.ts'
import { aLab, logged, started } from '../builders.ts'

const { origin: _origin, file: _file, ...plain } = aLab()
const quiet = { prose: '', commands: [], actionLabel: null, hint: null }
const lab = labSchema.parse({
  ...plain,
  steps: [
    { ...quiet, id: 'why', title: 'Why', action: null },
    { ...quiet, id: 'preflight', title: 'Preflight', action: { kind: 'preflight' } },
    { ...quiet, id: 'deploy', title: 'Deploy', action: { kind: 'deploy', arm: 'off' } },
    { ...quiet, id: 'read', title: 'Read', action: { kind: 'read', nodes: 'off', pods: 'off' } },
  ],
})

let seq = 0
/** @param end null for a run that goes on */
function run(stepId: string, end: EndState | null, passed = true): RunState {
  const events = [
    started({ stepId }),
    { type: 'step.checked' as const, outcome: { passed, sentence: '', observations: [], hint: null } },
    ...(end === null ? [] : [{ type: 'run.ended' as const, state: end, problem: null }]),
  ]
  const state = logged(events, seq + 1, `r_${String(seq + 1).padStart(8, '0')}`).reduce<RunState | null>(
    reduceRun,
    null,
  )
  seq += events.length
  if (state === null) throw new Error('no run')
  return state
}

const next = (stepId: string, ...runs: RunState[]) => nextMove(lab, stepId, runs, null)

describe('the next move', () => {
  it('goes on from a step that is only read', () => {
    expect(next('why')).toEqual({ kind: 'go', stepId: 'preflight' })
  })

  it('runs the action first, then goes on', () => {
    expect(next('preflight')).toEqual({ kind: 'run', stepId: 'preflight', solve: false, again: false })
    expect(next('preflight', run('preflight', 'completed'))).toEqual({ kind: 'go', stepId: 'deploy' })
  })

  it('waits for whatever runs in the session', () => {
    const open = run('preflight', null)
    expect(next('deploy', open)).toEqual({ kind: 'wait', runId: open.id, stepId: 'preflight' })
  })

  it('runs the steps that were left out, too', () => {
    expect(next('read', run('preflight', 'completed'))).toMatchObject({ kind: 'run', stepId: 'read', solve: true })
  })

  it('runs a step again whose check did not pass', () => {
    const runs = [run('preflight', 'completed'), run('deploy', 'completed', false)]
    expect(next('deploy', ...runs)).toEqual({ kind: 'run', stepId: 'deploy', solve: false, again: true })
  })

  it('ends after the last step', () => {
    const runs = [run('preflight', 'completed'), run('deploy', 'completed'), run('read', 'completed')]
    expect(next('read', ...runs)).toEqual({ kind: 'end' })
  })

  it('begins at the first step when the lab has lost the one that is shown', () => {
    expect(next('gone')).toEqual({ kind: 'go', stepId: 'preflight' })
  })
})

it('shows a step as long as the lab plans, or as long as it takes to read', () => {
  const words = (count: number): string => Array.from({ length: count }, () => 'word').join(' ')
  expect(pauseOf({ pauseSeconds: 0, prose: words(90) })).toBe(0)
  expect(pauseOf({ pauseSeconds: null, prose: words(90) })).toBe(30)
  expect(pauseOf({ pauseSeconds: null, prose: '' })).toBe(5)
  expect(pauseOf({ pauseSeconds: null, prose: words(9_000) })).toBe(60)
})
