/** The meaning and the limits of a result in instructions, for the page and for reports. */
import { areCounted, isCounted } from './clock.ts'
import type { Measurement } from './measurement.ts'
import type { MetricId, MetricValues } from './metrics.ts'

/** The summary of the fold. */
export const COUNTED_TITLE = /*i18n*/ 'Counted in instructions, not in time'

/** Whole sentences, a paragraph each. */
export const countedNotes: readonly string[] = [
  /*i18n*/ 'This was measured in a virtual machine whose clock counts the instructions of its one processor. The same work gives nearly the same figure, however busy the computer is.',
  /*i18n*/ 'An instruction counts the same whether it hits a cache or waits for memory. What other processors do, interrupts between processors, and the work of a real network card are not counted.',
  /*i18n*/ 'So the order of the arms is real: an arm with fewer instructions does less work. The ratio is not that of the time on a wall clock, where instructions take different times.',
  /*i18n*/ 'Time that a limit or a delay sets is shown as time: it is that of the machine’s own clock, on which idle time passes, too.',
  /*i18n*/ 'The output of the tools prints the clock of that machine, as if it showed time: one of its seconds is a fixed number of instructions.',
]

/** True if a measurement used a clock that counts instructions. A run that only compares has no measurements of its own. */
export function anyCounted(
  taken: readonly { readonly values: MetricValues }[],
  comparisons: readonly { readonly rows: readonly { readonly metric: MetricId }[] }[],
): boolean {
  return (
    taken.some(({ values }) => areCounted(values)) ||
    comparisons.some(({ rows }) => rows.some(({ metric }) => isCounted(metric)))
  )
}

/**
 * Have their clocks different units? An instruction of one machine is not an instruction of another machine: an emulator counts
 * a whole copy as a single instruction.
 */
export function acrossClocks(taken: readonly Pick<Measurement, 'values' | 'fingerprint'>[]): boolean {
  const counts = new Set(taken.map(({ values }) => areCounted(values)))
  const units = new Set(taken.flatMap(({ fingerprint }) => fingerprint?.instructionsPerMicrosecond ?? []))
  return counts.size > 1 || units.size > 1
}

/** In place of a comparison of two sides whose clocks have different units. */
export const ACROSS_CLOCKS = {
  title: /*i18n*/ 'These figures can’t be compared',
  words:
    /*i18n*/ 'The two sides have clocks of different units: time, or the instructions of one machine. No factor turns one unit into the other. Compare the verdicts of two whole comparisons instead: one of each side.',
} as const
