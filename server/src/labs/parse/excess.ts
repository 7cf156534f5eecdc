/** Finds text that would block the Markdown parser: its time grows with the square of some marks in a paragraph. */
import { flaw, type Flaw } from './place.ts'

/** A shipped lab has at most 22 in a paragraph. */
const MOST_MARKS = 1_000
const MOST_LEVELS = 20

const marks: readonly (readonly [RegExp, string])[] = [
  [/[*_]/g, '* and _'],
  [/\[/g, '['],
]
/** A line that opens more than {@link MOST_LEVELS} quotes and lists, one in the other. */
const nested = new RegExp(String.raw`^(?:[ \t]*(?:>|[-*+]|\d{1,9}[.)])){${MOST_LEVELS + 1}}`)

/** The first paragraph or line that has too much of something; null if none has. */
export function excessIn(text: string): Flaw | null {
  const counts = marks.map(() => 0)
  for (const [index, line] of text.split('\n').entries()) {
    const place = { line: index + 1, column: 1 }
    if (nested.test(line)) return flaw(place, `expected at most ${MOST_LEVELS} lists and quotes in each other`)
    for (const [which, [mark, name]] of marks.entries()) {
      const count = line.trim() === '' ? 0 : (counts[which] ?? 0) + (line.match(mark)?.length ?? 0)
      if (count > MOST_MARKS) return flaw(place, `expected at most ${MOST_MARKS} of ${name} in one paragraph`)
      counts[which] = count
    }
  }
  return null
}
