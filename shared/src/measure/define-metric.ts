/** A metric from its name, type and unit: which way is better, its words, formats, axis and column follow. Pure. */
import { inInstructions } from './counted-form.ts'
import type { Metric } from './metrics.ts'
import { i18n } from '../base/language.ts'
import { formatCount, formatFixed } from '../base/units.ts'

/** Types whose values depend on time: their metrics define their own form in instructions. */
type TimedType = 'rate' | 'time'
/**
 * `rate`: events a second. `time`: time that passes. `cpu`: processor time for each of something. `count`: a number of things.
 * `mean`: a number of things for each of something. `share`: percent. `size`: bytes.
 */
export type MetricType = TimedType | 'cpu' | 'count' | 'mean' | 'share' | 'size'

type Named = Pick<Metric, 'id' | 'name' | 'unit' | 'source'>
/** Members that the type and the unit do not say, or say otherwise, are given. */
type NewMetric = Named &
  Partial<Metric> &
  (
    | { readonly type: TimedType; readonly counted: Metric['counted'] }
    | { readonly type: Exclude<MetricType, TimedType> }
  )

const typed: Readonly<Record<MetricType, Pick<Metric, 'better'> & Partial<Pick<Metric, 'words'>>>> = {
  rate: { better: 'more', words: { more: 'faster', less: 'slower' } },
  time: { better: 'less', words: { more: 'longer', less: 'shorter' } },
  cpu: { better: 'less', words: { more: 'more CPU', less: 'less CPU' } },
  count: { better: 'neither' },
  mean: { better: 'neither' },
  share: { better: 'neither', words: { more: 'more', less: 'less' } },
  size: { better: 'neither', words: { more: 'larger', less: 'smaller' } },
}

/** Units of processor time. */
const inMicroseconds: Readonly<Record<string, number>> = { ns: 1e-3, µs: 1, ms: 1e3, s: 1e6 }

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** `Lost packets` -> `lost packets`, and `CPU time per packet` as it is. */
function withinSentence(name: string): string {
  return /^[A-Z][a-z]/.test(name) ? name.charAt(0).toLowerCase() + name.slice(1) : name
}

/** `CPU time per packet` -> `per packet` */
function reference(noun: string): string {
  return /\bper .*/.exec(noun)?.[0] ?? ''
}

function formatOf(type: MetricType, unit: string): Metric['format'] {
  switch (type) {
    case 'count':
      return formatCount
    case 'mean':
      return (value) => formatFixed(value, 2)
    case 'share':
      return (value) => `${formatFixed(value, 1)} %`
    case 'rate':
    case 'time':
    case 'cpu':
    case 'size':
      return (value) => `${formatCount(value)} ${i18n.t(unit)}`
  }
}

function sayOf(type: MetricType, { short, noun, format }: Pick<Metric, 'short' | 'noun' | 'format'>): Metric['say'] {
  if (type === 'rate') return format
  if (type === 'time') return (value) => `${i18n.t(short)} ${format(value)}`
  if (type !== 'cpu') return (value) => `${format(value)} ${i18n.t(noun)}`
  return (value) => i18n.t('{value} of {cpu}', { value: format(value), cpu: i18n.t(noun).replace('CPU time', 'CPU') })
}

/** `cpu_ns_per_packet`, `lost_packets`. */
function columnOf(type: MetricType, unit: string, noun: string): string {
  const words = type === 'cpu' ? noun.replace('CPU time', `cpu ${unit.replace('µ', 'u')}`) : noun
  return words
    .replace(/^the /, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
}

/** Processor time where instructions are counted: the same names, with instructions in its place. */
function cpuInInstructions({ name, short, noun, unit, column }: Omit<Metric, 'counted'>): Metric['counted'] {
  const inPlace = (text: string): string => text.replace(/CPU( time)?/, 'instructions')
  const per = reference(noun)
  const thousands = unit !== 'ns'
  return inInstructions(inMicroseconds[unit] ?? 1, per, {
    name: capital(inPlace(name)),
    short: capital(inPlace(short)),
    noun: inPlace(noun),
    title: `${thousands ? 'Thousand instructions' : 'Instructions'} ${per}`,
    thousands,
    column: column?.replace(`_${unit.replace('µ', 'u')}_`, '_instructions_') ?? null,
  })
}

/** The metric; whatever `of` has besides is taken as it is. */
export function defineMetric({ type, ...of }: NewMetric): Metric {
  const { name, unit, short = name, noun = withinSentence(name), format = formatOf(type, unit) } = of
  const things = noun.replace(/ per .*/, '')
  const title =
    type === 'cpu' ? name.replace('time', unit) : type === 'count' || type === 'mean' ? name : `${name} in ${unit}`
  const whole = {
    short,
    noun,
    words: { more: `more ${things}`, less: `fewer ${things}` },
    ...typed[type],
    format,
    say: sayOf(type, { short, noun, format }),
    axis: { title, unit, divisor: 1 },
    step: () => null,
    column: columnOf(type, unit, noun),
    ...of,
  }
  return { counted: type === 'cpu' ? cpuInInstructions(whole) : 'same', ...whole }
}
