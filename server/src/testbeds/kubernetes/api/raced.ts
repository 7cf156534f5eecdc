/**
 * Does `work`, and stops waiting for it once the signal is aborted, even if `work` goes on.
 *
 * @throws the errors of `work`; `signal.reason`
 */
export async function raced<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted()
  const aborted = Promise.withResolvers<never>()
  const stop = (): void => aborted.reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([work(), aborted.promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
