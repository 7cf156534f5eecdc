/** `${name}` in a lab's text, so that one file can contain several labs. `$${name}` becomes `${name}`, for a shell. */
import { z } from 'zod'
import { expectedOneOf } from './nearest.ts'

export const variableName = z.string().regex(/^[a-z][a-zA-Z0-9]{0,39}$/, {
  error: "expected a variable's name: a lowercase letter, then letters and digits",
})
export const variableValue = z.union([z.string().max(4_000), z.number(), z.boolean()], {
  error: 'expected text, a number, or true or false',
})

export type Variables = ReadonlyMap<string, string | number | boolean>

const PLACE = /(\$?)\$\{([a-z][a-zA-Z0-9]*)\}/g
const WHOLE = /^\$\{([a-z][a-zA-Z0-9]*)\}$/

/** Called for each name that is not defined. */
export type OnUnknown = (message: string) => void

function unknown(name: string, variables: Variables): string {
  const escape = `write $\${${name}} for a shell's own`
  if (variables.size === 0) return `there is no variable "${name}": this lab defines none; ${escape}`
  return `there is no variable "${name}": ${expectedOneOf(name, [...variables.keys()])} (${escape})`
}

/** The text with its variables filled in. */
export function fillText(text: string, variables: Variables, onUnknown: OnUnknown): string {
  return text.replaceAll(PLACE, (match: string, escaped: string, name: string) => {
    if (escaped !== '') return match.slice(1)
    const value = variables.get(name)
    if (value === undefined) onUnknown(unknown(name, variables))
    return value === undefined ? match : String(value)
  })
}

/**
 * YAML data with its variables filled in. A value that consists of one variable takes its type: a number stays a
 * number.
 *
 * @param onUnknown called with the path of the text and the error
 */
export function fillData(
  data: unknown,
  variables: Variables,
  onUnknown: (path: PropertyKey[], message: string) => void,
  path: PropertyKey[] = [],
): unknown {
  if (typeof data === 'string') {
    const whole = WHOLE.exec(data)?.[1]
    const value = whole === undefined ? undefined : variables.get(whole)
    return value ?? fillText(data, variables, (message) => onUnknown(path, message))
  }
  if (Array.isArray(data)) return data.map((item, index) => fillData(item, variables, onUnknown, [...path, index]))
  if (typeof data !== 'object' || data === null) return data
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => {
      const inside = [...path, key]
      const name = fillText(key, variables, (message) => onUnknown(inside, message))
      return [name, fillData(value, variables, onUnknown, inside)]
    }),
  )
}
