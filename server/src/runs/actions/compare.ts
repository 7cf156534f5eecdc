import { compareArms } from '@expresslane/shared/compare'
import { LabError } from '@expresslane/shared/errors'
import { armMeasurements } from '@expresslane/shared/progress'
import type { Act } from '../performance.ts'

/** Compares the walk's latest measurements of both arms. It passes with any result, better or worse. */
export const compare: Act<'compare'> = (_action, { lab, earlier, emit }) => {
  const off = armMeasurements(lab, earlier, 'off')
  const on = armMeasurements(lab, earlier, 'on')
  const comparison = compareArms(off, on)
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
  return Promise.resolve({
    passed: true,
    sentence: `Compared ${on.length} with BIG TCP against ${off.length} without; the figures stay in the history.`,
    observations: [],
  })
}
