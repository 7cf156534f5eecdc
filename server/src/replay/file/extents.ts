/**
 * Finds where values are in a JSON text, byte by byte, without building them. What is found is valid only after every
 * value was read or searched in turn: this module matches brackets and quotes, and `JSON.parse` does the rest. Pure.
 */

/** A value's bytes: from `start` up to, but not including, `end`. */
export interface Extent {
  readonly start: number
  readonly end: number
}

/** A value's extent and size. */
export interface Measured extends Extent {
  /** Objects and arrays in it, with itself. */
  readonly containers: number
  /** Commas in it, which bounds the number of its values. */
  readonly commas: number
  readonly depth: number
}

export interface Member extends Measured {
  readonly key: string
}

export interface Item extends Measured {
  readonly isLast: boolean
}

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const BACKSLASH = 0x5c
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

function broken(what: string): SyntaxError {
  return new SyntaxError(what)
}

/** The position of the first byte from `at` on that is not white space. */
export function skipBlank(bytes: Uint8Array, at: number): number {
  let here = at
  while (isBlank(bytes[here])) here += 1
  return here
}

export function isObjectAt(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === OPEN_OBJECT
}

export function isArrayAt(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === OPEN_ARRAY
}

/** The position after the string that begins at `start`. */
function stringEnd(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === BACKSLASH) at += 1
    else if (byte === QUOTE) return at + 1
  }
  throw broken('a string without an end')
}

function literalEnd(bytes: Uint8Array, start: number): number {
  let at = start
  for (; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === COMMA || byte === COLON || byte === CLOSE_ARRAY || byte === CLOSE_OBJECT || isBlank(byte)) break
  }
  if (at === start) throw broken('a value is missing')
  return at
}

/** Measures the value that begins at `start`. @throws SyntaxError where it has no end */
export function measureValue(bytes: Uint8Array, start: number): Measured {
  const first = bytes[start]
  const plain = { start, containers: 0, commas: 0, depth: 0 }
  if (first === QUOTE) return { ...plain, end: stringEnd(bytes, start) }
  if (first !== OPEN_ARRAY && first !== OPEN_OBJECT) return { ...plain, end: literalEnd(bytes, start) }
  let [open, depth, containers, commas] = [0, 0, 0, 0]
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      at = stringEnd(bytes, at) - 1
    } else if (byte === COMMA) {
      commas += 1
    } else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      containers += 1
      open += 1
      if (open > depth) depth = open
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
      open -= 1
      if (open === 0) return { start, end: at + 1, containers, commas, depth }
    }
  }
  throw broken('an object or array without an end')
}

/** The value's text. */
export function textOf(bytes: Uint8Array, { start, end }: Extent): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString()
}

/** Parses the value. @throws SyntaxError */
export function parseValue(bytes: Uint8Array, extent: Extent): unknown {
  return JSON.parse(textOf(bytes, extent))
}

/** What follows a comma, or null at the closing bracket. */
function next(bytes: Uint8Array, end: number, close: number): number | null {
  const at = skipBlank(bytes, end)
  if (bytes[at] === close) return null
  if (bytes[at] !== COMMA) throw broken('a comma is missing')
  return skipBlank(bytes, at + 1)
}

/** The items of the array that begins at `start`, one by one. @throws SyntaxError */
export function* itemsOf(bytes: Uint8Array, start: number): Generator<Item, void> {
  let at: number | null = skipBlank(bytes, start + 1)
  if (bytes[at] === CLOSE_ARRAY) return
  while (at !== null) {
    const item = measureValue(bytes, at)
    at = next(bytes, item.end, CLOSE_ARRAY)
    yield { ...item, isLast: at === null }
  }
}

/** The members of the object that begins at `start`, one by one. @throws SyntaxError */
export function* membersOf(bytes: Uint8Array, start: number): Generator<Member, void> {
  let at: number | null = skipBlank(bytes, start + 1)
  if (bytes[at] === CLOSE_OBJECT) return
  while (at !== null) {
    if (bytes[at] !== QUOTE) throw broken('a property name is missing')
    const keyEnd = stringEnd(bytes, at)
    const key = String(parseValue(bytes, { start: at, end: keyEnd }))
    const colon = skipBlank(bytes, keyEnd)
    if (bytes[colon] !== COLON) throw broken('a colon is missing')
    const value = measureValue(bytes, skipBlank(bytes, colon + 1))
    at = next(bytes, value.end, CLOSE_OBJECT)
    yield { ...value, key }
  }
}

/** The line of a position, from 1. */
export function lineAt(bytes: Uint8Array, position: number): number {
  let line = 1
  for (let at = bytes.indexOf(0x0a); at !== -1 && at < position; at = bytes.indexOf(0x0a, at + 1)) line += 1
  return line
}
