/** Parses sizes as typed. Pure. */
import { formatCount } from '@expresslane/shared/base/units'

const factors: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  k: 1_000,
  kb: 1_000,
  kib: 1_024,
  m: 1_000_000,
  mb: 1_000_000,
  mib: 1_048_576,
}

/** `80000`, `80k`, `80 kB`, `64KiB` -> bytes; null for anything else. */
export function parseSize(text: string): number | null {
  const match = /^(\d{1,9}(?:\.\d+)?)\s*([a-z]*)$/i.exec(text.trim().replaceAll('_', ''))
  const factor = factors[match?.[2]?.toLowerCase() ?? '?']
  if (match?.[1] === undefined || factor === undefined) return null
  const size = Number(match[1]) * factor
  return Number.isInteger(size) ? size : null
}

export interface ParsedSizes {
  /** Without duplicates, in the order typed. */
  readonly sizes: readonly number[]
  readonly unreadable: readonly string[]
}

/** `1, 16k; 80 kB` -> all sizes in it. */
export function parseSizes(text: string): ParsedSizes {
  const words = text.split(/[,;]/).flatMap((word) => (word.trim() === '' ? [] : [word.trim()]))
  const read = words.map((word) => [word, parseSize(word)] as const)
  return {
    sizes: [...new Set(read.flatMap(([, size]) => size ?? []))],
    unreadable: read.flatMap(([word, size]) => (size === null ? [word] : [])),
  }
}

/** `1 B`, `80 kB`, `65,536 B`. */
export function sizeName(size: number): string {
  return size >= 1_000 && size % 1_000 === 0 ? `${formatCount(size / 1_000)} kB` : `${formatCount(size)} B`
}
