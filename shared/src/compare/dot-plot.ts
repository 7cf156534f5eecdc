/** Positions of the dots in a dot plot. Overlapping dots are stacked. Pure. */

/** `level` 0 stands on the axis. */
export interface Dot {
  readonly x: number
  readonly level: number
}

/**
 * Stacks each dot on those that it would overlap.
 *
 * @param places the dots' positions on the axis, in any unit; the result has their order
 * @param width a dot's width, in the same unit
 */
export function stackDots(places: readonly number[], width: number): Dot[] {
  const stacked: Dot[] = []
  const levels = new Map<number, number>()
  const fromLeft = places.map((x, index) => ({ x, index })).toSorted((a, b) => a.x - b.x)
  for (const { x, index } of fromLeft) {
    const taken = new Set(stacked.filter((dot) => x - dot.x < width).map((dot) => dot.level))
    let level = 0
    while (taken.has(level)) level += 1
    stacked.push({ x, level })
    levels.set(index, level)
  }
  return places.map((x, index) => ({ x, level: levels.get(index) ?? 0 }))
}
