/** The keys that move between steps, and the key that presents. Pure. */

export type StepMove = 'next' | 'previous' | 'present'

export interface KeyPress {
  readonly key: string
  readonly shiftKey: boolean
  readonly altKey: boolean
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly defaultPrevented: boolean
}

/** The focused element: a control that uses keys, an element that uses space (a button, a scrolling log), or another. */
export type Focus = 'control' | 'pressable' | 'page'

/** Arrow keys, j, k and space move between steps, and p begins to present, unless a focused control uses them. */
export function stepMove(press: KeyPress, focus: Focus): StepMove | null {
  if (press.defaultPrevented || press.altKey || press.ctrlKey || press.metaKey) return null
  if (focus === 'control') return null
  switch (press.key) {
    case 'ArrowRight':
    case 'j':
      return 'next'
    case 'ArrowLeft':
    case 'k':
      return 'previous'
    case 'p':
      return 'present'
    case ' ':
      if (focus === 'pressable') return null
      return press.shiftKey ? 'previous' : 'next'
    default:
      return null
  }
}

/** A wide table scrolls with arrow keys; an open dialog blocks moves. */
const controls = 'input, textarea, select, [contenteditable], dialog, [role="region"][tabindex]'
/** Space activates these; they do not use arrow keys. */
const pressables = 'button, a[href], summary'

export function focusOf(target: EventTarget | null): Focus {
  if (!(target instanceof Element)) return 'page'
  if (target.closest(controls) !== null) return 'control'
  return target.closest(`${pressables}, [data-scroller]`) === null ? 'page' : 'pressable'
}
