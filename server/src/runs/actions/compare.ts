import { compareArms } from '@expresslane/shared/compare/compare'
import { LabError } from '@expresslane/shared/wire/errors'
import type { Observation } from '@expresslane/shared/run/observation'
import { armMeasurements, armRun } from '@expresslane/shared/run/progress'
import { hasPassed, type RunState } from '@expresslane/shared/run/run-state'
import { judge, type Act } from '../performance.ts'

/** Were both sides measured alike? What differs besides BIG TCP may be the difference. */
function observeFairness(off: RunState, on: RunState): Observation[] {
  const [was, is] = [off, on].map((run) => `${run.repeats[0]?.seconds ?? 'unknown'} s`)
  const same = off.incarnation === on.incarnation
  const checked = (run: RunState, side: string): Observation => {
    const ok = hasPassed(run)
    return { label: `packet size ${side} BIG TCP`, expected: 'proven', seen: ok ? 'proven' : 'not proven', ok }
  }
  return [
    { label: 'time a repeat', expected: was ?? null, seen: is ?? 'unknown', ok: was === is },
    { label: 'testbed', expected: 'the same', seen: same ? 'the same' : 'built anew between the two', ok: same },
    checked(off, 'without'),
    checked(on, 'with'),
  ]
}

/** Compares the walk's latest measurements of both arms. It passes with any result, better or worse, measured alike. */
export const compare: Act<'compare'> = (_action, { lab, earlier, emit }) => {
  const off = armMeasurements(lab, earlier, 'off')
  const on = armMeasurements(lab, earlier, 'on')
  const comparison = compareArms(off, on, {
    order: 'sequential',
    names: { off: 'without BIG TCP', on: 'with BIG TCP' },
  })
  if (comparison === null) {
    const missing = off.length === 0 ? 'without' : 'with'
    return Promise.reject(
      new LabError(
        'step_not_ready',
        `There is no measurement ${missing} BIG TCP in this walk yet.`,
        'Measure both sides first, or press Solve.',
      ),
    )
  }
  emit({ type: 'comparison.made', comparison })
  const [offRun, onRun] = [armRun(lab, earlier, 'off'), armRun(lab, earlier, 'on')]
  const finding = judge(
    offRun === null || onRun === null ? [] : observeFairness(offRun, onRun),
    `Compared ${on.length} with BIG TCP against ${off.length} without; the figures stay in the history.`,
    () => 'The two sides were not measured alike, so the difference may have another cause than BIG TCP.',
  )
  return Promise.resolve({ ...finding, hint: 'Measure both sides again, alike and on the same testbed, then compare.' })
}
