import { describe, expect, it } from 'vitest'
import { LabError, type ErrorCode } from '../../src/base/errors.ts'
import { RESET_STEP, type EndState } from '../../src/run/events.ts'
import { lab as labSchema, step as stepSchema } from '../../src/labs/lab.ts'
import { runsSinceReset, sessionProgress, stepsToSolve, usualPlacement } from '../../src/run/progress.ts'
import { reduceRun } from '../reduce-run.ts'
import type { RunState } from '../../src/run/run-state.ts'
import { epochMs } from '../../src/base/units.ts'
import type { PlacementVariant } from '../../src/testbed/placement.ts'
import { logged, measured, started } from '../builders.ts'

const step = (id: string, action: unknown) => ({
  id,
  title: id,
  prose: '',
  commands: [],
  action,
  actionLabel: null,
  hint: null,
})
const lab = labSchema.parse({
  id: 'big-tcp-ipv4',
  title: 'Lab',
  question: '?',
  summary: '',
  feature: 'big-tcp',
  families: ['ipv4'],
  arms: ['off', 'on'].map((id) => ({ id, label: id, settings: { 'big-tcp-ipv4': id === 'on' } })),
  listed: true,
  minutes: 1,
  needs: [],
  steps: [
    step('why', null),
    step('preflight', { kind: 'preflight' }),
    step('deploy', { kind: 'deploy', arm: 'off' }),
    step('read', { kind: 'read', nodes: 'off', pods: 'off' }),
  ],
})
const restore = stepSchema.parse(step('restore', { kind: 'restore' }))
const compare = stepSchema.parse(step('compare', { kind: 'compare' }))

let seq = 0
function run(stepId: string, end: EndState | null, passed = true, incarnation = 'one'): RunState {
  const events = [
    started({ stepId, incarnation }),
    {
      type: 'step.checked' as const,
      outcome: { passed, sentence: '', observations: [], hint: null },
    },
    ...(end === null ? [] : [{ type: 'run.ended' as const, state: end, problem: null }]),
  ]
  const id = `r_${String(seq + 1).padStart(8, '0')}`
  const state = logged(events, seq + 1, id).reduce<RunState | null>(reduceRun, null)
  seq += events.length
  if (state === null) throw new Error('no run')
  return state
}

const taken: RunState['repeats'][number] = {
  arm: 'off',
  caseId: null,
  warmup: false,
  family: 'ipv4',
  benchmark: null,
  repeat: 1,
  repeats: 1,
  seconds: 1,
  instructionsPerMicrosecond: null,
  samples: [],
  measurement: measured({ values: { tps: 1000 } }),
}

const statuses = (runs: RunState[], incarnation: string | null = 'one') =>
  sessionProgress(lab, runs, incarnation).map((one) => one.status)

