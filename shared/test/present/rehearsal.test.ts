import { describe, expect, it } from 'vitest'
import { compareRow } from '../../src/compare/row.ts'
import { lab as labSchema } from '../../src/labs/lab.ts'
import { durationsOf } from '../../src/present/durations.ts'
import { rehearsedEffect, replayedEffect, type Compared } from '../../src/present/effects.ts'
import { effectWords, rehearsalWords } from '../../src/present/rehearsal-words.ts'
import { rehearsal, type Rehearsal } from '../../src/wire/rehearsal.ts'
import { aLab, check, logged, repeatStarted, runOf, started } from '../builders.ts'

const { origin: _origin, file: _file, ...plain } = aLab()
const quiet = { prose: '', commands: [], actionLabel: null, hint: null }
const tunable = (value: number) => ({ default: value, min: 1, max: 20 })
const one = {
  id: 'rr',
  label: '80 kB requests',
  family: 'ipv4',
  benchmark: { tool: 'tcp-rr', requestBytes: 80_000, responseBytes: 80_000 },
}
const lab = labSchema.parse({
  ...plain,
  steps: [
    { ...quiet, id: 'why', title: 'Why', action: null, minutes: 2, pauseSeconds: 30 },
    {
      ...quiet,
      id: 'baseline',
      title: 'Baseline',
      action: { kind: 'measure', arm: 'off', case: one, repeats: tunable(6), seconds: tunable(5) },
      minutes: 0.5,
      pauseSeconds: 10,
    },
    { ...quiet, id: 'compare', title: 'Compare', action: { kind: 'compare' }, pauseSeconds: 20, question: 'Faster?' },
  ],
})

const series = (values: readonly number[]) => ({ values, at: values.map((_, index) => index) })
function compared(factor: number): Compared {
  const off = [9_000, 10_000, 11_000, 9_500, 10_500, 10_000]
  const row = compareRow('tps', series(off), series(off.map((value) => value * factor)), null)
  if (row === null) throw new Error('no row')
  const judged = { ...row, role: 'verdict' as const }
  return { stepId: 'compare', label: 'Requests, off → on', row: judged, plannedRuns: 6, mostRuns: 50, together: null }
}
const atOnce = (): Promise<void> => Promise.resolve()

describe('the durations of a talk', () => {
  it('are the planned minutes, or the action with its planned repeats where that takes longer', () => {
    // 6 repeats of 1 s took 9 s: half a second between two of them.
    const events = logged([
      started({ stepId: 'baseline' }),
      ...[1, 2, 3, 4, 5, 6].map((repeat) => repeatStarted(repeat, { seconds: 1 })),
      { type: 'run.ended', state: 'completed', problem: null },
    ])
    const run = runOf(events)
    const took = { ...run, endedAt: run.startedAt + 9_000 } as typeof run
    expect(durationsOf(lab, [took], 12.4)).toEqual({
      rehearsal: 12,
      actions: 33,
      talk: 120 + 33 + 20,
      autopilot: 30 + 33 + 10 + 2 * 20,
    })
  })

  it('are those of the recording, where one is rehearsed at another speed', () => {
    const events = logged([
      started({ stepId: 'baseline', params: { speed: 20 } }),
      repeatStarted(1, { seconds: 1 }),
      { type: 'run.ended', state: 'completed', problem: null },
    ])
    const run = runOf(events)
    const took = { ...run, endedAt: run.startedAt + 450 } as typeof run
    expect(durationsOf(lab, [took], 1).actions).toBe(9)
  })
})

describe('a rehearsed effect', () => {
  it('needs no more repeats where it shows anyway', async () => {
    expect(await rehearsedEffect(compared(1.6), atOnce)).toMatchObject({ power: 1, neededRuns: null, plannedRuns: 6 })
  })

  it('says how many repeats would show it', async () => {
    const { power, neededRuns } = await rehearsedEffect(compared(1.1), atOnce)
    expect(power).toBeLessThan(0.8)
    expect(neededRuns).toBeGreaterThan(6)
  })

  it('promises nothing where there is none', async () => {
    const effect = await rehearsedEffect(compared(1), atOnce)
    expect(effect.neededRuns).toBeNull()
    expect(effectWords(effect)).toMatch(/too noisy to rely on.* More repeats will hardly help\.$/)
  })

  it('is certain in a recording', () => {
    expect(replayedEffect(compared(1.6))).toMatchObject({ power: 1, plannedRuns: 6 })
    expect(replayedEffect(compared(1))).toMatchObject({ power: 0 })
    expect(effectWords(replayedEffect(compared(1.6)))).toBe(
      'Requests, off → on: +60.0 % here, and it shows in 100 % of talks with 6 repeats of each.',
    )
  })
})

describe('the words of a rehearsal', () => {
  const base: Omit<Rehearsal, 'says'> = rehearsal.omit({ says: true }).parse({
    sessionId: 's_00000001',
    runId: 'r_00000001',
    labId: lab.id,
    testbed: 'netns',
    startedAt: 1,
    state: 'ready',
    steps: { passed: 2, total: 2 },
    preflight: [check('passed'), check('warning', { title: 'Load of this machine', seen: 'load 2' })],
    failed: null,
    expected: { rehearsal: 12, actions: 33, talk: 600, autopilot: 80 },
    effects: [],
    recordingId: null,
  })

  it('say what works, what to watch, how long it takes and what to fall back on', () => {
    expect(rehearsalWords(base, '“Rehearsal: Lab” (x)')).toEqual([
      'All 2 steps work here.',
      'Preflight warns: Load of this machine: load 2',
      'The talk takes about 10 min, of which 33 s are measuring and switching. Autopilot takes 80 s.',
      'If something fails during the talk, play the recording “Rehearsal: Lab” (x).',
    ])
  })

  it('say what does not work', () => {
    const failed = { stepId: 'baseline', title: 'Baseline', message: 'netperf is missing.' }
    const [first] = rehearsalWords({ ...base, state: 'failed', failed, expected: null }, null)
    expect(first).toBe('“Baseline” will not work here: netperf is missing.')
  })

  it('count the comparisons where there are several', () => {
    const effects = [replayedEffect(compared(1.6)), replayedEffect(compared(1))]
    expect(rehearsalWords({ ...base, effects }, null)).toContain(
      '1 of 2 comparisons show a difference in most talks, with the planned repeats.',
    )
  })
})
