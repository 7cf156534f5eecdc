/** Splits a lab's Markdown into its front matter and one section per heading of the second level. */
import type { Code, Heading, Nodes, Root, RootContent, Yaml } from 'mdast'
import remarkFrontmatter from 'remark-frontmatter'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import { parseYaml, type Located } from './located-yaml.ts'
import { flaw, unlessFlawed, type Flaw, type TextPosition } from './place.ts'

export interface Section {
  readonly id: string
  readonly title: string
  readonly at: TextPosition
  readonly nodes: readonly RootContent[]
}

export interface Sections {
  readonly frontMatter: Yaml | null
  readonly sections: readonly Section[]
  readonly flaws: readonly Flaw[]
}

const parser = unified().use(remarkParse).use(remarkFrontmatter)

/** The position where a node begins. */
export function startOf({ position }: Nodes): TextPosition {
  const { line, column } = position?.start ?? { line: 1, column: 1 }
  return { line, column }
}

/** The YAML in a block, or in the front matter, below its first line; null with problems, which are added to `flaws`. */
export function readYaml(node: Code | Yaml, flaws: Flaw[]): Located | null {
  const read = parseYaml(node.value, { line: startOf(node).line + 1, column: startOf(node).column })
  return unlessFlawed(read, flaws)?.yaml ?? null
}

/** The source of a node, including its indentation. */
export function sourceOf(node: Nodes, source: string): string {
  const { start, end } = node.position ?? {}
  if (start?.offset === undefined || end?.offset === undefined) return ''
  return source.slice(start.offset - (start.column - 1), end.offset)
}

const forbidden: Readonly<Partial<Record<Nodes['type'], string>>> = {
  html: 'HTML is not allowed: use Markdown, and put text in angle brackets between backticks',
  image: 'pictures are not allowed: describe them in text',
  imageReference: 'pictures are not allowed: describe them in text',
  definition: 'expected a link with its address: [text](https://example.org)',
}

/** Everything below a node that labs must not contain. */
export function forbiddenIn(root: Nodes): Flaw[] {
  const flaws: Flaw[] = []
  const open: Nodes[] = [root]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const message = forbidden[node.type]
    if (message !== undefined) flaws.push(flaw(startOf(node), message))
    // An address with a variable is checked after the variable is filled in.
    if (node.type === 'link' && !/^(https?:|mailto:|.*\$(%7B|\{))/i.test(node.url)) {
      flaws.push(flaw(startOf(node), 'expected a link that begins with https://, http:// or mailto:'))
    }
    if ('children' in node) for (const one of node.children) open.push(one)
  }
  return flaws
}

export function parseMarkdown(source: string): Root {
  return parser.parse(source)
}

function slug(title: string): string {
  const words = title
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
  return words.join('-').replace(/^[^a-z]+/, '') || 'step'
}

const ID = /^(.*?)\s*\{#([^{}]*)\}\s*$/s
const STEP_ID = /^[a-z][a-z0-9-]{0,59}$/

/** `## Title {#id}` */
function readHeading(heading: Heading, source: string): { title: string; id: string } | Flaw {
  const [text] = heading.children
  const at = startOf(heading)
  if (heading.children.length !== 1 || text?.type !== 'text') {
    return flaw(at, 'expected a title of plain text and an id: ## Title {#id}')
  }
  const [, title = '', id = ''] = ID.exec(text.value) ?? []
  if (id === '') {
    return flaw(at, `a step needs an id, under which its runs are stored: ## ${text.value} {#${slug(text.value)}}`)
  }
  const where = { line: at.line, column: at.column + sourceOf(heading, source).trimStart().lastIndexOf('{#') + 2 }
  if (!STEP_ID.test(id))
    return flaw(where, `expected an id of lowercase letters, digits and dashes, such as ${slug(id)}`)
  if (title === '' || title.length > 120) return flaw(at, 'expected a title of 1 to 120 characters')
  return { title, id }
}

/** @param source with `\n` as line ending */
export function sectionsOf(source: string): Sections {
  const root = parseMarkdown(source)
  const flaws = forbiddenIn(root)
  const [first] = root.children
  const frontMatter = first?.type === 'yaml' ? first : null
  const sections: (Section & { nodes: RootContent[] })[] = []
  let before = true
  for (const node of frontMatter === null ? root.children : root.children.slice(1)) {
    if (node.type === 'heading' && node.depth <= 2) {
      before = false
      const heading = node.depth === 2 ? readHeading(node, source) : null
      if (heading === null) flaws.push(flaw(startOf(node), 'expected a step: a heading with two #, ## Title {#id}'))
      else if ('message' in heading) flaws.push(heading)
      else if (sections.some(({ id }) => id === heading.id)) {
        flaws.push(flaw(startOf(node), `two steps have the id "${heading.id}": expected a different id`))
      } else sections.push({ ...heading, at: startOf(node), nodes: [] })
    } else if (before) {
      if (node.type !== 'html') {
        flaws.push(flaw(startOf(node), 'expected a step before any text: ## Title {#id}'))
      }
      before = false
    } else sections.at(-1)?.nodes.push(node)
  }
  return { frontMatter, sections, flaws }
}
