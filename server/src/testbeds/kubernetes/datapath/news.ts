/** Combines bursts of notifications into one. */

/** Any number of notifications between two waits count as one. */
export interface News {
  notify(): void
  fail(error: unknown): void
  /** Resolves when there was a notification since it last resolved. @throws the error of `fail`; `signal.reason` */
  wait(): Promise<void>
}

export function createNews(signal: AbortSignal): News {
  let pending = false
  let failure: { readonly error: unknown } | null = null
  let wake = Promise.withResolvers<void>()
  signal.addEventListener('abort', () => wake.resolve(), { once: true })
  return {
    notify() {
      pending = true
      wake.resolve()
    },
    fail(error) {
      failure ??= { error }
      wake.resolve()
    },
    async wait() {
      for (;;) {
        signal.throwIfAborted()
        if (failure !== null) throw failure.error
        if (pending) break
        await wake.promise
        wake = Promise.withResolvers()
      }
      pending = false
    },
  }
}
