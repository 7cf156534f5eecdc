/** The properties that Testing Library and user-event ask for, as CSS and as the DOM name them. */
const NAMES = [
  ['display', 'display'],
  ['visibility', 'visibility'],
  ['content', 'content'],
  ['pointer-events', 'pointerEvents'],
  ['user-select', 'userSelect'],
] as const

/**
 * Computed styles of a DOM without style sheets: they follow from an element's tag, its own `style`, and for a dialog whether
 * it is open. happy-dom works them out again after each change of the DOM, and Testing Library asks for them for every element
 * that it looks at: a third of the time of these tests.
 *
 * @param compute happy-dom's own
 */
export function plainStyle(compute: typeof getComputedStyle): typeof getComputedStyle {
  const known = new Map<string, CSSStyleDeclaration>()
  return (element) => {
    const key = [element.tagName, element.getAttribute('style'), element.hasAttribute('open')].join(' ')
    const style = known.get(key) ?? copyOf(compute(element))
    if (element.isConnected) known.set(key, style)
    return style
  }
}

/** A copy, which does not follow its element. */
function copyOf(style: CSSStyleDeclaration): CSSStyleDeclaration {
  const values = new Map(NAMES.map(([name]) => [name as string, style.getPropertyValue(name)]))
  const properties = Object.fromEntries(NAMES.map(([name, property]) => [property, values.get(name)]))
  return { ...properties, getPropertyValue: (name: string) => values.get(name) ?? '' } as CSSStyleDeclaration
}
