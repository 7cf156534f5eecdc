/** Which key goes where in a lab. Pure. */

export type StepMove = 'next' | 'previous'

export interface KeyPress {
  readonly key: string
  readonly shiftKey: boolean
  readonly altKey: boolean
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly defaultPrevented: boolean
}

/** What has the focus: a control that uses keys itself, something that uses space (a button, a log that scrolls), or nothing of the kind. */
export type Focus = 'control' | 'pressable' | 'page'

/** Arrow keys, j and k, and space walk; a focused control keeps its keys. */
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
    case ' ':
      if (focus === 'pressable') return null
      return press.shiftKey ? 'previous' : 'next'
    default:
      return null
  }
}

/** A table that is wider than the page scrolls by arrow keys; behind an open dialog nothing moves. */
const controls = 'input, textarea, select, [contenteditable], dialog, [role="region"][tabindex]'
/** Space presses these, so it must not walk; arrow keys mean nothing to them. */
const pressables = 'button, a[href], summary'

export function focusOf(target: EventTarget | null): Focus {
  if (!(target instanceof Element)) return 'page'
  if (target.closest(controls) !== null) return 'control'
  return target.closest(`${pressables}, [data-scroller]`) === null ? 'page' : 'pressable'
}
