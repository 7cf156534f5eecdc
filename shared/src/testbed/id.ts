/** Which testbed: its kind, where it is and whose it is, in one short text that is safe in a URL. */
import { z } from 'zod'
import { testbedKind, type TestbedKind } from './testbed.ts'

/** A principal's id, as it stands in a testbed's. */
export const ownerId = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,39}$/)

/** The parts of a testbed's id. */
export interface TestbedName {
  readonly kind: TestbedKind
  /** A cluster by its context, or a recording by its id: 1 to 253 characters. Null where the kind alone says where. */
  readonly context: string | null
  /** Whose it is; null for the one that everybody shares. */
  readonly owner: string | null
}

/** `netns`, `netns@alice`, `kubernetes:kind-kind`, `recording:big-tcp-ipv4`. */
const SHAPE = new RegExp(
  `^(${testbedKind.options.join('|')})(?::((?:[A-Za-z0-9._-]|~[0-9a-f]{2})+))?(?:@([a-z0-9][a-z0-9_-]{0,39}))?$`,
)
const CONTEXT_LENGTH = 253
/** A context of that length, each character as the three bytes that it takes at most. */
export const TESTBED_ID_LENGTH = 2400

/** Each byte that a URL or this format gives a meaning to becomes `~` and two hexadecimal digits. */
function escapeContext(context: string): string {
  return encodeURIComponent(context)
    .replaceAll(/[!~*'()]/g, (character) => `%${character.charCodeAt(0).toString(16)}`)
    .replaceAll(/%[0-9A-Fa-f]{2}/g, (byte) => `~${byte.slice(1).toLowerCase()}`)
}

/** Null where the escapes are not UTF-8. */
function unescapeContext(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('~', '%'))
  } catch (error) {
    if (error instanceof URIError) return null
    throw error
  }
}

function format({ kind, context, owner }: TestbedName): string {
  return `${kind}${context === null ? '' : `:${escapeContext(context)}`}${owner === null ? '' : `@${owner}`}`
}

function read(text: string): TestbedName | null {
  const [, kind, escaped, owner] = SHAPE.exec(text) ?? []
  const known = testbedKind.safeParse(kind)
  if (!known.success) return null
  const context = escaped === undefined ? null : unescapeContext(escaped)
  if (escaped !== undefined && (context === null || context.length > CONTEXT_LENGTH)) return null
  const name = { kind: known.data, context, owner: owner ?? null }
  // One testbed has one id: no escape that need not be there.
  return format(name) === text ? name : null
}

export const testbedId = z
  .string()
  .max(TESTBED_ID_LENGTH)
  .regex(SHAPE)
  .refine((text) => read(text) !== null, 'expected a testbed such as netns, netns@alice or kubernetes:kind-kind')
  .brand<'TestbedId'>()
export type TestbedId = z.infer<typeof testbedId>

/** @throws ZodError where a part is out of its bounds */
export function formatTestbedId(name: TestbedName): TestbedId {
  return testbedId.parse(format(name))
}

export function parseTestbedId(id: TestbedId): TestbedName {
  const name = read(id)
  if (name === null) throw new Error(`not a testbed id: ${id}`)
  return name
}

export function kindOf(id: TestbedId): TestbedKind {
  return parseTestbedId(id).kind
}

/** The testbed of this machine that everybody shares. */
export const thisMachine: TestbedId = formatTestbedId({ kind: 'netns', context: null, owner: null })
