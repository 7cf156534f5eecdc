/** Small and large changes to valid values. All choices come from one generator. */
import type { Random } from '@expresslane/shared/compare/stats/random'

export function pick<T>(random: Random, from: readonly T[]): T {
  const picked = from[Math.floor(random() * from.length)]
  if (picked === undefined) throw new Error('nothing to pick from')
  return picked
}

/** A whole number from 0 up to, but not including, `below`. */
export function whole(random: Random, below: number): number {
  return Math.floor(random() * below)
}

/** Values that parsers and stores have trouble with. */
const odd: readonly unknown[] = [
  null,
  true,
  '',
  ' ',
  '\u0000',
  '\uD800',
  '../../etc/passwd',
  "'; DROP TABLE runs; --",
  '<script>alert(1)</script>',
  '{{7*7}}',
  '__proto__',
  'constructor',
  '%00%0a',
  'ａ\u202Eb\u0301',
  'x'.repeat(10_000),
  0,
  -0,
  -1,
  0.1,
  1e308,
  -1e308,
  5e-324,
  2 ** 53,
  2 ** 31,
  [],
  {},
  [[[[[[[[]]]]]]]],
  { __proto__: null, constructor: { prototype: 1 } },
  Array.from({ length: 1000 }, () => 0),
]

type Change = (random: Random, value: unknown) => unknown

/** A change somewhere in a JSON value: deep down as often as at the top. */
function changeWithin(random: Random, value: unknown, change: Change): unknown {
  if (typeof value !== 'object' || value === null || random() < 0.2) return change(random, value)
  if (Array.isArray(value)) {
    if (value.length === 0) return change(random, value)
    const at = whole(random, value.length)
    return value.with(at, changeWithin(random, value[at], change))
  }
  const entries: readonly (readonly [string, unknown])[] = Object.entries(value)
  if (entries.length === 0) return change(random, value)
  const at = whole(random, entries.length)
  return Object.fromEntries(
    entries.map(([key, one], index) => [key, index === at ? changeWithin(random, one, change) : one]),
  )
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}

const changes: readonly Change[] = [
  (random) => pick(random, odd),
  (random, value) => (typeof value === 'number' ? value * pick(random, [-1, 0.5, 1000, 1e9]) : pick(random, odd)),
  (random, value) => (typeof value === 'string' ? mutateText(random, value) : [value]),
  (_, value) => (isList(value) ? [...value, ...value, ...value] : { value }),
  (random, value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return pick(random, odd)
    const entries: readonly (readonly [string, unknown])[] = Object.entries(value)
    return Object.fromEntries(entries.filter(() => random() < 0.7))
  },
  (random, value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return pick(random, odd)
    return { ...value, [pick(random, ['x', '__proto__', 'id', 'toString', ''])]: pick(random, odd) }
  },
]

/** The value with one to three changes. */
export function mutateJson(random: Random, value: unknown): unknown {
  let changed = value
  for (let left = 1 + whole(random, 3); left > 0; left -= 1)
    changed = changeWithin(random, changed, pick(random, changes))
  return changed
}

const pieces = [
  '\u0000',
  '"',
  '\\',
  '{',
  '[',
  '}',
  ']',
  ',',
  ':',
  '\n',
  '\r\n',
  '\t',
  '%',
  '%2F',
  '%ff',
  '..',
  '/',
  '?',
  '#',
  '&',
  '=',
  '-',
  '9'.repeat(400),
  '💥',
  '\uFEFF',
  'é',
  '<!--',
  '```',
  '---\n',
  '* '.repeat(50),
  '> '.repeat(50),
  '&a *a ',
  '[](',
]

/** The text with one to four changes. */
export function mutateText(random: Random, given: string): string {
  let text = given
  for (let left = 1 + whole(random, 4); left > 0; left -= 1) {
    const from = whole(random, text.length + 1)
    const to = Math.min(text.length, from + whole(random, 1 + 2 ** whole(random, 12)))
    const cut = text.slice(from, to)
    const instead = pick(random, [
      () => '',
      () => cut + cut,
      () => cut.repeat(Math.min(200, Math.ceil(4_000 / (cut.length + 1)))),
      () => Array.from(cut).toReversed().join(''),
      () => pick(random, pieces) + cut,
      () => pick(random, pieces).repeat(1 + whole(random, 50)),
      () => String.fromCharCode(whole(random, 0x1_0000)),
    ])()
    text = text.slice(0, from) + instead + text.slice(to)
  }
  return text
}

/** The bytes with one to four changes. */
export function mutateBytes(random: Random, given: Uint8Array): Buffer {
  let bytes = Buffer.from(given)
  for (let left = 1 + whole(random, 4); left > 0; left -= 1) {
    const at = whole(random, bytes.length + 1)
    const part = bytes.subarray(at, at + whole(random, 64))
    const noise = Buffer.from(Array.from({ length: 1 + whole(random, 16) }, () => whole(random, 256)))
    const middle = pick(random, [[], [noise], [part, part], [noise, part]])
    bytes = Buffer.concat([bytes.subarray(0, at), ...middle, bytes.subarray(at + whole(random, 64))])
  }
  return bytes
}
