/** A latch that a test keeps shut: callers wait, and the test can wait for a caller. */
export interface Latch {
  /** Resolves when a caller waits. */
  readonly reached: Promise<void>
  open(): void
  /** Waits for the latch. Rejects with `signal.reason` when aborted, unless it ignores that. */
  pass(signal: AbortSignal): Promise<void>
}

export function latch({ deaf = false } = {}): Latch {
  const reached = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<void>()
  return {
    reached: reached.promise,
    open: opened.resolve,
    async pass(signal) {
      reached.resolve()
      if (deaf) return opened.promise
      const aborted = Promise.withResolvers<never>()
      const onAbort = (): void => aborted.reject(signal.reason as Error)
      if (signal.aborted) onAbort()
      signal.addEventListener('abort', onAbort, { once: true })
      return Promise.race([opened.promise, aborted.promise])
    },
  }
}
