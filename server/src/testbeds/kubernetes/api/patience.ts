/** Waits for an API server that does not answer for a while, and reports it. */
import { setTimeout as delay } from 'node:timers/promises'
import { LabError } from '@expresslane/shared/base/errors'
import type { CallContext } from '../../testbed.ts'

/** Between two attempts. */
const EVERY_MS = 1000
/** A restart or an upgrade of an API server takes less. */
export const PATIENCE_MS = 60_000

/**
 * Repeats `work` while the API server can't be reached, for at most `ms`. Only for work that can be done twice.
 *
 * @throws LabError the errors of `work`; `signal.reason` once aborted
 */
export async function patient<T>(context: CallContext, work: () => Promise<T>, ms: number = PATIENCE_MS): Promise<T> {
  const began = performance.now()
  for (;;) {
    try {
      return await work()
    } catch (error) {
      context.signal.throwIfAborted()
      const waited = performance.now() - began
      if (!(error instanceof LabError) || error.code !== 'cluster_unreachable' || waited >= ms) throw error
      context.emit({
        type: 'progress',
        subject: null,
        message: `The API server does not answer; waiting for up to ${Math.round(ms / 1000)} s.`,
        done: Math.min(Math.floor(waited / 1000), Math.floor(ms / 1000)),
        total: Math.max(1, Math.floor(ms / 1000)),
      })
      await delay(EVERY_MS, undefined, { signal: context.signal }).catch(() => context.signal.throwIfAborted())
    }
  }
}
