/** Suggests the word that a misspelt word was meant to be. */
import { closest, distance } from 'fastest-levenshtein'

const MAX_WORD = 60

/** The nearest known word; null if none is near enough. */
function nearest(word: string, known: readonly string[]): string | null {
  if (known.length === 0 || word.length > MAX_WORD) return null
  const lower = word.toLowerCase()
  const found = closest(lower, known)
  // Two swapped letters count as two changes.
  const allowed = word.length < 4 ? 1 : Math.max(2, Math.floor(word.length / 3))
  return distance(lower, found.toLowerCase()) <= allowed ? found : null
}

/** `expected one of a, b; did you mean "a"?` */
export function expectedOneOf(word: string, known: readonly string[]): string {
  if (known.length === 0) return 'there is none'
  if (known.length === 1) return `expected ${known[0]}`
  const meant = nearest(word, known)
  const expected = `expected one of ${known.join(', ')}`
  return meant === null ? expected : `${expected}; did you mean "${meant}"?`
}
