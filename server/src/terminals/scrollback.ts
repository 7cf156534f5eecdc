/** The last output of a terminal, by the number of its bytes. Pure. */

export interface Scrollback {
  /** The number of all bytes so far. */
  end(): number
  add(bytes: Buffer): void
  /** The output from a byte on; from the first that is kept if that is later, or if there is no such byte yet. */
  from(byte: number): { readonly byte: number; readonly bytes: Buffer }
}

/** @param most bytes that are kept at least; twice as many at most */
export function createScrollback(most: number): Scrollback {
  let chunks: Buffer[] = []
  let [first, end] = [0, 0]
  return {
    end: () => end,
    add(bytes) {
      // A copy: the chunk can be a part of a larger buffer.
      chunks.push(Buffer.from(bytes))
      end += bytes.length
      if (end - first < 2 * most) return
      const kept = Buffer.concat(chunks).subarray(-most)
      first = end - kept.length
      chunks = [Buffer.from(kept)]
    },
    from(byte) {
      const start = byte < first || byte > end ? first : byte
      return { byte: start, bytes: Buffer.concat(chunks).subarray(start - first) }
    },
  }
}
