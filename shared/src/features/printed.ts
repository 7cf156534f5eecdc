/**
 * Converts the values that a tool prints to the values that are stored. A tool prints the machine's clock: where that
 * counts instructions, so do the stored values, and everything that reads them gets the unit with the metric's id.
 * Pure.
 */
import { countedId, isCounted, type Clock } from '../measure/clock.ts'
import type { Measurement } from '../measure/measurement.ts'
import type { MetricId, MetricValues } from '../measure/metrics.ts'
import { allMetrics, metricOf } from './metrics.ts'

/**
 * The values to store, from the values that a tool printed.
 *
 * @param clock of the machine on which the tool ran; null leaves them as they are
 */
export function storedValues(printed: MetricValues, clock: Clock): Record<MetricId, number | null> {
  if (clock === null) return { ...printed }
  return Object.fromEntries(
    Object.entries(printed).flatMap(([id, value]): [MetricId, number | null][] => {
      const { counted } = metricOf(id)
      if (counted === 'absent') return []
      return counted === 'same'
        ? [[id, value]]
        : [[countedId(id), value === null ? null : value * counted.factor(clock)]]
    }),
  )
}

/** A measurement with the printed values of its tool, in the metrics' own units. Values that were not stored are missing. */
export function asPrinted(stored: Measurement): Measurement {
  const clock = stored.fingerprint?.instructionsPerMicrosecond ?? null
  if (clock === null) return stored
  const printed = allMetrics().flatMap(({ id, counted }): [MetricId, number | null][] => {
    const value = counted === 'same' || counted === 'absent' ? undefined : stored.values[countedId(id)]
    if (value === undefined || counted === 'same' || counted === 'absent') return []
    return [[id, value === null ? null : value / counted.factor(clock)]]
  })
  const others = Object.entries(stored.values).filter(([id]) => !isCounted(id))
  return { ...stored, values: Object.fromEntries([...others, ...printed]) }
}
