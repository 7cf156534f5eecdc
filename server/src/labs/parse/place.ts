/** Positions in a lab's file, and problems at these positions. */

/** A position in a text; line and column start at 1. */
export interface TextPosition {
  readonly line: number
  readonly column: number
}

/** A problem in the file that is being parsed. */
export interface Flaw extends TextPosition {
  readonly message: string
}

export function flaw({ line, column }: TextPosition, message: string): Flaw {
  return { line, column, message }
}

/** The position in the file of a position that is relative to a block. */
export function within(block: TextPosition, { line, column }: TextPosition): TextPosition {
  return { line: block.line + line - 1, column: block.column + column - 1 }
}

/** The flaws of a text that could not be read. */
export interface Flawed {
  readonly flaws: readonly Flaw[]
}

/** The reading; null if it has flaws, which are added to `flaws`. */
export function unlessFlawed<Read extends object>(of: Read | Flawed, flaws: Flaw[]): Read | null {
  if (!('flaws' in of)) return of
  // No spread: a file can have more problems than a call takes arguments.
  for (const one of of.flaws) flaws.push(one)
  return null
}

/** In file order, without duplicates: two variants of a lab report the same flaws. */
export function sorted(flaws: readonly Flaw[]): Flaw[] {
  const once = new Map(flaws.map((one) => [`${one.line}:${one.column}:${one.message}`, one]))
  return [...once.values()].toSorted((a, b) => a.line - b.line || a.column - b.column)
}
