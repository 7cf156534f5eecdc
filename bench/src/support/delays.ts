/** The 99th percentile; null without values. */
export function p99Of(values: readonly number[]): number | null {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? null
}
