/**
 * Secrets that this server makes: cookies, invitation codes, and short codes to type. A long secret begins with the id
 * of its row. So the row is found without the secret part, and that part is compared in constant time.
 */
import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'

const ID_LENGTH = 10
/** 192 bits. */
const SECRET_BYTES = 24
/** Without letters and digits that look alike, such as 0 and O. */
const TYPED_ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ'
const TYPED_LENGTH = 6
/** 128 bits: short enough for a QR code that the back row reads. */
const DOOR_BYTES = 16

export interface Secret {
  readonly id: string
  /** The secret as a whole: the id, then 192 random bits. */
  readonly text: string
  /** The stored part: a digest of the text. */
  readonly hash: string
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function randomText(length: number, alphabet: string): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
}

/** An id that is safe in a URL and in a testbed's id. */
export function newId(): string {
  return randomText(ID_LENGTH, 'abcdefghijklmnopqrstuvwxyz0123456789')
}

export function newSecret(): Secret {
  const id = newId()
  const text = `${id}${randomBytes(SECRET_BYTES).toString('base64url')}`
  return { id, text, hash: hashOf(text) }
}

/** The id that a cookie's value begins with, of a guest's or of the owner's login; null for a text of another form. */
export function loginOf(text: string): string | null {
  return /^[a-z0-9]{10}[\w-]{32,43}$/.test(text) ? text.slice(0, ID_LENGTH) : null
}

/** The id of the row that a secret names; null for a text of another form. */
export function idOfSecret(text: string): string | null {
  return /^[a-z0-9]{10}[\w-]{32}$/.test(text) ? text.slice(0, ID_LENGTH) : null
}

/** Compares in constant time. */
export function hasHash(text: string, hash: string): boolean {
  const given = Buffer.from(hashOf(text), 'hex')
  const stored = Buffer.from(hash, 'hex')
  return given.length === stored.length && timingSafeEqual(given, stored)
}

/** The code of a door's link, which nobody types. */
export function newDoorCode(): string {
  return randomBytes(DOOR_BYTES).toString('base64url')
}

/** 29 bits: for a door that is rate-limited and open for a while only. */
export function newTypedCode(): string {
  return randomText(TYPED_LENGTH, TYPED_ALPHABET)
}

/** The code that a person typed, without spaces and dashes; null for a text that can't be a code. */
export function readTypedCode(text: string): string | null {
  const code = text.replaceAll(/[\s-]/g, '').toUpperCase()
  return code.length === TYPED_LENGTH ? code : null
}
