/** Lets a single caller work at a time, in the order of the calls. */
export type Lock = <T>(signal: AbortSignal, work: () => Promise<T>) => Promise<T>

function abortOf(signal: AbortSignal): { readonly aborted: Promise<never>; release(): void } {
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = (): void => reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  return { aborted: promise, release: () => signal.removeEventListener('abort', stop) }
}

/** @returns a lock; waiting for it rejects with `signal.reason` */
export function createLock(): Lock {
  let tail: Promise<void> = Promise.resolve()
  return async (signal, work) => {
    signal.throwIfAborted()
    const before = tail
    const mine = Promise.withResolvers<void>()
    tail = before.then(() => mine.promise)
    const abort = abortOf(signal)
    try {
      await Promise.race([before, abort.aborted])
      return await work()
    } finally {
      abort.release()
      mine.resolve()
    }
  }
}
