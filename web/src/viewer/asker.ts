/** Asks a worker, which answers each question by its number. */
import { LabError } from '@expresslane/shared/base/errors'
import type { Answer, Questions } from '@expresslane/shared/wire/questions'

export interface Asker<Q extends Questions<Q>> {
  /** @param transfer the buffers that are handed over and not copied. @throws LabError */
  ask<Name extends keyof Q>(name: Name, asked: Q[Name]['asked'], transfer?: Transferable[]): Promise<Q[Name]['answer']>
  /** Ends the worker; questions without an answer fail with the error. */
  end(error: Error): void
}

/**
 * @param failure the error of a worker that ended by itself
 * @param onNews called with messages that are no answer
 * @param onEnd called when the worker has ended by itself
 */
export function createAsker<Q extends Questions<Q>>(
  worker: Worker,
  failure: (reason: string) => Error,
  onNews: (news: unknown) => void = () => {},
  onEnd: () => void = () => {},
): Asker<Q> {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let asks = 0
  let over: Error | null = null
  function fail(error: Error): void {
    over ??= error
    for (const { reject } of waiting.values()) reject(over)
    waiting.clear()
  }
  worker.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (typeof data !== 'object' || data === null || !('number' in data)) return onNews(data)
    const answer = data as Answer<Q>
    const asker = waiting.get(answer.number)
    waiting.delete(answer.number)
    if ('answer' in answer) return asker?.resolve(answer.answer)
    const { code, message, remedy, detail } = answer.problem
    asker?.reject(new LabError(code, message, remedy, detail === null ? {} : { detail }))
  })
  worker.addEventListener('error', ({ message }) => {
    // A script that can't be loaded reports no message.
    fail(failure(message ?? ''))
    onEnd()
  })
  return {
    ask(name, asked, transfer = []) {
      if (over !== null) return Promise.reject(over)
      asks += 1
      const answer = Promise.withResolvers<unknown>()
      waiting.set(asks, answer)
      worker.postMessage({ number: asks, name, asked }, transfer)
      return answer.promise
    },
    end(error) {
      worker.terminate()
      fail(error)
    },
  }
}