describe('sessionProgress', () => {
  it('distinguishes passed, failed, running and untouched steps', () => {
    expect(statuses([run('preflight', 'completed'), run('deploy', 'completed', false), run('read', null)])).toEqual([
      'read',
      'passed',
      'ended',
      'running',
    ])
    expect(statuses([])).toEqual(['read', 'open', 'open', 'open'])
  })

  it('shows queued runs, and ignores runs that were cancelled in the queue', () => {
    const queue = { place: 1, expectedSeconds: null, paused: false, at: epochMs.parse(1) }
    const passed = run('preflight', 'completed')
    const waiting: RunState = { ...run('preflight', null), state: 'queued', queue }
    expect(statuses([passed, waiting])[1]).toBe('queued')
    expect(statuses([passed, { ...run('preflight', 'cancelled'), queue }])[1]).toBe('passed')
  })

  it('lets the latest run of a step decide', () => {
    expect(statuses([run('preflight', 'completed'), run('preflight', 'cancelled')])[1]).toBe('ended')
  })

  it('marks steps whose effect a rebuilt testbed no longer has', () => {
    const runs = [run('preflight', 'completed'), run('deploy', 'completed')]
    expect(statuses(runs, 'two')).toEqual(['read', 'passed', 'stale', 'open'])
    expect(statuses(runs, null)[2]).toBe('passed')
  })

  it('marks a deploy whose pods are gone, until others are created', () => {
    const gone = (stepId: string, code: ErrorCode): RunState => ({
      ...run(stepId, 'failed', false),
      problem: new LabError(code, '', '').toProblem(),
    })
    const deployed = [run('preflight', 'completed'), run('deploy', 'completed')]
    for (const code of ['testbed_gone', 'step_not_ready'] as const) {
      expect(statuses([...deployed, gone('read', code)])).toEqual(['read', 'passed', 'stale', 'ended'])
    }
    expect(statuses([...deployed, gone('read', 'exec_dropped')])[2]).toBe('passed')
    // A step that needs no pods speaks of something else.
    expect(statuses([...deployed, gone('preflight', 'step_not_ready')])[2]).toBe('passed')
    expect(statuses([...deployed, gone('read', 'testbed_gone'), run('deploy', 'completed')])[2]).toBe('passed')

    const redeploy = stepSchema.parse(step('redeploy', { kind: 'deploy', arm: 'on' }))
    const twice = { ...lab, steps: [...lab.steps, redeploy] }
    const runs = [...deployed, run('redeploy', 'completed'), gone('read', 'testbed_gone')]
    const [, , first, , second] = sessionProgress(twice, runs, 'one').map((one) => one.status)
    expect([first, second]).toEqual(['passed', 'stale'])
  })

  it('marks a comparison whose arms were measured again', () => {
    const compared = (runs: RunState[]) =>
      sessionProgress({ ...lab, steps: [compare] }, runs, 'one').map((one) => one.status)
    const measuring = (): RunState => ({ ...run('baseline', 'completed'), repeats: [taken] })
    const runs = [measuring(), run('compare', 'completed')]
    expect(compared(runs)).toEqual(['passed'])
    expect(compared([...runs, measuring()])).toEqual(['stale'])
  })

  it('restarts only after a completed reset', () => {
    const runs = [run('preflight', 'completed'), run(RESET_STEP, 'failed')]
    expect(statuses(runs)[1]).toBe('passed')
    expect(statuses([...runs, run(RESET_STEP, 'completed')])[1]).toBe('open')
    expect(runsSinceReset([...runs, run(RESET_STEP, 'completed')])).toEqual([])
  })
})

describe('stepsToSolve', () => {
  const solve = (runs: RunState[], target: string, incarnation = 'one') =>
    stepsToSolve(sessionProgress(lab, runs, incarnation), target).map((one) => one.id)

  it('runs the steps that are not done, up to and including the target', () => {
    expect(solve([], 'deploy')).toEqual(['preflight', 'deploy'])
    expect(solve([run('preflight', 'completed')], 'read')).toEqual(['deploy', 'read'])
  })

  it('repeats all steps after a stale one', () => {
    const runs = [run('preflight', 'completed'), run('deploy', 'completed'), run('read', 'completed')]
    expect(solve(runs, 'read')).toEqual([])
    expect(solve(runs, 'read', 'two')).toEqual(['deploy', 'read'])
  })

  it('creates again what Restore removed, only for a step that needs it', () => {
    const whole = { ...lab, steps: [...lab.steps, restore] }
    const runs = ['preflight', 'deploy', 'read', 'restore'].map((id) => run(id, 'completed'))
    const progress = sessionProgress(whole, runs, 'one')
    expect(progress.map((one) => one.status).slice(1)).toEqual(['passed', 'passed', 'passed', 'passed'])
    expect(stepsToSolve(progress, 'read').map((one) => one.id)).toEqual(['deploy', 'read'])
    expect(stepsToSolve(progress, 'restore')).toEqual([])
    const again = sessionProgress(whole, [...runs, run('deploy', 'completed')], 'one')
    expect(stepsToSolve(again, 'read')).toEqual([])
  })
})

describe('where new pods come', () => {
  const placed = (variant: PlacementVariant): RunState => ({
    ...run('deploy', 'completed'),
    placement: { madeAt: epochMs.parse(1), variant, pods: [], cpus: {} },
  })

  it('is where the lab asks for them, or on two nodes', () => {
    expect(usualPlacement([run('preflight', 'completed')], null)).toBe('other-node')
    expect(usualPlacement([], 'host-network')).toBe('host-network')
  })

  it('is where they came last in this walk, and not in the walk before', () => {
    const runs = [placed('host-network'), placed('same-node'), run('read', 'completed')]
    expect(usualPlacement(runs, 'host-network')).toBe('same-node')
    expect(usualPlacement([...runs, run(RESET_STEP, 'completed')], 'host-network')).toBe('host-network')
  })
})
