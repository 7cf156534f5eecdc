/** Bursts told as one. */

/** Any number of tellings between two questions is one piece of news. */
export interface News {
  tell(): void
  fail(error: unknown): void
  /** Resolves when something was told since it last did. @throws what was failed with; `signal.reason` */
  wait(): Promise<void>
}

export function createNews(signal: AbortSignal): News {
  let told = false
  let failure: { readonly error: unknown } | null = null
  let wake = Promise.withResolvers<void>()
  signal.addEventListener('abort', () => wake.resolve(), { once: true })
  return {
    tell() {
      told = true
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
        if (told) break
        await wake.promise
        wake = Promise.withResolvers()
      }
      told = false
    },
  }
}
