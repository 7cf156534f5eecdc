/** Places in a lab's file, and what is wrong there. */

/** Both from 1. */
export interface TextPosition {
  readonly line: number
  readonly column: number
}

/** A problem of the file that is being parsed. */
export interface Flaw extends TextPosition {
  readonly message: string
}

export function flaw({ line, column }: TextPosition, message: string): Flaw {
  return { line, column, message }
}

/** The place of the text inside a block, for a place that was counted from the block's beginning. */
export function within(block: TextPosition, { line, column }: TextPosition): TextPosition {
  return { line: block.line + line - 1, column: block.column + column - 1 }
}

/** In the order of the file, each once: two variants of a lab share their flaws. */
export function sorted(flaws: readonly Flaw[]): Flaw[] {
  const once = new Map(flaws.map((one) => [`${one.line}:${one.column}:${one.message}`, one]))
  return [...once.values()].toSorted((a, b) => a.line - b.line || a.column - b.column)
}
