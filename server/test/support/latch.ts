/** A door that a test holds shut: what comes to it waits, and the test knows that it has come. */
export interface Latch {
  /** Resolves when something waits here. */
  readonly reached: Promise<void>
  open(): void
  /** What waits; rejects with `signal.reason` when aborted, unless it is deaf to that. */
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
