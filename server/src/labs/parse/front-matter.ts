/** The YAML at the top of a lab's file: the lab's fields, and the variables that make several labs of one file. */
import { lab } from '@expresslane/shared/labs/lab'
import { z } from 'zod'
import { checked } from './explain.ts'
import type { Located } from './located-yaml.ts'
import { type Flaw, flaw, unlessFlawed } from './place.ts'
import { fillData, fillText, variableName, variableValue, type Variables } from './variables.ts'

const MAX_VARIANTS = 8

const variantId = z.string().regex(/^[a-z0-9][a-z0-9-]{0,30}$/, {
  error: "expected a variant's name of lowercase letters, digits and dashes",
})
const variables = z.record(variableName, variableValue)

/**
 * The fields that decide which labs the file contains. They are read first, because the other fields can use the
 * variables.
 */
const templateFields = z.object({
  variables: variables.default({}),
  variants: z
    .record(variantId, variables)
    .refine((all) => Object.keys(all).length > 0 && Object.keys(all).length <= MAX_VARIANTS, {
      error: `expected 1 to ${MAX_VARIANTS} variants`,
    })
    .optional(),
})

const text = (max: number) => z.string().trim().min(1).max(max)

const labFields = z.strictObject({
  title: text(80),
  question: text(160),
  summary: text(300),
  feature: lab.shape.feature,
  families: lab.shape.families,
  minutes: z.number().int().min(1).max(600),
  needs: lab.shape.needs,
  optional: lab.shape.optional,
  arms: lab.shape.arms.default([]),
  track: lab.shape.track,
  /** The order in the catalogue: labs with a smaller number come first, labs without one last. */
  order: z.number().int().min(0).max(10_000).optional(),
})
export type LabFields = z.output<typeof labFields>

/** A lab of a file. A file without variants has a single lab. */
export interface Variant {
  /** Null in a file without variants. */
  readonly name: string | null
  readonly variables: Variables
}

/** The variants of a file; empty if their variables can't be read. */
export function readVariants(yaml: Located, flaws: Flaw[]): Variant[] {
  const fields = unlessFlawed(checked(templateFields, yaml.value, yaml), flaws)
  if (fields === null) return []
  const { variables: common, variants } = fields.data
  function resolve(name: string | null, own: Readonly<Record<string, string | number | boolean>>): Variant {
    const filled = new Map<string, string | number | boolean>(Object.entries(own))
    if (name !== null) filled.set('variant', name)
    // A variable can use the variables above it.
    for (const [key, value] of Object.entries(common)) {
      const at = yaml.placeOf(['variables', key])
      const use = (given: string): string => fillText(given, filled, (message) => flaws.push(flaw(at, message)))
      filled.set(key, typeof value === 'string' ? use(value) : value)
    }
    return { name, variables: filled }
  }
  if (variants === undefined) return [resolve(null, {})]
  return Object.entries(variants).map(([name, own]) => resolve(name, own))
}

/** The fields of a variant's lab; null if they can't be read. */
export function readLabFields(yaml: Located, variant: Variant, flaws: Flaw[]): LabFields | null {
  const { variables: _variables, variants: _variants, ...rest } = Object.fromEntries(Object.entries(yaml.value ?? {}))
  const filled = fillData(rest, variant.variables, (path, message) => flaws.push(flaw(yaml.placeOf(path), message)))
  return unlessFlawed(checked(labFields, filled, yaml, ['variables', 'variants']), flaws)?.data ?? null
}
