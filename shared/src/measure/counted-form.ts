/**
 * How a metric is shown where the clock of the machine that is measured counts instructions: as time only if a limit or a
 * delay sets it. Pure.
 */
import { i18n } from '../base/language.ts'
import { countedId, formatDigits, formatInstructionCount, formatInstructions } from './clock.ts'
import type { CountedForm, Metric } from './metrics.ts'

/**
 * Two experiments of one arm can differ by this share, however little the repeats of each do: each starts from a machine of
 * its own. Smaller differences do not count. `docs/statistics.md` has the figures.
 */
export const COUNTED_RESOLUTION = 0.005

/**
 * A metric where instructions are counted; null for one whose values do not depend on time, or can't be counted there.
 * Its resolution is the tool's, and at least {@link COUNTED_RESOLUTION}.
 */
export function countedForm({ id, counted, better, step, source }: Metric): Metric | null {
  if (counted === 'same' || counted === 'absent') return null
  const { factor, shown } = counted
  return {
    ...shown,
    id: countedId(id),
    better,
    counted: 'same',
    step: (value, clock) => {
      const one = clock === null ? null : factor(clock)
      const own = one === null ? null : step(value / one, null)
      return Math.max((own ?? 0) * (one ?? 0), value * COUNTED_RESOLUTION)
    },
    source,
  }
}

/** A duration. @param unit microseconds of one of the metric's units @param of after the number: `per packet` */
export function inInstructions(
  unit: number,
  of: string | null,
  shown: Pick<CountedForm['shown'], 'name' | 'short' | 'noun' | 'column'> &
    Partial<Pick<CountedForm['shown'], 'head' | 'say'>> & { readonly title: string; readonly thousands: boolean },
): CountedForm {
  const { title, thousands, ...names } = shown
  const format = formatInstructions
  return {
    factor: (clock) => unit * clock,
    shown: {
      unit: 'instructions',
      words: { more: 'more instructions', less: 'fewer instructions' },
      format,
      cell: formatInstructionCount,
      say: (value) => (of === null ? format(value) : `${format(value)} ${i18n.t(of)}`),
      axis: thousands
        ? { title, unit: 'thousand instructions', divisor: 1e3 }
        : { title, unit: 'instructions', divisor: 1 },
      ...names,
    },
  }
}

/**
 * A time or a rate that a limit or a delay sets. On the machine's clock its value is the value that another machine would
 * measure, apart from the time of the work in it.
 */
export function onMachineClock(
  { name, short, noun, axis, ...shown }: Omit<CountedForm['shown'], 'head' | 'cell' | 'column'>,
  column: string,
): CountedForm {
  const clock = 'on the machine’s clock'
  return {
    factor: () => 1,
    shown: {
      ...shown,
      name: `${name}, ${clock}`,
      short,
      head: `${short}, machine’s clock`,
      noun: `${noun} ${clock}`,
      axis: { ...axis, title: `${axis.title} ${clock}` },
      column,
    },
  }
}

/** A rate. @param per instructions for which the events are given @param events `transactions` @param scale of the events */
export function perInstructions(
  per: 'thousand' | 'million' | 'billion',
  events: string,
  column: string,
  scale = 1,
): CountedForm {
  const instructions = { thousand: 1e3, million: 1e6, billion: 1e9 }[per]
  const noun = `${events} per ${per} instructions`
  const title = `${noun.charAt(0).toUpperCase()}${noun.slice(1)}`
  const say = (value: number): string => `${formatDigits(value)} ${i18n.t(noun)}`
  return {
    factor: (clock) => (scale * instructions) / (clock * 1e6),
    shown: {
      name: title,
      short: title,
      noun,
      unit: noun,
      words: { more: 'more for each instruction', less: 'less for each instruction' },
      // The metric's name says what is counted.
      format: (value) =>
        i18n.t('{count} per {per, select, thousand {thousand} million {million} other {billion}} instructions', {
          count: formatDigits(value),
          per,
        }),
      cell: formatDigits,
      say,
      axis: { title, unit: noun, divisor: 1 },
      column,
    },
  }
}
