/** Axes from zero. By hand, because d3's would cost a follower's page 2 kB; `axis.ts` has the other axes. */

/** An axis from zero: its ticks, the last one being its end. */
export type AxisTicks = readonly [number, ...number[]]

/** Outside of these limits, a fifth of the value is 0, or the next round value is infinite. */
const LEAST = 1e-300
const MOST = 1e307

const steps = [1, 2, 2.5, 5, 10]

/** At most five round intervals, the last tick at or above `value`. A single interval for 0 and for values near 0. */
export function niceTicks(value: number): AxisTicks {
  if (!(value >= LEAST)) return [0, 1]
  if (value > MOST) return [0, Number.MAX_VALUE]
  const magnitude = 10 ** Math.floor(Math.log10(value / 5))
  const step = (steps.find((one) => one * magnitude * 5 >= value) ?? 10) * magnitude
  const intervals = Math.ceil(value / step - 1e-9)
  return [0, ...Array.from({ length: intervals }, (_, index) => (index + 1) * step)]
}

/** `12,500` -> `12.5k`, `0.0512` -> `0.0512`: fits beside an axis. */
export function tickWords(value: number): string {
  if (value >= 999_500) return `${Number((value / 1e6).toPrecision(3))}M`
  return value >= 1000 ? `${Number((value / 1000).toPrecision(3))}k` : String(Number(value.toPrecision(3)))
}
