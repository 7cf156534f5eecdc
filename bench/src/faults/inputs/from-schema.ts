/** Values that a JSON Schema of the API's description allows. */
import fc, { type Arbitrary } from 'fast-check'
import { z } from 'zod'

const REFERENCE = '#/components/schemas/'
/** Deeper values are rare, so that every value ends. */
const DEPTH = 5

/** The parts of JSON Schema that this program uses, of the many in the description. */
export const schema = z.looseObject({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  get anyOf() {
    return z.array(schema).optional()
  },
  get oneOf() {
    return z.array(schema).optional()
  },
  get items() {
    return schema.optional()
  },
  get properties() {
    return z.record(z.string(), schema).optional()
  },
  required: z.array(z.string()).optional(),
  pattern: z.string().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
})
export type Schema = z.infer<typeof schema>
export type Schemas = Readonly<Record<string, Schema>>

function text({ pattern, minLength = 0, maxLength = 40 }: Schema): Arbitrary<string> {
  // fast-check has no look-ahead: without it a few values are wrong, which is no loss here.
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern.replaceAll(/\(\?[=!][^()]*\)/g, ''), 'u'))
  return fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, 80)), unit: 'binary' })
}

function list(of: Schema, schemas: Schemas, depth: number): Arbitrary<unknown> {
  const { minItems = 0, maxItems = 4, items = {} } = of
  return fc.array(valueOf(items, schemas, depth), {
    minLength: minItems,
    maxLength: Math.max(minItems, Math.min(4, maxItems)),
  })
}

function record({ properties = {}, required = [] }: Schema, schemas: Schemas, depth: number): Arbitrary<unknown> {
  const values = Object.entries(properties).map(([key, of]) => [key, valueOf(of, schemas, depth)] as const)
  return fc.record(Object.fromEntries(values), { requiredKeys: required })
}

/** Values of a schema; any JSON where it says nothing. */
export function valueOf(of: Schema, schemas: Schemas, depth = 0): Arbitrary<unknown> {
  if (depth > DEPTH) return fc.constant(null)
  if (of.$ref !== undefined) return valueOf(schemas[of.$ref.replace(REFERENCE, '')] ?? {}, schemas, depth + 1)
  if (Array.isArray(of.type)) return fc.oneof(...of.type.map((type) => valueOf({ ...of, type }, schemas, depth)))
  const choices = of.anyOf ?? of.oneOf
  if (choices !== undefined) return fc.oneof(...choices.map((one) => valueOf(one, schemas, depth + 1)))
  if (of.enum !== undefined) return fc.constantFrom(...of.enum)
  if (of.const !== undefined) return fc.constant(of.const)
  const { minimum = -1000, maximum = 1_000_000 } = of
  switch (of.type) {
    case 'string':
      return text(of)
    case 'integer':
      return fc.integer({ min: Math.ceil(minimum), max: Math.floor(Math.min(maximum, 2 ** 31 - 1)) })
    case 'number':
      return fc.double({ min: minimum, max: maximum, noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return list(of, schemas, depth + 1)
    case 'object':
      return record(of, schemas, depth + 1)
    case undefined:
    default:
      return fc.jsonValue()
  }
}
