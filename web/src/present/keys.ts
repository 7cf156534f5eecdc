/** The keys of a presentation: a keyboard's keys, and the keys that clickers send. Pure. */
import { i18n } from '@expresslane/shared/base/language'
import type { Focus, KeyPress } from '../session/index.ts'

/** Leads the talk, from any window. */
export type TalkKey =
  /** Runs the step's action, or goes on when there is nothing to run. */
  | 'advance'
  /** Goes to another step and runs nothing. */
  | 'next'
  | 'previous'
  | 'first'
  | 'last'
  | 'again'
  | 'cancel'
  | 'blank'
  | 'path'
  | 'autopilot'
  | 'longer-pauses'
  | 'shorter-pauses'

/** They belong to the presenter's view alone. `down` and `up` scroll a slide that is longer than the screen. */
const stageKeys = ['text', 'speaker', 'links', 'terminals', 'screen', 'keys', 'leave', 'down', 'up'] as const

export type LeadKey = TalkKey | (typeof stageKeys)[number]

export function leadsTalk(key: LeadKey): key is TalkKey {
  return !stageKeys.some((one) => one === key)
}

/** Shift with an arrow key goes to another step and runs nothing. */
const withShift: Readonly<Record<string, LeadKey>> = {
  ArrowRight: 'next',
  PageDown: 'next',
  ' ': 'previous',
}

const byKey: Readonly<Record<string, LeadKey>> = {
  ArrowRight: 'advance',
  PageDown: 'advance',
  ' ': 'advance',
  Enter: 'advance',
  ArrowLeft: 'previous',
  PageUp: 'previous',
  ArrowDown: 'down',
  ArrowUp: 'up',
  Home: 'first',
  End: 'last',
  r: 'again',
  c: 'cancel',
  '.': 'blank',
  // Some clickers send this for a blank screen.
  b: 'blank',
  l: 'path',
  t: 'text',
  a: 'autopilot',
  '+': 'longer-pauses',
  '-': 'shorter-pauses',
  s: 'speaker',
  f: 'links',
  x: 'terminals',
  w: 'screen',
  '?': 'keys',
  Escape: 'leave',
}

/** The list of keys for people, in its order. */
export const keyHelp = (): readonly (readonly [keys: readonly string[], does: string])[] => [
  [['→', i18n.t('Space'), i18n.t('Page down')], i18n.t('Run the step, then go to the next')],
  [['←', i18n.t('Page up')], i18n.t('Go back')],
  [[i18n.t('Shift →')], i18n.t('Go to the next step without running')],
  // One text: alone, `End` is a button's.
  [i18n.t('Home End').split(' '), i18n.t('First step, last step')],
  [['↓', '↑'], i18n.t('Scroll a long slide')],
  [['R'], i18n.t('Run the step again')],
  [['C'], i18n.t('Cancel the run')],
  [['.'], i18n.t('Blank the screen')],
  [['L'], i18n.t('Show the path at full width')],
  [['T'], i18n.t('Text or result')],
  [['S'], i18n.t('Speaker’s window')],
  [['F'], i18n.t('Show the links to join')],
  [['X'], i18n.t('Show or hide the terminals')],
  [['A'], i18n.t('Autopilot on or off')],
  [['+', '−'], i18n.t('Longer, shorter pauses')],
  [['W'], i18n.t('Full screen')],
  [['?'], i18n.t('Show this list')],
  [['Esc'], i18n.t('Leave')],
]

/** Where the focus is. A region that scrolls leaves the arrow keys to the talk: {@link LeadKey} has keys to scroll. */
export function leadFocus(target: EventTarget | null): Focus {
  if (!(target instanceof Element)) return 'page'
  if (target.closest('input, textarea, select, [contenteditable]') !== null) return 'control'
  return target.closest('button, a[href], summary') === null ? 'page' : 'pressable'
}

/** The command of a key press; null for a press that belongs to the browser or to the focused control. */
export function leadKey(press: KeyPress, focus: Focus): LeadKey | null {
  if (press.defaultPrevented || press.altKey || press.ctrlKey || press.metaKey) return null
  if (press.key === 'Escape') return 'leave'
  if (focus === 'control') return null
  if (focus === 'pressable' && (press.key === ' ' || press.key === 'Enter')) return null
  if (press.shiftKey && press.key in withShift) return withShift[press.key] ?? null
  return byKey[press.key.length === 1 ? press.key.toLowerCase() : press.key] ?? null
}
