/** Slows down the guessing of tokens, cookies and codes. A right key is never refused and never waits. */
import { createHash } from 'node:crypto'
import { LabError } from '@expresslane/shared/base/errors'

/** The part of the clock that access needs. */
export interface Timer {
  now(): number
  after(ms: number, callback: () => void): () => void
}

export interface WrongKeys {
  /**
   * Makes the sender of a wrong token, cookie or code wait, longer for each different key from the same address. A page
   * that sends its old cookie again waits no longer than the first time.
   *
   * @throws LabError `too_many_attempts`, at once, when very many are waiting
   */
  late(address: string, key: string): Promise<void>
}

const WINDOW_MS = 10 * 60_000
const FIRST_DELAY_MS = 250
const LONGEST_DELAY_MS = 4000
/** After so many different keys, every wait is the longest. */
const KEYS_KEPT = 8
const MOST_ADDRESSES = 10_000
/** Each holds a connection. */
const MOST_WAITING = 500

export function createWrongKeys(clock: Timer): WrongKeys {
  /** The hashes of wrong keys by address, the address that was last seen at the end. */
  const seen = new Map<string, { readonly since: number; readonly keys: Set<string> }>()
  let waiting = 0

  /** How many different keys an address has tried before this one; 0 when it has tried this key before. */
  function earlier(address: string, key: string): number {
    const hash = createHash('sha256').update(key).digest('base64')
    const found = seen.get(address)
    const tried = found !== undefined && found.since > clock.now() - WINDOW_MS ? found : null
    const { since, keys } = tried ?? { since: clock.now(), keys: new Set<string>() }
    seen.delete(address)
    seen.set(address, { since, keys })
    const [oldest] = seen.keys()
    if (seen.size > MOST_ADDRESSES && oldest !== undefined) seen.delete(oldest)
    if (keys.has(hash)) return 0
    const before = keys.size
    if (before < KEYS_KEPT) keys.add(hash)
    return before
  }

  return {
    async late(address, key) {
      if (waiting >= MOST_WAITING) {
        throw new LabError(
          'too_many_attempts',
          'Too many wrong tokens or codes were tried.',
          'Wait a minute, then open your link, or type the right code.',
        )
      }
      const ms = Math.min(FIRST_DELAY_MS * 2 ** earlier(address, key), LONGEST_DELAY_MS)
      waiting += 1
      await new Promise<void>((resolve) => void clock.after(ms, resolve))
      waiting -= 1
    },
  }
}
