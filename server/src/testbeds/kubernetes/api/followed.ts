/** The newest list of a stream, and when it changes. */
export interface Followed<T> {
  /** The first list, then the newest. */
  latest(): Promise<readonly T[]>
  /** Resolves at the next change, or after `ms`. Rejects with the error that ended the stream; `signal.reason` */
  change(ms: number, signal: AbortSignal): Promise<void>
  /** When the newest list came, by `performance.now()`. */
  at(): number
}

/** Reads `source` until it rejects; then the methods reject too. */
export function follow<T>(source: AsyncIterable<readonly T[]>): Followed<T> {
  let newest: readonly T[] | null = null
  let at = performance.now()
  let next = Promise.withResolvers<void>()
  // The stream can end while nobody waits.
  next.promise.catch(() => {})
  void (async () => {
    try {
      for await (const list of source) {
        newest = list
        at = performance.now()
        next.resolve()
        next = Promise.withResolvers()
        next.promise.catch(() => {})
      }
    } catch (error) {
      next.reject(error)
    }
  })()

  return {
    async latest() {
      if (newest === null) await next.promise
      return newest ?? []
    },
    async change(ms, signal) {
      signal.throwIfAborted()
      const timer = Promise.withResolvers<void>()
      const stop = (): void => timer.reject(signal.reason)
      signal.addEventListener('abort', stop, { once: true })
      const handle = setTimeout(() => timer.resolve(), ms)
      try {
        await Promise.race([next.promise, timer.promise])
      } finally {
        clearTimeout(handle)
        signal.removeEventListener('abort', stop)
      }
    },
    at: () => at,
  }
}
