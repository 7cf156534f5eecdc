/** A testbed's id: its kind, its place and its owner in one short text that is safe in a URL. */
import { z } from 'zod'
import { kinds, type KindProperties } from './kinds.ts'
import { testbedKind, type TestbedKind } from './testbed.ts'

/** The id of a principal, as it is used in a testbed's id. */
export const ownerId = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,39}$/)

/** Whether a kind has a testbed for each topology, and for each participant. */
export function hasTopologies(kind: TestbedKind): boolean {
  return kinds[kind].isMachine
}

/** The parts of a testbed's id. */
export interface TestbedName {
  readonly kind: TestbedKind
  /** A cluster's context, a recording's id or a topology, 1 to 253 characters. Null if the kind is enough. */
  readonly context: string | null
  /** The owner's id; null for a shared testbed. */
  readonly owner: string | null
}

/** `netns`, `netns@alice`, `netns:forwarder@alice`, `kubernetes:kind-kind`, `recording:big-tcp-ipv4`. */
const SHAPE = new RegExp(
  `^(${testbedKind.options.join('|')})(?::((?:[A-Za-z0-9._-]|~[0-9a-f]{2})+))?(?:@([a-z0-9][a-z0-9_-]{0,39}))?$`,
)
const CONTEXT_LENGTH = 253
/** A context of the maximum length, with three bytes for each character. */
export const TESTBED_ID_LENGTH = 2400

/** Each byte with a meaning in a URL or in this format becomes `~` and two hexadecimal digits. */
function escapeContext(context: string): string {
  return encodeURIComponent(context)
    .replaceAll(/[!~*'()]/g, (character) => `%${character.charCodeAt(0).toString(16)}`)
    .replaceAll(/%[0-9A-Fa-f]{2}/g, (byte) => `~${byte.slice(1).toLowerCase()}`)
}

/** Null if the escapes are not UTF-8. */
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
  // Each testbed has exactly one id, so unneeded escapes are not valid.
  return format(name) === text ? name : null
}

export const testbedId = z
  .string()
  .max(TESTBED_ID_LENGTH)
  .regex(SHAPE)
  .refine((text) => read(text) !== null, 'expected a testbed such as netns, netns@alice or kubernetes:kind-kind')
  .brand<'TestbedId'>()
export type TestbedId = z.infer<typeof testbedId>

/** @throws ZodError if a part is out of bounds */
export function formatTestbedId(name: TestbedName): TestbedId {
  return testbedId.parse(format(name))
}

/** A room has a thousand, and each event asks for many of them. */
const NAMES_KEPT = 10_000
const names = new Map<TestbedId, TestbedName>()

export function parseTestbedId(id: TestbedId): TestbedName {
  const known = names.get(id)
  if (known !== undefined) return known
  const name = read(id)
  if (name === null) throw new Error(`not a testbed id: ${id}`)
  if (names.size >= NAMES_KEPT) names.clear()
  names.set(id, name)
  return name
}

export function kindOf(id: TestbedId): TestbedKind {
  return parseTestbedId(id).kind
}

export function propertiesOf(id: TestbedId): KindProperties {
  return kinds[kindOf(id)]
}

/** The testbed that measures a testbed's experiments a second time, of the same owner and topology; null for none. */
export function opinionOn(id: TestbedId): TestbedId | null {
  const { opinion } = propertiesOf(id)
  return opinion === null ? null : formatTestbedId({ ...parseTestbedId(id), kind: opinion })
}

/** The shared testbed of this machine. */
export const thisMachine: TestbedId = formatTestbedId({ kind: 'netns', context: null, owner: null })
/** The emulated computer of a browser's tab. */
export const thisTab: TestbedId = /* @__PURE__ */ formatTestbedId({ kind: 'emulated', context: null, owner: null })
