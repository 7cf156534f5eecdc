/** Checks data against a Zod schema, and reports errors for lab authors with their position. */
import { z } from 'zod'
import type { Located } from './located-yaml.ts'
import { expectedOneOf } from './nearest.ts'
import { flaw, type Flawed } from './place.ts'

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping of keys to values',
  record: 'a mapping of keys to values',
  null: 'null',
}

const units: Readonly<Record<string, readonly [string, string]>> = {
  string: [' character', ' characters'],
  array: [' entry', ' entries'],
}

function amount(count: number | bigint, of: string): string {
  const [one, many] = units[of] ?? ['', '']
  return `${count}${Number(count) === 1 ? one : many}`
}

/** The value that was found, short enough for one line. */
function found(input: unknown): string {
  if (input === null) return 'nothing'
  if (Array.isArray(input)) return 'a list'
  if (typeof input === 'object') return 'a mapping'
  const text = typeof input === 'string' ? input : JSON.stringify(input)
  return `"${text.length > 40 ? `${text.slice(0, 40)}…` : text}"`
}

function listed(values: readonly unknown[]): string[] {
  return values.map(String)
}

/** The value that was expected. */
function expectation(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${kinds[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      return expectedOneOf(String(issue.input), listed(issue.values))
    case 'too_small':
      return `expected at least ${amount(issue.minimum, issue.origin)}`
    case 'too_big':
      return `expected at most ${amount(issue.maximum, issue.origin)}`
    case 'invalid_format':
      return `expected text like ${issue.pattern ?? issue.format}`
    case 'not_multiple_of':
      return `expected a multiple of ${issue.divisor}`
    case 'invalid_union':
      return 'options' in issue && Array.isArray(issue.options)
        ? expectedOneOf(String(discriminatorOf(issue)), listed(issue.options))
        : 'expected another form'
    case 'invalid_key':
      return issue.issues[0]?.message ?? 'expected another key'
    case 'unrecognized_keys':
    case 'invalid_element':
    case 'custom':
    default:
      return 'expected another value'
  }
}

function discriminatorOf({ input, discriminator }: z.core.$ZodRawIssue): unknown {
  if (typeof input !== 'object' || input === null || typeof discriminator !== 'string') return input
  return new Map<string, unknown>(Object.entries(input)).get(discriminator)
}

/** The message of an issue: the mistake, and the expected value. */
function words(issue: z.core.$ZodRawIssue): string {
  const name = String(issue.path?.at(-1) ?? '')
  const given = issue.code === 'invalid_union' ? discriminatorOf(issue) : issue.input
  if (given === undefined) return `"${name}" is missing: ${expectation(issue)}`
  return name === '' || typeof issue.path?.at(-1) === 'number'
    ? `${expectation(issue)}, found ${found(given)}`
    : `"${name}": ${expectation(issue)}, found ${found(given)}`
}

/**
 * Checks a value against a schema.
 *
 * @param more keys that are read elsewhere: a misspelt key can mean such a key
 * @returns the parsed value, or the flaws
 */
export function checked<T extends z.ZodType>(
  schema: T,
  value: unknown,
  yaml: Located,
  more: readonly string[] = [],
): { readonly data: z.output<T> } | Flawed {
  const known = new Map<string, string[]>()
  const result = schema.safeParse(value, {
    error(issue) {
      if (issue.inst instanceof z.ZodObject) known.set(JSON.stringify(issue.path ?? []), Object.keys(issue.inst.shape))
      return words(issue)
    },
  })
  if (result.success) return { data: result.data }
  return {
    flaws: result.error.issues.flatMap((issue) => {
      if (issue.code !== 'unrecognized_keys') return [flaw(yaml.placeOf(issue.path), issue.message)]
      const keys = known.get(JSON.stringify(issue.path)) ?? []
      return issue.keys.map((key) =>
        flaw(yaml.placeOfKey(issue.path, key), `"${key}" is not known here: ${expectedOneOf(key, [...keys, ...more])}`),
      )
    }),
  }
}
