/** The resolution of a tool's values. */

/**
 * Width of the bucket of netperf's histogram that a latency falls into: 1 µs up to 99 µs, 10 µs up to 999 µs, 100 µs up to
 * 9.9 ms, and so on: two digits. P50, P90 and P99 come from it.
 *
 * @param latency in µs @returns µs
 */
export function histogramBucket(latency: number): number {
  return latency < 100 ? 1 : 10 ** (Math.floor(Math.log10(latency)) - 1)
}
