/** The extremes of data of any length: as arguments of `Math.max`, 120,000 values are too many. */

/** @param least the result for no values; smaller values do not count */
export function maxOf(values: Iterable<number>, least = Number.NEGATIVE_INFINITY): number {
  let found = least
  for (const value of values) found = Math.max(found, value)
  return found
}

/** @param most the result for no values; larger values do not count */
export function minOf(values: Iterable<number>, most = Number.POSITIVE_INFINITY): number {
  let found = most
  for (const value of values) found = Math.min(found, value)
  return found
}
