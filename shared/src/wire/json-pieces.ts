/** Writes large values as JSON piece by piece. Pure. */

/** The least characters of a piece; the last piece is shorter. A single item of a list is never split. */
export const PIECE = 16 * 1024
/** Lists and objects so far down are written item by item: in a session’s view, the samples of a repeat. */
const DEPTH = 5
/** Longer lists are written item by item wherever they are. */
const LONG = 200

type Item = readonly [key: string | null, value: unknown]

/** A list: an array, or an iterable that is read while it is written. */
function isList(value: object): value is Iterable<unknown> {
  return Symbol.iterator in value
}

function* itemsOfList(list: Iterable<unknown>): Generator<Item> {
  for (const item of list) yield [null, item]
}

function isLong(value: unknown): boolean {
  return typeof value === 'object' && value !== null && isList(value) && !(Array.isArray(value) && value.length <= LONG)
}

/** The items of a value that is written item by item; null for a value that is written at once. */
function itemsOf(value: unknown, depth: number): Iterable<Item> | null {
  if (typeof value !== 'object' || value === null) return null
  const long = isLong(value) || (!Array.isArray(value) && Object.values(value).some(isLong))
  if (depth >= DEPTH && !long) return null
  if (isList(value)) return itemsOfList(value)
  return Object.entries(value).filter(([, item]) => item !== undefined)
}

function* parts(value: unknown, indent: number, depth: number): Generator<string> {
  const items = itemsOf(value, depth)
  const line = (of: number): string => (indent === 0 ? '' : `\n${' '.repeat(indent * of)}`)
  if (items === null || typeof value !== 'object' || value === null) {
    const text = JSON.stringify(value ?? null, null, indent)
    // A line break within a string is escaped.
    yield indent === 0 ? text : text.replaceAll('\n', line(depth))
    return
  }
  const [open, close] = isList(value) ? ['[', ']'] : ['{', '}']
  const space = indent === 0 ? '' : ' '
  let before = open
  for (const [key, item] of items) {
    yield before + line(depth + 1) + (key === null ? '' : `${JSON.stringify(key)}:${space}`)
    yield* parts(item, indent, depth + 1)
    before = ','
  }
  yield before === open ? open + close : line(depth) + close
}

/** Joins texts to pieces of at least {@link PIECE} characters. */
export function* inPieces(texts: Iterable<string>): Generator<string> {
  let pending: string[] = []
  let length = 0
  for (const text of texts) {
    pending.push(text)
    length += text.length
    if (length < PIECE) continue
    yield pending.join('')
    pending = []
    length = 0
  }
  if (length > 0) yield pending.join('')
}

/** The same text as `JSON.stringify(value, null, indent)`, in pieces. @param value without `toJSON` */
export function jsonPieces(value: unknown, indent = 0): Generator<string> {
  return inPieces(parts(value, indent, 0))
}
