import { randomInt } from 'node:crypto'
import { runId, sessionId, type RunId, type SessionId } from '@expresslane/shared/run/events'
import type { Clock } from '../clock.ts'

export interface Ids {
  run(): RunId
  session(): SessionId
}

const TIME_DIGITS = 9
const COUNT_DIGITS = 3
const RANDOM_DIGITS = 8

function base36(value: number, digits: number): string {
  return value.toString(36).padStart(digits, '0')
}

/**
 * Ids that sort in creation order, even within one millisecond. A solve can start a run in the same millisecond in
 * which the previous one ended, and progress sorts runs by start time and then by id.
 */
export function createIds(clock: Clock): Ids {
  let time = 0
  let count = 0
  function next(): string {
    const now = Math.max(clock.now(), time)
    count = now === time ? count + 1 : 0
    time = now
    let random = ''
    for (let digit = 0; digit < RANDOM_DIGITS; digit += 1) random += randomInt(36).toString(36)
    return base36(time, TIME_DIGITS) + base36(count, COUNT_DIGITS) + random
  }
  return {
    run: () => runId.parse(`r_${next()}`),
    session: () => sessionId.parse(`s_${next()}`),
  }
}
