/** Commands as a person would type them. */
import { formatCount } from '@expresslane/shared/base/units'

/** Needs no quotes in any shell. */
const PLAIN = /^[\w@%+=:,./-]+$/
/** Characters that a terminal acts upon, or that hide or turn text around. Not tab and newline. */
const UNSEEN = /[\p{Cc}\p{Cf}\u2028\u2029]/u
const KEPT = new Set(['\t', '\n'])

function unseen(character: string): boolean {
  return UNSEEN.test(character) && !KEPT.has(character)
}

function escaped(character: string): string {
  if (unseen(character)) {
    return [...Buffer.from(character, 'utf8')].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')
  }
  return character === "'" || character === '\\' ? `\\${character}` : character
}

function quoted(word: string): string {
  if (PLAIN.test(word)) return word
  const characters = Array.from(word)
  // As bash, zsh and ksh read it: nothing unseen is in the line.
  if (characters.some(unseen)) return `$'${characters.map(escaped).join('')}'`
  return `'${word.replaceAll("'", String.raw`'\''`)}'`
}

/** argv as a shell would need it typed, safe to paste whatever the words contain. */
export function typedLine(argv: readonly string[]): string {
  return argv.map(quoted).join(' ')
}

/** The input's lines that are shown. */
const LINES_SHOWN = 20

/** A typed command with its standard input as a here-document; the end of a long document is left out. */
export function typedWithInput(typed: string, input: string): string {
  const lines = input.trimEnd().split('\n')
  const more = lines.length - LINES_SHOWN
  const shown = more > 1 ? [...lines.slice(0, LINES_SHOWN), `# ... and ${formatCount(more)} lines more`] : lines
  return [`${typed} <<'END'`, ...shown, 'END'].join('\n')
}
