/** Axes from zero. */

/** An axis from zero: its ticks, the last one being its end. */
export type AxisTicks = readonly [number, ...number[]]

const steps = [1, 2, 2.5, 5, 10]

/** At most five round intervals, the last tick at or above `value`. One interval for 0. */
export function niceTicks(value: number): AxisTicks {
  if (!(value > 0)) return [0, 1]
  const magnitude = 10 ** Math.floor(Math.log10(value / 5))
  const step = (steps.find((one) => one * magnitude * 5 >= value) ?? 10) * magnitude
  const intervals = Math.ceil(value / step - 1e-9)
  return [0, ...Array.from({ length: intervals }, (_, index) => (index + 1) * step)]
}
