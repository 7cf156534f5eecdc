/** The workshop: roles, who somebody is, and how people join. */
import { z } from 'zod'
import { ownerId } from '../testbed/id.ts'
import type { Route } from './route.ts'

/** `instructor`: may do everything. `participant`: has own sessions and testbeds. `viewer`: reads the presented session. */
export const role = z.enum(['instructor', 'participant', 'viewer'])
export type Role = z.infer<typeof role>

/** Characters without a shape. Some of them count as letters or marks. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u
/** Names that only the instructor has. */
const RESERVED = new Set(['instructor'])

function isReserved(name: string): boolean {
  const letters = name.normalize('NFKC').replaceAll(/[^\p{L}\p{N}]/gu, '')
  return RESERVED.has(letters.toLowerCase())
}

/**
 * A name that somebody typed: letters, digits and common punctuation, without control or invisible characters. It is
 * not the instructor's. Refinements and no pattern: tools that read the API's description can't use property escapes.
 */
export const personName = z
  .string()
  .trim()
  .min(1)
  .max(40)
  .refine(
    (name) => /^[\p{L}\p{M}\p{N} .,'’()_-]*$/u.test(name) && !INVISIBLE.test(name),
    'use letters, digits, spaces and . , - _ ( ) only',
  )
  .refine((name) => /[\p{L}\p{N}]/u.test(name), 'use a letter or a digit')
  .refine((name) => !/^\p{M}|\p{M}{3}/u.test(name.normalize('NFC')), 'use at most two marks on a letter')
  .refine((name) => !isReserved(name), 'only the instructor has it')

export const me = z.strictObject({
  id: ownerId,
  role,
  name: z.string(),
  /** Whether this server serves a room (`--workshop`). */
  workshop: z.boolean(),
  /** The seconds of measuring that your run can plan, but for a lab's own plan; null for any number. */
  mostSeconds: z.number().int().positive().nullable(),
  /** True if this server signs records of completed labs. */
  records: z.boolean().default(false),
})
export type Me = z.infer<typeof me>

/** Whom an invitation lets in. */
export const guestRole = role.exclude(['instructor'])
export type GuestRole = z.infer<typeof guestRole>

/** Without `code`, the code of a followed `/j/CODE` link counts. A viewer needs no name. */
export const joinBody = z.strictObject({ code: z.string().max(64).optional(), name: personName.optional() })
export type JoinBody = z.infer<typeof joinBody>

export const readMe = { at: 'GET /api/me', response: me } satisfies Route
/** Sets the cookie. */
export const joinRoom = { at: 'POST /api/join', body: joinBody, status: 201, response: me } satisfies Route
/** A signed record of the caller's completed labs. */
export const downloadRecord = { at: 'GET /api/me/record', file: ['application/vc+jwt'] } satisfies Route
export const endLogin = { at: 'POST /api/me/logout' } satisfies Route
