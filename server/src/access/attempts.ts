/** Slows down and limits the guessing of codes: for each address, and for all addresses together. */
import { LabError } from '@expresslane/shared/wire/errors'

/** The part of the clock that access needs. */
export interface Timer {
  now(): number
  after(ms: number, callback: () => void): () => void
}

export interface Attempts {
  /** Call it before a short code is compared. @throws LabError `too_many_attempts` */
  check(address: string): void
  /**
   * Counts a wrong short code and makes its sender wait, longer each time.
   *
   * @throws LabError `too_many_attempts`, at once, when the address has used up its attempts
   */
  failed(address: string): Promise<void>
  /** Makes the sender of a wrong long code wait, and counts nothing. */
  late(): Promise<void>
}

const WINDOW_MS = 10 * 60_000
/** A whole room can share one address. */
const PER_ADDRESS = 20
/** At this rate the chance to guess a short code within a day is below 1 in 50,000. */
const OVERALL = 100
const FIRST_DELAY_MS = 250
const LONGEST_DELAY_MS = 4000

function tooMany(): LabError {
  return new LabError(
    'too_many_attempts',
    'Too many wrong codes were tried.',
    'Wait ten minutes, or use the link or the QR code instead of the short code.',
  )
}

export function createAttempts(clock: Timer): Attempts {
  /** Wrong codes within the window, oldest first. */
  let wrong: { readonly at: number; readonly address: string }[] = []

  function countOf(address: string): number {
    const since = clock.now() - WINDOW_MS
    wrong = wrong.filter(({ at }) => at > since)
    return wrong.filter((one) => one.address === address).length
  }

  function wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      clock.after(ms, resolve)
    })
  }

  return {
    check(address) {
      if (countOf(address) >= PER_ADDRESS || wrong.length >= OVERALL) throw tooMany()
    },
    async failed(address) {
      const before = countOf(address)
      if (before >= PER_ADDRESS || wrong.length >= OVERALL) throw tooMany()
      wrong.push({ at: clock.now(), address })
      await wait(Math.min(FIRST_DELAY_MS * 2 ** before, LONGEST_DELAY_MS))
    },
    late: () => wait(FIRST_DELAY_MS),
  }
}
