/** Asks a worker, which answers each question by its number. */
import { LabError, type Problem } from '@expresslane/shared/base/errors'

/** The questions of a worker by name. */
type Questions<Q> = { readonly [Name in keyof Q]: { readonly asked: unknown; readonly answer: unknown } }

export interface Asker<Q extends Questions<Q>> {
  /** @param transfer the buffers that are handed over and not copied. @throws LabError */
  ask<Name extends keyof Q>(name: Name, asked: Q[Name]['asked'], transfer?: Transferable[]): Promise<Q[Name]['answer']>
  /** Ends the worker; questions without an answer fail with the error. */
  end(error: Error): void
}

type Answer =
  | { readonly number: number; readonly answer: unknown }
  | { readonly number: number; readonly problem: Problem }

/**
 * @param failure the error of a worker that ended by itself
 * @param onNews called with messages that are no answer
 */
export function createAsker<Q extends Questions<Q>, News = never>(
  worker: Worker,
  failure: (reason: string) => Error,
  onNews: (news: News) => void = () => {},
): Asker<Q> {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let asks = 0
  function failAll(error: Error): void {
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  worker.addEventListener('message', ({ data }: MessageEvent<Answer | News>) => {
    if (typeof data !== 'object' || data === null || !('number' in data)) return onNews(data as News)
    const answer = data as Answer
    const asker = waiting.get(answer.number)
    waiting.delete(answer.number)
    if ('answer' in answer) return asker?.resolve(answer.answer)
    const { code, message, remedy, detail } = answer.problem
    asker?.reject(new LabError(code, message, remedy, detail === null ? {} : { detail }))
  })
  // A script that can't be loaded reports no message.
  worker.addEventListener('error', ({ message }) => failAll(failure(message ?? '')))
  return {
    ask(name, asked, transfer = []) {
      asks += 1
      const answer = Promise.withResolvers<unknown>()
      waiting.set(asks, answer)
      worker.postMessage({ number: asks, name, asked }, transfer)
      return answer.promise
    },
    end(error) {
      worker.terminate()
      failAll(error)
    },
  }
}
