import type { KeyPress } from '../src/session/index.ts'

export function press(key: string, over: Partial<KeyPress> = {}): KeyPress {
  return { key, shiftKey: false, altKey: false, ctrlKey: false, metaKey: false, defaultPrevented: false, ...over }
}
