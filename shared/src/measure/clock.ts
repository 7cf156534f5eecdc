/**
 * A clock counts time or instructions. On a clock that counts instructions, a metric that depends on time has an id of
 * its own, so its values are never mixed up, drawn or compared with values in time. Pure.
 */
import { i18n } from '../base/language.ts'
import { kinds } from '../testbed/kinds.ts'
import type { TestbedFacts, TestbedKind } from '../testbed/testbed.ts'
import { formatCount, formatFixed } from '../base/units.ts'

export { COUNTED_CLOCK } from '../testbed/kinds.ts'

/** Instructions a microsecond of the machine's clock; null where it shows time. */
export type Clock = number | null

/** A testbed's clock. The counted machine has no facts before it runs, but its clock is known. */
export function clockOf(testbed: { readonly kind: TestbedKind; readonly facts: TestbedFacts | null } | null): Clock {
  if (testbed === null) return null
  return testbed.facts?.instructionsPerMicrosecond ?? kinds[testbed.kind].clock
}

const PREFIX = 'counted'
const COUNTED = new RegExp(`^${PREFIX}[A-Z]`)

/** The id of a metric's counted form: `p99` -> `countedP99`. */
export function countedId(id: string): string {
  return `${PREFIX}${id.charAt(0).toUpperCase()}${id.slice(1)}`
}

/** Are its values instructions, or events for so many of them? */
export function isCounted(id: string): boolean {
  return COUNTED.test(id)
}

/** Were these values measured with a clock that counts instructions? */
export function areCounted(values: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(values).some(isCounted)
}

/** Three or four digits: `3.43`, `34.3`, `343`, `1,349`. */
export function formatDigits(value: number): string {
  if (value === 0 || value >= 99.95) return formatCount(value)
  return formatFixed(value, value < 9.995 ? 2 : 1)
}

/** `343`, `1,349`, `34.3 k`, `1,349 k`, `13.5 million`. */
export function formatInstructionCount(count: number): string {
  if (count < 9_999.5) return formatCount(count)
  if (count < 9_999_500) return `${formatDigits(count / 1e3)} k`
  return count < 9_999_500_000
    ? i18n.t('{digits} million', { digits: formatDigits(count / 1e6) })
    : i18n.t('{digits} billion', { digits: formatDigits(count / 1e9) })
}

/** `343 instructions`, `1,349 k instructions`, `125 million instructions`. */
export function formatInstructions(count: number): string {
  return i18n.t('{count} instructions', { count: formatInstructionCount(count) })
}

/** Time that passes on the machine's clock: `1 s`, or `125 million instructions`. @param digits after the point, of seconds */
export function formatClockTime(seconds: number, clock: Clock, digits: number | null = null): string {
  if (clock !== null) return formatInstructions(seconds * 1e6 * clock)
  return `${digits === null ? seconds : formatFixed(seconds, digits)} s`
}

/** A moment on the machine's clock: `120 µs`, or `15.0 k instructions`. @param microseconds since the first event */
export function formatMoment(microseconds: number, clock: Clock): string {
  if (clock !== null) return formatInstructions(microseconds * clock)
  return `${formatCount(microseconds)} µs`
}

/** The ticks of an axis in clock time, and its title; null for seconds, whose ticks have their unit. */
export function clockAxis(clock: Clock): { readonly tick: (seconds: number) => string; readonly title: string | null } {
  if (clock === null) return { tick: (seconds) => `${seconds} s`, title: null }
  return { tick: (seconds) => formatCount(seconds * clock), title: i18n.t('Million instructions') }
}
