import { LabError } from '@expresslane/shared/base/errors'
import type { Clock } from './clock.ts'

/**
 * Runs `work` with a signal that aborts after `ms`, or with `outer`.
 *
 * @throws LabError `deadline_exceeded` after `ms`, even if `work` ignores its signal
 */
export async function withDeadline<T>(
  clock: Clock,
  ms: number,
  outer: AbortSignal | null,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  outer?.throwIfAborted()
  const controller = new AbortController()
  const late = Promise.withResolvers<never>()
  const takeBack = clock.after(ms, () => {
    const error = new LabError(
      'deadline_exceeded',
      `The testbed did not answer within ${ms / 1000} seconds.`,
      'Try again. If that does not help, restart Expresslane.',
    )
    controller.abort(error)
    late.reject(error)
  })
  try {
    const signal = outer === null ? controller.signal : AbortSignal.any([outer, controller.signal])
    return await Promise.race([work(signal), late.promise])
  } finally {
    takeBack()
  }
}
