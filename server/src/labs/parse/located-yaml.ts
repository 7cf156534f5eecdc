/** YAML values with their positions in the file. */
import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, type Document, type Node } from 'yaml'
import { flaw, within, type Flawed, type TextPosition } from './place.ts'

export type Path = readonly PropertyKey[]

export interface Located {
  readonly value: unknown
  /** The position of the value at a path; if it is missing, the position of its parent. */
  placeOf(path: Path): TextPosition
  /** The position of a key in the mapping at a path. */
  placeOfKey(path: Path, key: string): TextPosition
}

export type LocatedOrFlaws = { readonly yaml: Located } | Flawed

/** Limits nested aliases, which can grow exponentially. */
const MAX_ALIASES = 50

function pairOf(node: Node | null, key: PropertyKey) {
  if (!isMap(node)) return undefined
  return node.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === String(key))
}

function childOf(node: Node | null, key: PropertyKey): Node | null {
  if (isSeq<Node>(node)) return node.items[Number(key)] ?? null
  return (pairOf(node, key)?.value as Node | null | undefined) ?? null
}

function resolved(node: Node | null, document: Document): Node | null {
  return isAlias(node) ? (node.resolve(document) ?? null) : node
}

/** Parses one block of YAML. @param start the position of the text's first character in the file */
export function parseYaml(text: string, start: TextPosition): LocatedOrFlaws {
  const lineCounter = new LineCounter()
  const placeAt = (offset: number): TextPosition => {
    const { line, col } = lineCounter.linePos(offset)
    return within(start, { line: Math.max(line, 1), column: Math.max(col, 1) })
  }
  const document = parseDocument(text, { lineCounter, prettyErrors: false, stringKeys: true })
  const wrong = [...document.errors, ...document.warnings]
  if (wrong.length > 0) {
    return { flaws: wrong.map(({ pos, message }) => flaw(placeAt(pos[0]), `this is not valid YAML: ${message}`)) }
  }
  const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES })

  function nodeAt(path: Path): Node | null {
    let node: Node | null = document.contents
    for (const key of path) {
      const child = resolved(childOf(node, key), document)
      if (child === null) return node
      node = child
    }
    return node
  }

  function placeOfNode(node: Node | null): TextPosition {
    return node?.range === undefined || node.range === null ? start : placeAt(node.range[0])
  }

  return {
    yaml: {
      value,
      placeOf: (path) => placeOfNode(nodeAt(path)),
      placeOfKey(path, key) {
        const map = nodeAt(path)
        const pair = pairOf(map, key)
        return placeOfNode((pair?.key as Node | undefined) ?? map)
      },
    },
  }
}
