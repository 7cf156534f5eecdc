/** Terms of the glossary in the text of a lab: their first use shows the definition on hover, focus and tap. */
import { i18n } from '@expresslane/shared/base/language'
import type { GlossaryTerm } from '@expresslane/shared/labs/glossary'
import { useId, useMemo, useRef, type ComponentProps, type FocusEvent, type PointerEvent } from 'react'
import classes from './glossary.module.css'
import { Markdown } from './markdown.tsx'

/** A node of the HTML that react-markdown renders. */
interface HtmlNode {
  readonly type: string
  readonly tagName?: string
  readonly value?: string
  readonly properties?: Readonly<Record<string, string>>
  children?: HtmlNode[] | undefined
}

/** Code is typed as it stands, and a press on a link or a heading means something else. */
const unmarked = /^(code|pre|a|h\d)$/

/** Puts a `dfn` around the first use of each term. A later definition of a term replaces an earlier one. */
function marking(glossary: readonly GlossaryTerm[]): () => (root: HtmlNode) => void {
  const byName = new Map(
    glossary
      .filter(({ command }) => !command)
      .flatMap((one) =>
        [one.term, ...one.aliases].flatMap((name) =>
          [name, name.charAt(0).toUpperCase() + name.slice(1)].map((spelt) => [spelt, one] as const),
        ),
      ),
  )
  // The longest name comes first: “NAT64” is not “NAT”.
  const names = [...byName.keys()].toSorted((a, b) => b.length - a.length)
  const any = names.map((name) => name.replaceAll(/\W/g, String.raw`\$&`)).join('|')
  const pattern = new RegExp(String.raw`(?<![\w-])(${any})s?(?![\w-])`, 'g')

  function marked({ value = '' }: HtmlNode, used: Set<GlossaryTerm>): HtmlNode[] {
    let from = 0
    const parts = [...value.matchAll(pattern)].flatMap(({ 0: text, 1: name = '', index }): HtmlNode[] => {
      const found = byName.get(name)
      if (found === undefined || used.has(found)) return []
      used.add(found)
      const before = { type: 'text', value: value.slice(from, index) }
      from = index + text.length
      const properties = { title: found.definition, ...(found.link !== null && { resource: found.link }) }
      return [before, { type: 'element', tagName: 'dfn', properties, children: [{ type: 'text', value: text }] }]
    })
    return [...parts, { type: 'text', value: value.slice(from) }]
  }

  function walk(node: HtmlNode, used: Set<GlossaryTerm>): void {
    node.children = node.children?.flatMap((child) => {
      if (child.type === 'text') return marked(child, used)
      if (!unmarked.test(child.tagName ?? '')) walk(child, used)
      return [child]
    })
  }

  return () => (root) => walk(root, new Set())
}

/** A term with its definition in a popover, which also closes with Escape and with a press beside it. */
function Term({ title, resource, children }: ComponentProps<'dfn'>) {
  const id = useId()
  const about = useRef<HTMLSpanElement>(null)

  function show({ currentTarget }: { readonly currentTarget: HTMLElement }): void {
    const popover = about.current
    if (popover === null) return
    popover.togglePopover(true)
    const { left, top, bottom } = currentTarget.getBoundingClientRect()
    const { clientWidth, clientHeight } = document.documentElement
    const x = Math.max(8, Math.min(left, clientWidth - popover.offsetWidth - 8))
    const y = bottom + popover.offsetHeight <= clientHeight ? bottom : top - popover.offsetHeight
    // A place in the document: the popover scrolls with its term.
    Object.assign(popover.style, { left: `${x + scrollX}px`, top: `${y + scrollY}px` })
  }

  function hide({ currentTarget, relatedTarget }: FocusEvent<HTMLElement> | PointerEvent<HTMLElement>): void {
    const at = [relatedTarget, document.activeElement]
    if (at.some((one) => one instanceof Node && currentTarget.contains(one))) return
    about.current?.togglePopover(false)
  }

  return (
    <span onPointerLeave={hide} onBlur={hide}>
      <button
        type="button"
        className={classes.term}
        aria-describedby={id}
        popoverTarget={id}
        popoverTargetAction="show"
        onPointerEnter={(event) => event.pointerType === 'mouse' && show(event)}
        onFocus={show}
        onClick={show}
      >
        {children}
      </button>
      <span ref={about} id={id} popover="auto" className={`${classes.about} surface`}>
        {title}{' '}
        {resource !== undefined && (
          <a href={resource} target="_blank" rel="noreferrer">
            {i18n.t('More')}
          </a>
        )}
      </span>
    </span>
  )
}

const components = { dfn: Term }

/** The prose of a lab with the terms of the glossary. */
export function ExplainedProse({ text, glossary }: { text: string; glossary: readonly GlossaryTerm[] }) {
  const rehypePlugins = useMemo(() => (glossary.length === 0 ? [] : [marking(glossary)]), [glossary])
  return <Markdown text={text} rehypePlugins={rehypePlugins} components={components} />
}
