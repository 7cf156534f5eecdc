/** Who waits for a node, in the order of arrival. */

export interface Line {
  /**
   * Joins at the end.
   *
   * @param place called at once, and whenever the place has changed: 1 is next
   * @returns leaves the line
   */
  join(place: (number: number) => void): () => void
}

export function createLine(): Line {
  const waiting = new Map<symbol, { readonly place: (number: number) => void; shown: number }>()

  function tell(): void {
    for (const [at, one] of [...waiting.values()].entries()) {
      if (one.shown === at + 1) continue
      one.shown = at + 1
      one.place(one.shown)
    }
  }

  return {
    join(place) {
      const key = Symbol('waits')
      waiting.set(key, { place, shown: 0 })
      tell()
      return () => {
        if (waiting.delete(key)) tell()
      }
    },
  }
}
