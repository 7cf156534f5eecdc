/** Finds positions in a JSON text. Pure. */
import type { TextPosition } from '../../labs/parse/place.ts'
import { printParseErrorCode, visit, type ParseErrorCode } from 'jsonc-parser'

export type Path = readonly PropertyKey[]

const start: TextPosition = { line: 1, column: 1 }

function isWithin(path: readonly PropertyKey[], target: Path): boolean {
  return path.length <= target.length && path.every((part, index) => part === target[index])
}

/** The parser throws for text that is nested too deeply; the position is then the beginning. */
function unlessTooDeep(search: () => void): void {
  try {
    search()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
}

/** The position of the value at a path, or of the innermost existing part of the path. */
export function locate(text: string, target: Path): TextPosition {
  let found = { depth: 0, place: start }
  function meet(path: PropertyKey[], line: number, character: number): boolean {
    const within = isWithin(path, target)
    if (within && path.length > found.depth) {
      found = { depth: path.length, place: { line: line + 1, column: character + 1 } }
    }
    return within
  }
  unlessTooDeep(() => {
    visit(text, {
      onObjectProperty: (name, _offset, _length, line, character, path) =>
        void meet([...path(), name], line, character),
      onObjectBegin: (_offset, _length, line, character, path) => meet(path(), line, character),
      onArrayBegin: (_offset, _length, line, character, path) => meet(path(), line, character),
      // Without this listener the parser does not notice the end of a skipped value (jsonc-parser 3.3.1, toEndVisit).
      onObjectEnd: () => {},
      onArrayEnd: () => {},
      onLiteralValue: (_value, _offset, _length, line, character, path) => void meet(path(), line, character),
    })
  })
  return found.place
}

/** The first syntax error: its position, and a message such as `comma expected`. */
export function firstFault(text: string): TextPosition & { readonly wrong: string } {
  let fault: (TextPosition & { wrong: string }) | null = null
  const onError = (code: ParseErrorCode, _offset: number, _length: number, line: number, character: number): void => {
    const words = printParseErrorCode(code).replaceAll(/(?<=[a-z])[A-Z]/g, ' $&')
    fault ??= { line: line + 1, column: character + 1, wrong: words.toLowerCase() }
  }
  unlessTooDeep(() => {
    visit(text, { onError }, { disallowComments: true })
  })
  return fault ?? { ...start, wrong: 'not readable as JSON' }
}

/** `runs[3].events[0].at` */
export function fieldName(path: Path): string {
  const name = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('')
  return name.replace(/^\./, '')
}
