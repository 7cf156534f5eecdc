import { LabError } from '@expresslane/shared/errors'
import type { Clock } from './clock.ts'

/**
 * Runs `work` with a signal that aborts after `ms`, or with `outer`.
 *
 * @throws LabError `deadline_exceeded` out of `work`, when it honours its signal
 */
export async function withDeadline<T>(
  clock: Clock,
  ms: number,
  outer: AbortSignal | null,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const takeBack = clock.after(ms, () =>
    controller.abort(
      new LabError(
        'deadline_exceeded',
        `The testbed did not answer within ${ms / 1000} seconds.`,
        'Try again; if it happens again, restart Expresslane.',
      ),
    ),
  )
  try {
    return await work(outer === null ? controller.signal : AbortSignal.any([outer, controller.signal]))
  } finally {
    takeBack()
  }
}
