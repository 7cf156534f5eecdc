/** Branded units: a number keeps its unit from the parser to the chart. */
import { i18n } from './language.ts'
import { z } from 'zod'

/** A size in bytes, whole and not negative. */
export const bytes = z.number().int().nonnegative().brand<'Bytes'>()
export type Bytes = z.infer<typeof bytes>

/** A duration in microseconds. */
export const microseconds = z.number().nonnegative().brand<'Microseconds'>()
export type Microseconds = z.infer<typeof microseconds>

/** Request/response transactions per second, as netperf's TCP_RR reports THROUGHPUT. */
export const transactionsPerSecond = z.number().nonnegative().brand<'TransactionsPerSecond'>()
export type TransactionsPerSecond = z.infer<typeof transactionsPerSecond>

/** Payload bits per second in one direction. */
export const bitsPerSecond = z.number().nonnegative().brand<'BitsPerSecond'>()
export type BitsPerSecond = z.infer<typeof bitsPerSecond>

/** Milliseconds since the Unix epoch, as late as a Date can be. */
export const epochMs = z.number().int().nonnegative().max(8_640_000_000_000_000).brand<'EpochMs'>()
export type EpochMs = z.infer<typeof epochMs>

export const family = z.enum(['ipv4', 'ipv6'])
export type Family = z.infer<typeof family>

export const familyName: Record<Family, string> = { ipv4: 'IPv4', ipv6: 'IPv6' }

/**
 * Payload carried one way by a request/response test, in bits per second:
 * `tps x bytes x 8`. 12,191 TPS of 80,000 bytes is 7.8 Gbit/s each way.
 */
export function payloadRate(tps: TransactionsPerSecond, size: Bytes): BitsPerSecond {
  return bitsPerSecond.parse(tps * size * 8)
}

/**
 * `196608` -> `192K`, `65536` -> `64K`, `524280` -> `512K`. Sizes that are not whole KiB are rounded to one decimal.
 */
export function formatSize(size: Bytes): string {
  if (size < 1024) return `${size}`
  const kib = Math.round((size / 1024) * 10) / 10
  return `${kib}K`
}

const formats = new Map<string, Intl.NumberFormat>()

function format(value: number, digits: number, useGrouping: boolean): string {
  const { locale } = i18n
  const key = [locale, digits, useGrouping].join(' ')
  const known =
    formats.get(key) ??
    new Intl.NumberFormat(locale === 'en' ? 'en-US' : locale, {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
      useGrouping,
    })
  formats.set(key, known)
  return known.format(value)
}

/** `80000` -> `80,000`. Rounds to whole numbers. */
export function formatCount(value: number): string {
  return format(value, 0, true)
}

/** `1234.56` -> `1234.6`, in German `1234,6`. Rounded as `toFixed` does it. */
export function formatFixed(value: number, digits: number): string {
  return format(Number(value.toFixed(digits)), digits, false)
}

/** `12190.6` -> `12,191 TPS`. */
export function formatTps(tps: number): string {
  return `${formatCount(tps)} TPS`
}

/** `7802240000` -> `7.8 Gbit/s`, `226728` -> `0.2 Mbit/s`. */
export function formatBitRate(rate: number): string {
  if (rate > 0 && rate < 1e9) return `${formatFixed(rate / 1e6, 1)} Mbit/s`
  return `${formatFixed(rate / 1e9, 1)} Gbit/s`
}

/** `88` -> `88 µs`, `10126` -> `10.1 ms`. */
export function formatLatency(latency: number): string {
  return latency < 10_000 ? `${formatCount(latency)} µs` : `${formatFixed(latency / 1000, 1)} ms`
}

/** `-23.12` -> `23.1 %`, `6410.3` -> `6,410 %`: the size of a change in percent, without its sign. */
export function formatPercent(percent: number): string {
  const size = Math.abs(percent)
  return `${size < 1000 ? formatFixed(size, 1) : formatCount(size)} %`
}

/** `23.12` -> `+23.1 %`, `-4` -> `−4.0 %`, `6410.3` -> `+6,410 %`: a change in percent, signed. */
export function formatChange(percent: number): string {
  const sign = percent > 0 ? '+' : percent < 0 ? '−' : '±'
  return `${sign}${formatPercent(percent)}`
}

/** `-0.92` -> `−0.92`: an effect size from -1 to 1, signed where it is below 0. */
export function formatEffectSize(size: number): string {
  const text = formatFixed(Math.abs(size), 2)
  return size <= -0.005 ? `−${text}` : text
}
